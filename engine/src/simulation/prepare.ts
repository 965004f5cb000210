import type { Parameters, Settings } from '@convexa/contract'
import { adjustments } from '@convexa/contract/enums/adjust'
import { callHandlings } from '@convexa/contract/enums/call-handling'
import { executions } from '@convexa/contract/enums/execution'
import { fills as fillModes } from '@convexa/contract/enums/fill'
import { labelOf } from '@convexa/contract/enums/table'
import { firstFrom, lastUpTo } from '../base/calendar.ts'
import { rangeRefusal, refusal } from '../base/problem.ts'
import { isRate } from '../bond/rating-yields.ts'
import { statedTerms } from '../bond/redemption.ts'
import type { Problem } from '../expression/index.ts'
import { BufferPool } from '../kernels/index.ts'
import { exitsOf } from '../market/exit-dates.ts'
import type { Market } from '../market/market.ts'
import { basisWarning, settingsOn } from '../market/price-basis.ts'
import type { Panel } from '../panel/panel.ts'
import { availableIn } from '../panel-views/available.ts'
import {
  type CompiledScreen,
  type CompiledScreenResult,
  compileScreen,
  compileScreenWith,
  expressionsOf,
  factorsOf,
  panelFor,
} from '../screen/compiled-screen.ts'
import { conditionRules } from '../screen/conditions.ts'
import { placesOf } from '../screen/hold-range.ts'
import { exclusionFields } from '../screen/list-columns.ts'
import { priceLevels } from '../screen/price-levels.ts'
import { priceNotes } from '../screen/price-notes.ts'
import type { ResolvedFactor } from '../screen/resolved-factor.ts'
import { lackingTexts, universeRules } from '../screen/universe.ts'
import { type FillPrice, fillPriceOf, idealExecution, realisticExecution } from './execution-model.ts'
import { type MarkPrices, markPricesOf } from './mark-prices.ts'
import { exposureOf } from './market-timing.ts'
import { type RankingOptions, type Rankings, rankDays } from './rankings.ts'
import type { BacktestRequest } from './request.ts'
import { isAveragedRaw, labelOfField, missingAdjustment, missingFill, missingStop } from './required-fields.ts'
import { rescored } from './rescore.ts'
import { rebalanceDays, wrongSchedule, wrongSize } from './schedule.ts'
import type { Simulation } from './simulation.ts'
import { stopFields } from './stops.ts'

export type Prepared =
  | {
      ok: true
      simulation: Simulation
      benchmark: Float64Array
      warnings: string[]
      /** Buffers of the rankings, to be released when they are not read any more. */
      buffers: BufferPool
    }
  | { ok: false; problem: Problem }

/** How many of the best the day details list as reserves beyond the holding. */
export const reserveCount = 10

/** What another thread has made of the same request, in shared memory: it need not be made again. */
export interface Known extends Pick<Simulation, 'exposure' | 'marks'> {
  readonly rankings: Omit<Rankings, 'present' | 'flat'>
}

/** How a run is prepared for others beside it: with the factor values that other weights need (`normalized`), in buffers that are released with others' or never (`buffers`). */
export interface Preparing extends Partial<RankingOptions> {
  readonly known?: Known | undefined
}

/**
 * Checks a request against the data and ranks its signal days. Yields while ranking, so that a run can be cancelled.
 * What the data lack on part of the range is refused by name and dates, never substituted in silence (api.md 0.1).
 */
