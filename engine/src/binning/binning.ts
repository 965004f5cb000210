import type { Bin, BinningBody, BinningResult } from '@convexa/contract'
import { binMethods } from '@convexa/contract/enums/bin-method'
import { firstFrom, lastUpTo, noDay } from '../base/calendar.ts'
import { rangeRefusal, refusal } from '../base/problem.ts'
import { orNull } from '../base/round.ts'
import type { Problem } from '../expression/index.ts'
import { pairOf, spearman } from '../kernels/correlation.ts'
import { rankScratch } from '../kernels/index.ts'
import { exitDatesFor } from '../market/exit-dates.ts'
import type { Market } from '../market/market.ts'
import type { Panel } from '../panel/panel.ts'
import { availableIn } from '../panel-views/available.ts'
import { drawdownsOf } from '../report/drawdowns.ts'
import { leastDays, metricsOf, ratios, relativeRatios, returnsOf } from '../report/metrics.ts'
import { mean, quantile } from '../report/moments.ts'
import { monthWins } from '../report/periods.ts'
import { compileScreen, expressionsOf, factorsOf, panelFor } from '../screen/compiled-screen.ts'
import { conditionRules } from '../screen/conditions.ts'
import { returnPrice } from '../screen/history.ts'
import { exclusionFields } from '../screen/list-columns.ts'
import { mostCut } from '../screen/order.ts'
import { priceLevels } from '../screen/price-levels.ts'
import { priceNotes } from '../screen/price-notes.ts'
import { daysAtOnce, Scorer } from '../screen/score.ts'
import { lackingTexts, universeRules } from '../screen/universe.ts'
import { BinMeans, binMeanFactors } from './bin-means.ts'
import { byQuantile } from './bins.ts'
import { BinCurves } from './curves.ts'
import { cutOf, labelsOf, mostCategories } from './cut.ts'
import { cutShareOf, cutText } from './cut-share.ts'
import { distributionOf, sampleOf } from './distribution.ts'
import { carriedPrices, forwardReturns } from './forward.ts'
import { Horizons } from './horizons.ts'
import { halfLifeOf, informationOf, monthlyMeans } from './information.ts'
import { PhaseCurves } from './phases.ts'
import { binningScreen } from './pool.ts'
import { cutByTexts, placesOfTexts, textNamed, verdictOfTexts } from './texts.ts'
import { TwoWay } from './two-way.ts'
import { verdictOf } from './verdict.ts'

export type BinningOutcome = { ok: true; result: BinningResult } | { ok: false; problem: Problem }

/** Horizons at which the IC is looked at besides those asked for. */
const decayDays = [1, 2, 3, 5, 10, 20, 60]
/** Formations ago at which the IC of old values is looked at. */
const lags = 6
/** Members of a bin below which its numbers say little, and nothing. */
const [fewMembers, leastMembers] = [20, 5]

/**
 * 分箱分析 (domain.md 6.2): cuts the pool into bins by the factor on every day, and reports forward returns by bin, their correlation with the
 * factor (IC) and the bins' curves. Reads nothing after the end of the range. Yields now and then, so that it can be cancelled.
 */
