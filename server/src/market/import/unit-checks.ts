/**
 * Fields whose numbers are so large that their unit is doubtful. No single cell tells it (real yields run from −226 % to +97 %), but half
 * of a day's market does.
 */
import { markets } from '@convexa/engine'
import type { Finding } from '../../db/tables/quality.ts'
import type { Arranged } from './arrange.ts'

/** `most`: the largest |median| of a day that a market has had; `mostDays`: only where more than half of the days are above it. */
const medians: readonly { readonly key: string; readonly most: number; readonly mostDays?: true }[] = [
  { key: 'ytm', most: 0.3 },
  { key: 'dv_ratio', most: 0.3 },
  { key: 'conv_prem', most: 5 },
  { key: 'turnover', most: 0.5, mostDays: true },
]
/** Bonds are issued for six years. */
const mostLeftYears = 12
/** A median of fewer securities says little. */
const fewest = 5

export function judgeUnits(table: Arranged): Finding[] {
  if (table.kind === 'index') return []
  const found = medians.flatMap(({ key, most, mostDays }) => {
    const days = daysAbove(table, key, most)
    return days === null || days.above.length === 0 || (mostDays && days.above.length * 2 <= days.counted)
      ? []
      : [doubtful(table, key, days.above.length, `一天的中位数高于 ${most}`, days.above.slice(0, 3))]
  })
  return [...found, ...unitSteps(table), ...longLives(table)]
}

/** Sums of trades, and what none of a whole market becomes in a day: units are wrong by a hundred at least. */
const sums = ['vol', 'amount'] as const
const mostStep = 30

/** Days on which most securities have a sum that is in another unit than the day before, where no price and amount tell it row by row. */
function unitSteps({ kind, dates, stride, securities, traded, columns }: Arranged): Finding[] {
  return sums.flatMap((key): Finding[] => {
    const cells = columns.get(key)?.cells
    if (!cells || kind === 'index') return []
    const steps: string[] = []
    for (let t = 1; t < dates.length; t++) {
      let [both, up, down] = [0, 0, 0]
      for (let at = t * stride, end = at + securities.length; at < end; at++) {
        if (traded[at] === 0 || traded[at - stride] === 0) continue
        const ratio = cells[at]! / cells[at - stride]!
        if (!(ratio > 0)) continue
        both++
        if (ratio > mostStep) up++
        else if (ratio * mostStep < 1) down++
      }
      if (both >= fewest && Math.max(up, down) * 2 > both) steps.push(`${dates[t]}：${up > down ? `${up} 只放大` : `${down} 只缩小`}`)
    }
    if (steps.length === 0) return []
    const label = markets[kind].fields.find((field) => field.key === key)?.label ?? key
    const text = `${label}的单位可能中途改变：多数证券一天之内放大或缩小 ${mostStep} 倍以上`
    return [{ check: 'unit', level: 'warning', count: steps.length, text, examples: steps.slice(0, 5) }]
  })
}

function doubtful({ kind }: Arranged, key: string, count: number, why: string, examples: readonly string[]): Finding {
  const label = kind === 'index' ? key : (markets[kind].fields.find((each) => each.key === key)?.label ?? key)
  return { check: 'unit', level: 'warning', count, text: `${label}的单位可能有误：${why}（应为小数，12.34% 即 0.1234）`, examples }
}

/** Days on which more than half of the cells lie above, and how many days have cells; null without the column. No sorting: millions of cells. */
function daysAbove(
  { dates, stride, columns, securities }: Arranged,
  key: string,
  most: number,
): { above: string[]; counted: number } | null {
  const cells = columns.get(key)?.cells
  if (!cells) return null
  const least = Math.min(fewest, securities.length)
  const above: string[] = []
  let counted = 0
  for (let t = 0; t < dates.length; t++) {
    let [given, large] = [0, 0]
    for (let at = t * stride, end = at + securities.length; at < end; at++) {
      const value = cells[at]!
      if (value !== value) continue
      given++
      if (value > most || value < -most) large++
    }
    if (given < least) continue
    counted++
    if (large * 2 > given) above.push(dates[t]!)
  }
  return { above, counted }
}

function longLives(table: Arranged): Finding[] {
  const cells = table.columns.get('left_years')?.cells
  if (!cells) return []
  const found = new Set<string>()
  for (let at = 0; at < cells.length; at++) if (cells[at]! > mostLeftYears) found.add(table.securities[at % table.stride]!.code)
  if (found.size === 0) return []
  const text = `剩余年限的单位可能有误：高于 ${mostLeftYears} 年（应为年）`
  return [{ check: 'unit', level: 'warning', count: found.size, text, examples: [...found].slice(0, 5) }]
}