export function* prepare(
  panel: Panel,
  market: Market,
  request: BacktestRequest,
  { known, normalized = false, buffers = new BufferPool() }: Preparing = {},
): Generator<void, Prepared> {
  const { parameters } = request
  const settings = settingsOn(panel, market, request.settings)
  const refuse = (text: string): Prepared => ({ ok: false, problem: refusal('backtest', text) })
  const available = availableIn(panel, market.fields)
  const made = compileScreen(market, available, parameters, 'backtest')
  if (!made.ok) return made
  const { compiled } = made
  const wrong = wrongSchedule(parameters.rebalance_method) ?? lackingTexts(panel.securities, parameters)
  if (wrong) return refuse(wrong)

  const { dates } = panel
  const first = firstFrom(dates, settings.start_date)
  const last = lastUpTo(dates, settings.end_date)
  if (first > last || settings.start_date < dates[0] || settings.end_date > dates[dates.length - 1]) {
    return { ok: false, problem: rangeRefusal(dates[0], dates[dates.length - 1]) }
  }
  if (settings.oos_start && (settings.oos_start <= dates[first] || settings.oos_start > dates[last]))
    return refuse('样本外起点需在回测区间之内')
  const { adjustment } = market.roles
  if (!adjustments[settings.adjust].adjusted && adjustment && !panel.columns.has(adjustment))
    return refuse(missingAdjustment(market, adjustment))
  const price =
    lackingPrice(panel, market, fillModes[settings.fill].fields, first, last, missingFill, '无法按所选成交价撮合整个区间') ??
    lackingPrice(panel, market, stopFields(parameters.stop_method), first, last, missingStop, '无法在整个区间判断盘中止盈止损')
  if (price) return refuse(price)
  if (isAveragedRaw(market, settings) && isBeyondDay(panel, fillPriceOf(panel, markPricesOf(panel), market, 'next_vwap'), first, last))
    return refuse(
      '成交均价（成交额 ÷ 成交量）不在复权后的最高价与最低价之间，两者口径不同，无法按次日均价撮合，请改用次日开盘价或次日收盘价',
    )
  const unpayable = market.redeemed && callHandlings[settings.call_handling].redeemed ? lackingText(panel) : null
  if (unpayable) return refuse(unpayable)
  const warnings: string[] = settings === request.settings ? [] : [basisWarning(request.settings)]
  const benchmark = benchmarkOf(panel, settings.benchmark, first, last, warnings)
  if (typeof benchmark === 'string') return refuse(benchmark)

  const days = rebalanceDays(dates, first, last, parameters.rebalance_method)
  const places = placesOf(compiled.holdRange, panel.securities.length)
  const size = wrongSize(Math.min(panel.securities.length, places.last) - places.first + 1, days.length)
  if (size) return refuse(size)

  const full = panelFor(panel, expressionsOf(compiled), exclusionFields(market, parameters))
  const ideal = executions[settings.execution].frictionless
  const exits = exitsOf(panel, market, settings.call_handling, !ideal)
  const universe = universeRules(full, market, parameters, exits.leave)
  warnings.push(...universe.warnings, ...priceNotes(compiled, priceLevels(full, market, settings.adjust)))
  const rules = [...universe.rules, ...conditionRules(compiled, panel.securities.length)]
  const rankings = known
    ? { ...known.rankings, present: [], flat: { looked: 0, of: [] } }
    : yield* rankDays(full, compiled, rules, days, depthOf(compiled, panel.securities.length), { normalized, buffers })
  const lacking = lackingFactor(panel, rankings, warnings)
  if (lacking) {
    buffers.release()
    return refuse(lacking)
  }

  warnings.push(...flatWarnings(rankings))
  const exposure = known ? known.exposure : exposureOf(full, compiled, rankings, settings.benchmark, warnings)
  const marks = known?.marks ?? markPricesOf(panel)
  const simulation: Simulation = {
    panel: full,
    market,
    parameters,
    settings,
    compiled,
    rankings,
    exposure,
    exits,
    marks,
    ...executionsOf(panel, marks, market, settings),
    first,
    last,
    issuer: parameters.universe.max_per_issuer === undefined ? new Int32Array(0) : issuersOf(panel),
  }
  return { ok: true, simulation, benchmark, warnings, buffers }
}

/** The same run under other costs or with other capital; its rankings are reused. */
export function underSettings(run: Simulation, settings: Settings): Simulation {
  const own = settingsOn(run.panel, run.market, settings)
  return { ...run, settings: own, ...executionsOf(run.panel, run.marks, run.market, own) }
}

/** The same run on closes that are laid out for many on the same days (`markPricesBySecurity`). */
export function forMany(run: Simulation, marks: MarkPrices): Simulation {
  return underSettings({ ...run, marks }, run.settings)
}

/** The same run ranked by other weights of its factors, in pooled buffers; null when the normalized factors were not kept. */
export function weightedOtherwise(run: Simulation, { parameters }: BacktestRequest, buffers: BufferPool): Simulation | null {
  const { normalized, direct } = run.rankings
  const made = recipeAgain(run, parameters)
  if (!made.ok || (normalized === null && !direct)) return null
  // One factor alone ranks alike whatever it weighs.
  const rankings = normalized === null || direct ? run.rankings : rescored(run.rankings, normalized, made.compiled, buffers)
  return { ...run, parameters, compiled: made.compiled, rankings }
}

