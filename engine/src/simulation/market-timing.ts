import { timingRules } from '@convexa/contract/enums/timing-rule'
import { type Expression, evaluate } from '../expression/index.ts'
import type { Panel } from '../panel/panel.ts'
import type { CompiledScreen } from '../screen/compiled-screen.ts'
import { isBelow } from '../screen/threshold.ts'
import { meanWhere } from './mean-where.ts'
import type { Rankings } from './rankings.ts'

/**
 * Target exposure by row of the rankings: 1, or the least that its timing rules ask for; null when the run has no rules.
 *
 * `threshold`: full while the mean of a factor over the day's pool is below the value. `ma_cross`: full while a market series is
 * at or above its mean of the last N days; the series is the run's benchmark, or the mean of a factor over all that traded.
 * A rule without enough history counts as not met: its reduced exposure applies, and a warning says so.
 */
export function exposureOf(
  panel: Panel,
  compiled: CompiledScreen,
  rankings: Rankings,
  benchmark: string,
  warnings: string[],
): Float64Array | null {
  if (compiled.timing.length === 0) return null
  const { days } = rankings
  const exposure = new Float64Array(days.length).fill(1)
  let threshold = 0
  for (const { row, factor } of compiled.timing) {
    const value = row.value as number
    const judged =
      timingRules[row.rule].value === 'level'
        ? below(rankings.means[threshold++], value)
        : aboveMean(factor ? meansOf(factor.expression, panel, days, value) : carried(panel.benchmarks.get(benchmark)), days, value)
    const unknown = judged.filter((each) => each === null).length
    if (unknown > 0) {
      const name = factor ? `「${factor.label}」均值` : `基准 ${benchmark}`
      const percent = Number((row.exposure * 100).toFixed(2))
      warnings.push(`择时规则（${name}）有 ${unknown} 个轮动日历史不足，无法判断，按规则仓位 ${percent}% 处理`)
    }
    for (let k = 0; k < days.length; k++) if (judged[k] !== true) exposure[k] = Math.min(exposure[k], row.exposure)
  }
  return exposure
}

// null = cannot be judged.
type Judged = (boolean | null)[]

function below(means: Float64Array, value: number): Judged {
  return Array.from(means, (mean) => (mean === mean ? isBelow(mean, value) : null))
}

function aboveMean(series: Float64Array, days: Int32Array, window: number): Judged {
  return Array.from(days, (day) => {
    if (day + 1 < window) return null
    let sum = 0
    for (let t = day - window + 1; t <= day; t++) sum += series[t]
    const mean = sum / window
    return mean === mean ? !isBelow(series[day], mean) : null
  })
}

/** Mean of a factor over all that traded, on the days that the windows of the wanted days read; NaN on others. */
function meansOf(expression: Expression, panel: Panel, days: Int32Array, window: number): Float64Array {
  const wanted: number[] = []
  for (const day of days) {
    for (let t = Math.max(day - window + 1, (wanted[wanted.length - 1] ?? -1) + 1); t <= day; t++) wanted.push(t)
  }
  const means = new Float64Array(panel.dates.length).fill(Number.NaN)
  const { stride, traded, securities } = panel
  for (let start = 0; start < wanted.length; start += chunk) {
    const rows = wanted.slice(start, start + chunk)
    const column = evaluate(expression, panel, rows)
    rows.forEach((t, k) => {
      means[t] = meanWhere(column, k * stride, traded, t * stride, securities.length)
    })
  }
  return means
}

const chunk = 250

/** A market series with its gaps closed by the value before. */
function carried(series: Float64Array | undefined): Float64Array {
  const values = Float64Array.from(series ?? [])
  for (let t = 1; t < values.length; t++) if (values[t] !== values[t]) values[t] = values[t - 1]
  return values
}