export function* binning(panel: Panel, market: Market, body: BinningBody): Generator<void, BinningOutcome> {
  const parameters = binningScreen(body)
  const available = availableIn(panel, market.fields)
  const made = compileScreen(market, available, parameters, 'backtest')
  if (!made.ok) return made
  const { compiled } = made
  const refuse = (text: string): BinningOutcome => ({ ok: false, problem: refusal('backtest', text) })
  const { dates, stride } = panel
  const { start_date, end_date, benchmark: code } = body.settings
  const first = firstFrom(dates, start_date)
  const last = lastUpTo(dates, end_date)
  if (first > last || start_date < dates[0] || end_date > dates[dates.length - 1]) {
    return { ok: false, problem: rangeRefusal(dates[0], dates[dates.length - 1]) }
  }
  const [horizon] = body.forward_days
  const wrong = lackingTexts(panel.securities, parameters)
  if (wrong) return refuse(wrong)
  const begin = first + (body.offset ?? 0)
  const days = last - first + 1
  if (begin + body.rebalance_days > last || first + horizon > last) return refuse('区间太短，放不下一次前瞻与一次调仓')
  const benchmark = panel.benchmarks.get(code)?.subarray(begin, last + 1)
  if (!benchmark || benchmark.some((value) => value !== value)) return refuse(`基准 ${code} 在区间内没有完整的数据`)

  const meanFactors = binMeanFactors(market, available)
  const read = [...expressionsOf(compiled), ...meanFactors.map(({ expression }) => expression)]
  const full = panelFor(panel, read, exclusionFields(market, parameters))
  // A screen excludes securities that are about to leave; the whole market includes them.
  const leave = body.pool_mode === 'filtered' ? exitDatesFor(panel, market) : allStay(panel)
  const universe = universeRules(full, market, parameters, leave)
  const scorer = new Scorer(full, compiled, [...universe.rules, ...conditionRules(compiled, panel.securities.length)], false)
  const prices = carriedPrices(panel, returnPrice(market))
  const count = panel.securities.length
  const scratch = rankScratch(count)
  const pair = pairOf(count)
  const [{ factor }] = compiled.ranks
  const attribute = textNamed(body.factor)
  const label = attribute?.label ?? factor.label
  const texts = attribute && placesOfTexts(panel, attribute)
  if (texts?.texts.length === 0) return refuse(`当前数据没有「${label}」`)
  if (attribute && binMethods[body.method].equal !== 'value') return refuse(`「${label}」是文字，请按类别分箱`)
  // Number of the rule on the factor's missing value. Securities that fail only this one count in the denominator of coverage.
  const lacks = scorer.rules.length - compiled.ranks.length + 1
  const second = body.second ? { ...body.second, factor: compiled.ranks[compiled.ranks.length - 1].factor } : null

  // One look over the days decides on edges or categories; the values are kept for the second.
  const x = new Float64Array(days * count)
  const poolSize = new Float64Array(days)
  const listedSize = new Float64Array(days)
  const sizes = compiled.weight ? new Float64Array(days * count) : null
  const across = second
    ? { bins: new Int8Array(days * count), binner: byQuantile(second.bins, scratch), row: new Float64Array(count), cut: [] as number[] }
    : null
  const lookedAt = Int32Array.from({ length: days }, (_, k) => first + k)
  const chunk = daysAtOnce(panel, lookedAt, [...factorsOf(compiled).values()])
  for (let from = 0; from < days; from += chunk) {
    const rows = lookedAt.subarray(from, from + chunk)
    scorer.load(rows)
    for (let k = 0; k < rows.length; k++) {
      scorer.score(k)
      const { column, offset } = scorer.values(factor, k)
      const weights = compiled.weight ? scorer.values(compiled.weight, k) : null
      const places = texts?.on(rows[k])
      const other = second && scorer.values(second.factor, k)
      const [at, row] = [(from + k) * count, rows[k] * stride]
      let [pool, eligible] = [0, 0]
      for (let i = 0; i < count; i++) {
        const failed = scorer.fail[i]
        const traded = panel.traded[row + i] === 1
        if (traded && (failed === 0 || failed === lacks)) eligible++
        const inPool = traded && failed === 0
        x[at + i] = inPool ? (places ? places[i] : column[offset + i]) : Number.NaN
        if (x[at + i] === x[at + i]) pool++
        if (across && other) across.row[i] = inPool ? other.column[other.offset + i] : Number.NaN
        if (sizes && weights) sizes[at + i] = weights.column[weights.offset + i]
      }
      if (across && second) {
        const cells = across.bins.subarray(at, at + count)
        across.binner(across.row, cells)
        across.cut.push(cutShareOf(across.row, cells, second.bins))
      }
      poolSize[from + k] = pool
      listedSize[from + k] = eligible
    }
    yield
  }
  scorer.end()
  const values = (day: number) => x.subarray(day * count, (day + 1) * count)
  const sample = sampleOf(x, days, count)
  if (sample.length === 0) return refuse(`因子「${label}」在区间内没有数据`)
  const cut = texts ? cutByTexts(x, texts.texts, mostCategories) : cutOf(body, label, x, sample, factor.values, scratch)
  if ('wrong' in cut) return refuse(cut.wrong)
  if (cut.bins < 2) return refuse(`「${label}」只有一种取值，无法分箱`)
  const { bins, binner, labels } = cut

  const horizons = [...new Set([...body.forward_days, ...decayDays])].filter((ahead) => ahead < days).sort((a, b) => a - b)
  const ic = new Map(horizons.map((ahead) => [ahead, { pearson: [] as number[], rank: [] as number[] }]))
  const tally = { counts: new Float64Array(bins), sums: new Float64Array(bins), low: filled(bins, 1), high: filled(bins, -1), days: 0 }
  const means = new BinMeans(full, meanFactors, bins, last + 1)
  const returns: number[][] = Array.from({ length: bins }, () => [])
  const curves = new BinCurves(bins, last - begin + 1, count)
  const phases = body.rebalance_days > 1 ? new PhaseCurves(bins, last - begin + 1, count, body.rebalance_days) : null
  const twoWay = second && new TwoWay(bins, second.bins)
  const old: Float64Array[] = []
  const lagged = Array.from({ length: lags + 1 }, () => [] as number[])
  const own: number[] = []
  const mask = new Uint8Array(count)
  const forward = new Float64Array(count)
  const binOf = new Int8Array(count)
  const cutShares: number[] = []
  // Places of texts are in no order: nothing goes up or down with them.
  const coefficients = attribute ? null : new Horizons(prices, stride, count, horizons.at(-1) ?? 0, pair)
  for (let day = 0; day < days; day++) {
    const t = first + day
    const today = values(day)
    binner(today, binOf)
    for (let i = 0; i < count; i++) mask[i] = Number(today[i] === today[i])
    addMembers(tally, today, binOf)
    if (!attribute) cutShares.push(cutShareOf(today, binOf, bins))
    means.add(t, binOf)
    const measurable = horizons.filter((ahead) => day + ahead < days)
    coefficients?.open(t, today)
    const correlations = coefficients?.at(measurable)
    measurable.forEach((ahead, k) => {
      const of = ic.get(ahead)
      of?.pearson.push(correlations?.[k].pearson ?? Number.NaN)
      of?.rank.push(correlations?.[k].rank ?? Number.NaN)
    })
    if (day + horizon < days) {
      forwardReturns(prices, stride, t, horizon, mask, forward)
      if (across) twoWay?.add(binOf, across.bins.subarray(day * count, (day + 1) * count), forward)
      addReturns(returns, binOf, forward, sizes?.subarray(day * count, (day + 1) * count) ?? null)
    }
    if (t >= begin) {
      const weights = sizes?.subarray(day * count, (day + 1) * count)
      const weightOf = weights ? (i: number) => weights[i] : () => 1
      curves.mark(t - begin, prices, t * stride)
      phases?.day(t - begin, binOf, prices, t * stride, weightOf)
      if ((t - begin) % body.rebalance_days === 0) {
        curves.form(t - begin, binOf, prices, t * stride, weightOf)
        if (!attribute) {
          if (old.length > 0) own.push(spearman(today, old[0], pair))
          old.unshift(today)
          if (day + horizon < days) {
            forwardReturns(prices, stride, t, horizon, mask, forward)
            for (let lag = 0; lag < old.length; lag++) lagged[lag].push(spearman(old[lag], forward, pair))
          }
          old.length = Math.min(old.length, lags)
        }
      }
    }
    if (day % 16 === 15) yield
  }

  const average = tally.counts.reduce((sum, members) => sum + members, 0) / bins / days
  if (binMethods[body.method].equal === 'count' && average < leastMembers) {
    return refuse(`每箱平均只有 ${average.toFixed(1)} 只，无法分箱：请减少箱数或放宽条件`)
  }
  const curveDates = dates.slice(begin, last + 1)
  const bench = Float64Array.from(benchmark, (value) => value / benchmark[0])
  const main = ic.get(horizon) as { pearson: number[]; rank: number[] }
  const icDates = dates.slice(first, first + main.rank.length)
  const rankIc = informationOf(icDates, main.rank, horizon)
  // The day of the first formation earns nothing yet.
  const earning = curveDates.slice(1)
  const hasMembers = (bin: number) => tally.counts[bin] > 0
  const rows = Array.from({ length: bins }, (_, bin): Bin => {
    const nav = curves.nav[bin]
    const isThere = hasMembers(bin)
    // On days without members there is no return, which is not one of 0.
    const earns = (_: unknown, day: number) => curves.absent[bin][day + 1] === 0
    const series = returnsOf(nav).subarray(1).filter(earns)
    const yearly = (value: number) => (!isThere || series.length < leastDays ? null : orNull(value))
    const figures = ratios(series)
    const known = returns[bin].filter((value) => value === value)
    return {
      bin: bin + 1,
      label: labels[bin],
      range: [tally.counts[bin] > 0 ? tally.low[bin] : null, tally.counts[bin] > 0 ? tally.high[bin] : null],
      avg_count: tally.counts[bin] / days,
      mean_factor: orNull(tally.sums[bin] / tally.counts[bin]),
      means: means.of(bin),
      mean_forward: orNull(mean(known)),
      median_forward: orNull(quantile(known, 0.5)),
      win_rate: known.length > 0 ? known.filter((value) => value > 0).length / known.length : null,
      annual_return: yearly(figures.annual),
      excess_annual: yearly(relativeRatios(series, returnsOf(bench).subarray(1).filter(earns)).annual),
      volatility: yearly(figures.volatility),
      sharpe: yearly(figures.sharpe),
      max_drawdown: isThere ? (drawdownsOf(nav).worst?.depth ?? 0) : null,
      turnover: isThere ? orNull(curves.turnover(bin)) : null,
    }
  })
  const direction = (rankIc.mean ?? 0) < 0 ? 'small' : 'large'
  // A bin that never had members is no end of anything.
  const filledBins = rows.flatMap((_, bin) => (hasMembers(bin) ? [bin] : []))
  const [lowest, highest] = [filledBins[0], filledBins[filledBins.length - 1]]
  const [long, short] = direction === 'large' ? [highest, lowest] : [lowest, highest]
  const longShort =
    attribute || long === short ? null : spreadOf(curves.nav[long], curves.nav[short], curves.absent[long], curves.absent[short])
  const bothEarn = (_: unknown, day: number) => curves.absent[long][day + 1] === 0 && curves.absent[short][day + 1] === 0
  const spread = longShort?.subarray(1).filter(bothEarn) ?? null
  const earned = spread && spread.length > 0 ? spread : null
  const earnedOn = earning.filter(bothEarn)
  const cutShare = averageOf(cutShares) ?? 0
  const returned = rows.map(({ mean_forward: value }) => value ?? Number.NaN)
  const numbers = Float64Array.from(rows, ({ bin }) => bin)
  const monotonicity = attribute || cutShare > mostCut ? null : orNull(spearman(numbers, Float64Array.from(returned), pairOf(bins)))
  const summary = { rows: filledBins.map((bin) => rows[bin]), rankIc, monotonicity, direction, factor: label, horizon, cutShare } as const
  return {
    ok: true,
    result: {
      bins: rows,
      curves: {
        dates: curveDates,
        series: curves.nav.map((nav, bin) => (hasMembers(bin) ? [...nav] : [])),
        benchmark: [...bench],
        long_short: [...(longShort ?? [])],
      },
      band: phases?.band(hasMembers) ?? null,
      long_short:
        earned &&
        metricsOf({
          dates: earnedOn,
          nav: earned,
          bench: null,
          monthWinRate: monthWins(earnedOn, earned, 0, earned.length - 1),
          run: null,
        }),
      direction,
      ic: informationOf(icDates, main.pearson, horizon),
      rank_ic: rankIc,
      ic_monthly: monthlyMeans(icDates, main.rank),
      decay: horizons.map((ahead) => ({ days: ahead, ic: averageOf(ic.get(ahead)?.pearson), rank_ic: averageOf(ic.get(ahead)?.rank) })),
      cut_share: cutShare,
      monotonicity,
      inversions: attribute ? 0 : inversionsOf(filledBins.map((bin) => returned[bin])),
      coverage: {
        dates: dates.slice(first, last + 1),
        values: Array.from(poolSize, (size, day) => (listedSize[day] > 0 ? size / listedSize[day] : null)),
      },
      distribution: attribute ? { edges: [], counts: [], skew: null, kurtosis: null } : distributionOf(sample),
      autocorrelation: averageOf(own),
      half_life: halfLifeOf(lagged.map((of, lag) => ({ days: lag * body.rebalance_days, strength: averageOf(of) ?? Number.NaN }))),
      transition: curves.transition().map((row) => row.map(orNull)),
      two_way: second && twoWay && { factor: second.factor.label, columns: labelsOf(second.bins), cells: twoWay.cells() },
      verdict: attribute ? verdictOfTexts(rows, label, horizon) : verdictOf(summary),
      warnings: [
        ...universe.warnings,
        ...[cutText(label, cutShare), second && across ? cutText(second.factor.label, averageOf(across.cut) ?? 0) : null].flatMap(
          (text) => text ?? [],
        ),
        ...priceNotes(compiled, priceLevels(panel, market)),
        ...(average < fewMembers ? [`每箱平均只有 ${Math.round(average)} 只，结论不可靠`] : []),
        ...(market.redeemed ? ['转债不能卖空，多空曲线只用于诊断'] : []),
      ],
      data_mode: panel.dataMode,
      data_version: panel.dataVersion,
    },
  }
}