/** Compiles the parameters again with the factors of the run: only weights may differ. */
function recipeAgain({ compiled, market }: Simulation, parameters: Parameters): CompiledScreenResult {
  const known = factorsOf(compiled)
  const found = (ref: string) => ({ ok: true, factor: known.get(ref) as ResolvedFactor }) as const
  return compileScreenWith(market, parameters, 'backtest', found, found)
}

/**
 * The same ranking held otherwise: more or fewer places, another buffer, other costs. The request differs from the run's in nothing that
 * ranks (`grid/axes.ts` says what does).
 */
export function heldOtherwise(
  run: Simulation,
  { parameters, settings }: BacktestRequest,
): { ok: true; simulation: Simulation } | { ok: false; problem: Problem } {
  const made = recipeAgain(run, parameters)
  if (!made.ok) return made
  const places = placesOf(made.compiled.holdRange, run.panel.securities.length)
  const size = wrongSize(Math.min(run.panel.securities.length, places.last) - places.first + 1, run.rankings.days.length)
  if (size) return { ok: false, problem: refusal('backtest', size) }
  const issuer = parameters.universe.max_per_issuer === undefined ? new Int32Array(0) : issuersOf(run.panel)
  return { ok: true, simulation: { ...underSettings(run, settings), parameters, compiled: made.compiled, issuer } }
}

function executionsOf(
  panel: Panel,
  marks: MarkPrices,
  market: Market,
  settings: Settings,
): Pick<Simulation, 'execution' | 'closeExecution'> {
  const at = (fill: Settings['fill']) => {
    const price = fillPriceOf(panel, marks, market, fill)
    return executions[settings.execution].frictionless
      ? idealExecution(marks, price, settings.cost)
      : realisticExecution(panel, marks, market, price, settings)
  }
  const execution = at(settings.fill)
  return { execution, closeExecution: fillModes[settings.fill].delay === 0 ? execution : at('close') }
}

/** Places that a selection and its reserves read of a day's order; further ones are made when asked for. */
function depthOf(compiled: CompiledScreen, count: number): number {
  const { holdRange, parameters } = compiled
  if (holdRange.fraction) return count
  return holdRange.last + parameters.hold_method.hold_threshold + reserveCount
}

function issuersOf(panel: Panel): Int32Array {
  const numbers = new Map<string, number>()
  return Int32Array.from(panel.securities, ({ issuer }) => {
    const known = numbers.get(issuer)
    if (known !== undefined) return known
    numbers.set(issuer, numbers.size)
    return numbers.size - 1
  })
}

/** Sentence on what the data lack to compute redemption payments; null: nothing. */
function lackingText(panel: Panel): string | null {
  const { valueDates, coupons } = statedTerms(panel)
  const lacking = [...(valueDates ? [] : ['起息日']), ...(coupons ? [] : ['票面利率'])]
  if (lacking.length === 0) return null
  return `当前数据没有转债的${lacking.join('和')}，无法推算赎回金额，不能使用「${labelOf(callHandlings, 'hold_to_redemption')}」，请改用「${labelOf(callHandlings, 't_minus_1_close')}」或「${labelOf(callHandlings, 'last_day_close')}」`
}

/** The first of the fields that the data lack on part of the range, as the user reads it. */
function lackingPrice(
  panel: Panel,
  market: Market,
  keys: readonly string[],
  first: number,
  last: number,
  missing: (market: Market, key: string) => string,
  consequence: string,
): string | null {
  for (const key of keys) {
    const column = panel.columns.get(key)
    const has = column ? daysWith(panel, column, first, last) : null
    if (has === null) return missing(market, key)
    if (has.hole < 0) continue
    if (has.first === first && has.last === last)
      return `「${labelOfField(market, key)}」在 ${panel.dates[has.hole]} 没有数据，${consequence}`
    return `「${labelOfField(market, key)}」只有 ${panel.dates[has.first]} 至 ${panel.dates[has.last]} 的数据，${consequence}`
  }
  return null
}

/** More than this share of the days of securities lie beyond their day: not a wrong number here and there. */
const mostBeyond = 0.02

/** Whether prices of fills are of another kind than the highest and lowest of their days. */
function isBeyondDay({ columns, stride, securities }: Panel, price: FillPrice, first: number, last: number): boolean {
  const [high, low] = [columns.get('high'), columns.get('low')]
  if (!high || !low) return false
  let [known, beyond] = [0, 0]
  for (let t = first; t <= last; t++) {
    for (let i = 0; i < securities.length; i++) {
      const [at, value] = [t * stride + i, price(i, t)]
      if (!(value > 0 && low[at] > 0 && high[at] >= low[at])) continue
      known++
      // Amounts and volumes are rounded.
      if (value > high[at] * 1.005 || value < low[at] * 0.995) beyond++
    }
  }
  return beyond > mostBeyond * known
}

