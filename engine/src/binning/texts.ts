import type { Bin } from '@convexa/contract'
import { figure } from '../base/figure.ts'
import { type Attribute, attributes } from '../expression/attributes.ts'
import { changesOf } from '../panel/dated.ts'
import type { Panel } from '../panel/panel.ts'
import { type Binner, byCategory } from './bins.ts'

/** The text of securities that is named as a factor (行业, 地区 …); null: it is a factor. */
export function textNamed(factor: string): Attribute | null {
  const name = factor.trim().toLowerCase()
  return attributes.find(({ key, label }) => key === name || label === name) ?? null
}

/** Of each day the place of each security's text among `texts`; NaN where it has none. */
export function placesOfTexts(panel: Panel, attribute: Attribute): { texts: string[]; on(day: number): Float64Array } {
  const { securities, dates } = panel
  const texts = [...new Set(securities.flatMap((security) => [...attribute.allTexts(security)]))].sort()
  const places = new Map(texts.map((text, place) => [text, place]))
  const turns = new Set(changesOf(securities, attribute.key))
  let known: { from: string; row: Float64Array } | null = null
  return {
    texts,
    on(day) {
      const date = dates[day]
      const stands = known !== null && known.from <= date && ![...turns].some((turn) => turn > (known?.from ?? '') && turn <= date)
      if (!stands || known === null) {
        known = {
          from: date,
          row: Float64Array.from(securities, (security) => places.get(attribute.textOf(security, date) ?? '') ?? Number.NaN),
        }
      }
      return known.row
    },
  }
}

const others = '其他'

/** A bin for each text, those with most securities first; of too many the rest are one bin. */
export function cutByTexts(x: Float64Array, texts: readonly string[], most: number): { bins: number; binner: Binner; labels: string[] } {
  const counts = new Float64Array(texts.length)
  for (const place of x) if (place === place) counts[place]++
  const seen = texts.flatMap((_, place) => (counts[place] > 0 ? [place] : [])).sort((a, b) => counts[b] - counts[a] || a - b)
  if (seen.length <= most) return { bins: seen.length, binner: byCategory(seen), labels: seen.map((place) => texts[place]) }
  const own = seen.slice(0, most - 1)
  const binOf = new Map(seen.map((place, k) => [place, Math.min(k, most - 1)]))
  return {
    bins: most,
    binner: (row, out) => {
      for (let i = 0; i < row.length; i++) out[i] = binOf.get(row[i]) ?? -1
    },
    labels: [...own.map((place) => texts[place]), `${others}（${seen.length - own.length} 类）`],
  }
}

/** Which of the groups did best and worst after, as a sentence: groups have no order that an IC could be of. */
export function verdictOfTexts(rows: readonly Bin[], label: string, horizon: number): string {
  const means = rows.flatMap(({ label: name, mean_forward: value }) => (value === null ? [] : [{ name, value }]))
  if (means.length < 2) return `样本不足，无法比较各「${label}」之后 ${horizon} 日的收益。`
  const sorted = [...means].sort((a, b) => b.value - a.value)
  const text = ({ name, value }: { name: string; value: number }) => `${name}（平均 ${figure(value * 100, 2)}%）`
  return `按「${label}」分组，之后 ${horizon} 日收益最高的是 ${text(sorted[0])}，最低的是 ${text(sorted[sorted.length - 1])}；类别没有大小顺序，不计算 IC 与单调性。`
}