const allStay = (panel: Panel): Int32Array => new Int32Array(panel.securities.length).fill(noDay)

const filled = (bins: number, sign: 1 | -1): Float64Array => new Float64Array(bins).fill(sign * Number.POSITIVE_INFINITY)

const averageOf = (values: readonly number[] = []): number | null => orNull(mean(values.filter((value) => value === value)))

function addMembers(
  tally: { counts: Float64Array; sums: Float64Array; low: Float64Array; high: Float64Array },
  x: Float64Array,
  binOf: Int8Array,
): void {
  for (let i = 0; i < x.length; i++) {
    const bin = binOf[i]
    if (bin < 0) continue
    tally.counts[bin]++
    tally.sums[bin] += x[i]
    if (x[i] < tally.low[bin]) tally.low[bin] = x[i]
    if (x[i] > tally.high[bin]) tally.high[bin] = x[i]
  }
}

/** The day's mean return of each bin, NaN of an empty one. */
function addReturns(returns: number[][], binOf: Int8Array, forward: Float64Array, weights: Float64Array | null): void {
  const [sums, totals] = [new Float64Array(returns.length), new Float64Array(returns.length)]
  for (let i = 0; i < forward.length; i++) {
    const bin = binOf[i]
    const weight = weights ? weights[i] : 1
    if (bin < 0 || forward[i] !== forward[i] || !(weight > 0)) continue
    sums[bin] += weight * forward[i]
    totals[bin] += weight
  }
  for (let bin = 0; bin < returns.length; bin++) returns[bin].push(sums[bin] / totals[bin])
}

/** Net value of one curve's daily returns less another's; it stands still on days of which one of them has none. */
function spreadOf(long: Float64Array, short: Float64Array, noLong: Uint8Array, noShort: Uint8Array): Float64Array {
  const nav = new Float64Array(long.length).fill(1)
  for (let day = 1; day < nav.length; day++) {
    const hasBoth = noLong[day] === 0 && noShort[day] === 0
    nav[day] = nav[day - 1] * (hasBoth ? 1 + long[day] / long[day - 1] - short[day] / short[day - 1] : 1)
  }
  return nav
}

/** Neighbours that stand against the order of the ends. */
function inversionsOf(means: readonly number[]): number {
  const rising = means[means.length - 1] >= means[0] ? 1 : -1
  let against = 0
  for (let bin = 1; bin < means.length; bin++) if ((means[bin] - means[bin - 1]) * rising < 0) against++
  return against
}