/** First and last day of the range on which a traded security has a value, and the last day without one (−1: none); null when there is none. */
function daysWith(panel: Panel, column: Float64Array, first: number, last: number): { first: number; last: number; hole: number } | null {
  let from = -1
  let to = -1
  let hole = -1
  for (let t = first; t <= last; t++) {
    const row = t * panel.stride
    let trades = false
    let has = false
    for (let i = 0; i < panel.securities.length && !has; i++) {
      if (panel.traded[row + i] === 0) continue
      trades = true
      has = column[row + i] === column[row + i]
    }
    if (has) {
      if (from < 0) from = t
      to = t
    } else if (trades) hole = t
  }
  return from < 0 ? null : { first: from, last: to, hole }
}

/** The benchmark's values over the range; gaps inside it are closed by the value before, and told. */
export function benchmarkOf(panel: Panel, code: string, first: number, last: number, warnings: string[]): Float64Array | string {
  if (isRate(code)) return `${code} 是利率，不能作基准`
  const series = panel.benchmarks.get(code)
  if (!series) return `当前数据没有基准 ${code}`
  let from = -1
  let to = -1
  for (let t = 0; t < series.length; t++) {
    if (series[t] !== series[t]) continue
    if (from < 0) from = t
    to = t
  }
  if (from < 0) return `当前数据没有基准 ${code}`
  if (from > first || to < last) return `基准 ${code} 只有 ${panel.dates[from]} 至 ${panel.dates[to]} 的数据`
  const values = new Float64Array(last - first + 1)
  // A run that begins in a gap measures it from the first day of its own that is known.
  let start = first
  while (start <= last && series[start] !== series[start]) start++
  if (start > last) return `基准 ${code} 在区间内没有数据`
  let value = series[start]
  let gaps = 0
  for (let t = first; t <= last; t++) {
    if (series[t] === series[t]) value = series[t]
    else if (t > start) gaps++
    values[t - first] = value
  }
  if (start > first) warnings.push(`基准 ${code} 在 ${panel.dates[start]} 之前没有数据，自该日起计算，之前的收益与超额不作比较`)
  if (gaps > 0)
    warnings.push(`基准 ${code} 有 ${gaps} 个交易日没有数据，净值图按前一日点位，Beta、相关系数、跟踪误差等成对统计不计这些日子`)
  return values
}

/** The warnings of rank factors that do not tell the pool apart. */
function flatWarnings({ flat: { looked, of } }: Rankings): string[] {
  return of.flatMap(({ factor, days }) => {
    const where = days === looked ? `抽查的 ${looked} 个轮动日都` : `抽查的 ${looked} 个轮动日中有 ${days} 个`
    return days > 0 ? [`打分因子「${factor.label}」在${where}对打分池过半的证券取值相同，对它们没有区分度`] : []
  })
}

/** Refuses a factor without any value at the beginning (after its warm-up) or the end of the range; gaps in between become warnings. */
function lackingFactor(panel: Panel, rankings: Rankings, warnings: string[]): string | null {
  const { days } = rankings
  if (days.length === 0) return null
  const seen = new Set<string>()
  for (const { factor, days: present } of rankings.present) {
    if (seen.has(factor.expression.text)) continue
    seen.add(factor.expression.text)
    const from = present.indexOf(1)
    if (from < 0) return `因子「${factor.label}」在回测区间内没有数据`
    const to = present.lastIndexOf(1)
    const warmUp = factor.expression.needs.lookback
    let first = 0
    while (first < from && days[first] < warmUp) first++
    if (from > first || to < days.length - 1) {
      return `因子「${factor.label}」只有 ${panel.dates[days[from]]} 至 ${panel.dates[days[to]]} 的数据，请调整回测区间`
    }
    if (first > 0) warnings.push(`因子「${factor.label}」需要 ${warmUp} 个交易日的历史，${panel.dates[days[from]]} 之前没有数据`)
    let holes = 0
    for (let k = from; k <= to; k++) if (present[k] === 0) holes++
    if (holes > 0) warnings.push(`因子「${factor.label}」有 ${holes} 个轮动日没有数据`)
  }
  return null
}
