/**
 * Clauses of a prospectus as its words say them: `连续三十个交易日中至少十五个交易日 … 不低于当期转股价格的130%`. Numbers are Arabic or
 * Chinese. What cannot be read is null: unknown, never the usual clause.
 */
import { type BondTerms, type Clause, monthsLater } from '@convexa/engine'
import { byTrigger } from '../../market/clause-labels.ts'
import type { BondRow } from '../rows.ts'

/** The three clauses of a bond. A call below the conversion price or a put above it is a source that has taken one for the other. */
export function clausesIn(
  row: Pick<BondRow, 'clauses' | 'valueDate' | 'maturityDate' | 'conversionStart'>,
): Pick<BondTerms, 'redeem' | 'reset' | 'put'> {
  const { redeem, put, reset } = row.clauses
  const clauses = byTrigger(clauseIn(redeem), clauseIn(put))
  const from = clauses.put && putStart(clauses.isSwapped ? redeem : put, row)
  return { redeem: clauses.redeem, reset: clauseIn(reset), put: clauses.put && from ? { ...clauses.put, from } : null }
}

/** Clauses whose wording cannot be parsed. */
export function unreadClauses(
  { clauses }: Pick<BondRow, 'clauses'>,
  read: Pick<BondTerms, 'redeem' | 'reset' | 'put'>,
): (keyof BondRow['clauses'])[] {
  return (['redeem', 'reset', 'put'] as const).filter((clause) => clauses[clause] !== null && read[clause] === null)
}

const number = '[\\d一二两三四五六七八九十]+'
const windowWords = [
  // 连续三十个交易日, 连续的30个交易日.
  new RegExp(`连续的?(?<n>${number})个?(?:交易)?日`),
  // 三十个连续交易日.
  new RegExp(`(?<n>${number})个?连续的?(?:交易)?日`),
]
const daysWords = new RegExp(`(?<n>${number})个?(?:交易)?日`)
/** Behind the window they say that some of its days are enough. */
const someWords = /^[之当]?[中里](?!国)|其中|至少|不少于|不得少于|半|分之/
const percentWords = /(?:低于|高于|超过)[^%％]{0,40}?(?:(?<n>\d+(?:\.\d+)?)[%％]|百分之(?<spelled>[零一二三四五六七八九十百]+))/

/**
 * Days, window and trigger; null where the words do not say all of them. The days are what is said between the window and the per cent; all days of
 * the window only where nothing there speaks of some.
 */
export function clauseIn(text: string | null): Clause | null {
  const words = text?.replaceAll(/\s/g, '') ?? ''
  const window = first(words, windowWords)
  if (window === null) return null
  const percent = first(words, [percentWords], window.end) ?? first(words, [percentWords])
  if (percent === null) return null
  const between = words.slice(window.end, percent.end > window.end ? percent.end : undefined)
  const said = first(between, [daysWords])
  if (said === null && someWords.test(between.replace(/百分之.*$/, ''))) return null
  const days = said?.value ?? window.value
  const trigger = percent.value / 100
  return window.value >= days && days > 0 && trigger > 0 ? { days, window: window.value, trigger } : null
}

/** The first day on which holders may put the bond, as the words before the condition say it; null where they do not. */
function putStart(
  text: string | null,
  { valueDate, maturityDate, conversionStart }: Pick<BondRow, 'valueDate' | 'maturityDate' | 'conversionStart'>,
): string | null {
  const words = text?.replaceAll(/\s/g, '') ?? ''
  // A clause may begin with the put for another use of the money, which has a period of its own.
  const condition = words.search(/连续/)
  const said =
    words
      .slice(0, condition < 0 ? undefined : condition)
      .split(/[。；;]/)
      .at(-1) ?? ''
  const last = new RegExp(`最后(?<n>${number})个?(?:计息)?年`).exec(said)?.groups?.['n']
  if (last !== undefined) return maturityDate && monthsLater(maturityDate, -12 * count(last))
  const months = /最后(?:半年|(?<n>[\d一二三四五六七八九十]+)个月)/.exec(said)
  if (months) return maturityDate && monthsLater(maturityDate, -(months.groups?.['n'] === undefined ? 6 : count(months.groups['n'])))
  const year = new RegExp(`第(?<n>${number})个?(?:计息)?年`).exec(said)?.groups?.['n']
  if (year !== undefined) return valueDate && monthsLater(valueDate, 12 * (count(year) - 1))
  if (/转股期/.test(said)) return conversionStart
  return /存续期/.test(said) ? valueDate : null
}

/** The first number of the patterns from a place on, and where its words end. */
function first(words: string, patterns: readonly RegExp[], from = 0): { readonly value: number; readonly end: number } | null {
  const rest = words.slice(from)
  for (const pattern of patterns) {
    const match = pattern.exec(rest)
    const { n, spelled } = match?.groups ?? {}
    const found = n ?? spelled
    if (match === null || found === undefined) continue
    return Number.isFinite(count(found)) ? { value: count(found), end: from + match.index + match[0].length } : null
  }
  return null
}

const digits = '零一二三四五六七八九'

/** 30, 三十 → 30, 十五 → 15, 二十五 → 25, 一百三十 → 130, 一百零五 → 105. */
function count(text: string): number {
  if (/^[\d.]+$/.test(text)) return Number(text)
  let total = 0
  let digit = 0
  for (const sign of text.replaceAll('两', '二')) {
    if (sign === '百' || sign === '十') {
      total += (digit === 0 && total === 0 ? 1 : digit) * (sign === '百' ? 100 : 10)
      digit = 0
    } else {
      digit = digits.indexOf(sign)
      if (digit < 0) return Number.NaN
    }
  }
  return total + digit
}
