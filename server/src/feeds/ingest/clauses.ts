/** Clauses of a prospectus as its words say them: `连续三十个交易日中至少十五个交易日 … 不低于当期转股价格的130%`. */
import type { Clause } from '@convexa/engine'

/** Days, window and trigger; null where the words do not say all of them. A put counts all days of its window. */
export function clauseIn(text: string | null): Clause | null {
  if (text === null) return null
  const window = numberAfter(text, /连续(?:的)?(?<n>[\d一二三四五六七八九十]+)个?(?:交易)?日/)
  const percent = numberAfter(text, /(?:低于|高于|超过)[^%％]{0,40}?(?<n>\d+(?:\.\d+)?)[%％]/)
  if (window === null || percent === null) return null
  const days = numberAfter(text, /(?:至少|任意|有)(?:有)?(?<n>[\d一二三四五六七八九十]+)个?(?:交易)?日/) ?? window
  return window >= days && days > 0 && percent > 0 ? { days, window, trigger: percent / 100 } : null
}

function numberAfter(text: string, pattern: RegExp): number | null {
  const found = pattern.exec(text.replaceAll(/\s/g, ''))?.groups?.['n']
  if (found === undefined) return null
  const number = /^\d/.test(found) ? Number(found) : spelled(found)
  return Number.isFinite(number) ? number : null
}

const digits = '零一二三四五六七八九'

/** 三十 → 30, 十五 → 15, 二十五 → 25. */
function spelled(text: string): number {
  const [tens, ones] = text.includes('十') ? text.split('十') : ['', text]
  const ten = text.includes('十') ? (tens === '' ? 1 : digits.indexOf(tens!)) : 0
  return ten * 10 + (ones === '' ? 0 : digits.indexOf(ones!))
}
