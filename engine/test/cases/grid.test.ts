import { type GridAxis, type GridBody, GridResult, type Parameters, QuickBacktestResult } from '@convexa/contract'
import { describe, expect, it } from 'vitest'
import { cellAt, cellIndexesOf, changed, cornersOf } from '../../src/grid/axes.ts'
import { Field, spanText } from '../../src/grid/neighbours.ts'
import { finished, free, refused, taken } from '../../src/grid/shared-grid.ts'
import { askedToLeave, atWork, grid, helpGrid, markets, nobody, quickBacktest, type SharedGridWork } from '../../src/index.ts'
import { luckThreshold } from '../../src/report/robustness/luck.ts'
import { parameters, rankBy, settings } from '../fixtures/parameters.ts'
import { randomMarket } from '../fixtures/random-market.ts'
import { reportOf } from '../fixtures/run.ts'

const panel = randomMarket('cb', { seed: 41, days: 560, securities: 40, from: '2021-01-04' })
const request = {
  parameters: parameters({
    exclude: { ratings_below: 'BBB' },
    rank_factors: [rankBy('dblow'), rankBy('remain_size')],
    hold_method: { hold_range_end: 5 },
    rebalance_method: { rebalance_type: 0, rebalance_value: 5 },
  }),
  settings: settings(panel.dates[10] as string, panel.dates[540] as string, {
    benchmark: 'cb_ew',
    execution: 'realistic',
    capital: 20,
    adjust: 'raw',
  }),
}
const axis = (path: string, label: string, values: number[]): GridAxis => ({ path, label, values })
const axes = [
  axis('parameters.hold_method.hold_range_end', '持有数量', [3, 6, 9]),
  axis('parameters.rank_factors.1.weight', '规模权重', [0, 1, 2]),
  axis('settings.cost.slippage', '滑点', [0, 0.002]),
]

function run(asked: readonly GridAxis[], oos?: GridBody['oos'], stopAfter = Number.POSITIVE_INFINITY) {
  const steps = grid(panel, markets.cb, request, asked, oos)
  let step = steps.next()
  while (!step.done) step = steps.next(step.value.done >= stopAfter)
  return step.value
}

function result(asked: readonly GridAxis[], oos?: GridBody['oos'], stopAfter?: number) {
  const outcome = run(asked, oos, stopAfter)
  if (!outcome.ok) throw new Error(outcome.problem.message)
  return outcome.result
}

describe('numbers of a request', () => {
  it('are changed where the path leads, and nowhere else', () => {
    const made = changed(request, 'parameters.rank_factors.1.weight', 7)
    expect(made?.parameters.rank_factors.map(({ weight }) => weight)).toEqual([1, 7])
    expect(request.parameters.rank_factors[1]?.weight).toBe(1)
    expect(changed(request, 'settings.cost.slippage', 0.01)?.settings.cost).toEqual({ ...request.settings.cost, slippage: 0.01 })
  })

  it.each([
    ['a text', 'settings.benchmark'],
    ['nothing', 'parameters.nowhere.deep'],
    ['a row that is not there', 'parameters.rank_factors.9.weight'],
    ['an object', 'parameters.hold_method'],
    ['what every object has', 'parameters.constructor.name'],
    ['a prototype', 'parameters.__proto__.weight'],
  ])('%s is no number', (_, path) => expect(changed(request, path, 1)).toBeNull())

  it('few requests stand for what all cells read: every kind of something, of many numbers the ends', () => {
    const stops = axis('parameters.stop_method.stop_type', '止盈止损', [0, 4, 1, 1])
    const prices = axis(
      'settings.cost.buy_rate',
      '费率',
      Array.from({ length: 2_000 }, (_, k) => (1_999 - k) / 1e6),
    )
    const corners = cornersOf(request, [stops, prices])
    expect(corners).toHaveLength(1 + 3 + 2)
    expect(corners.map(({ parameters }) => parameters.stop_method.stop_type)).toEqual([0, 0, 1, 4, 0, 0])
    expect(corners.slice(4).map(({ settings }) => settings.cost.buy_rate)).toEqual([0, 0.001999])
  })

  it('the last axis is the fastest', () => {
    expect(cellIndexesOf(axes.slice(1)).slice(0, 3)).toEqual([
      [0, 0],
      [0, 1],
      [1, 0],
    ])
    expect(cellIndexesOf([])).toEqual([[]])
  })
})

describe('a grid', () => {
  const whole = result(axes, { type: 'ratio', value: 0.25 })

  it('has the shape of the contract, a cell for every combination', () => {
    expect(GridResult.safeParse({ ...whole, elapsed_ms: 1 }).error?.issues ?? []).toEqual([])
    expect(whole).toMatchObject({ total: 18, done: 18, partial: false })
    expect(whole.cells.map(({ index }) => index)).toEqual(cellIndexesOf(axes))
  })

  it('each cell is the run that its request would be alone', () => {
    for (const { index, metrics, oos_metrics: oos, nav = [] } of whole.cells) {
      const made = cellAt(request, axes, index)
      if (!made) throw new Error('no cell')
      const { report } = reportOf(panel, markets.cb, made)
      const alone = report.curves.nav as number[]
      expect(nav.at(-1)).toBeCloseTo(alone.at(-1) as number, 5)
      const cut = Math.floor(alone.length * 0.75)
      expect(metrics.total_return).toBeCloseTo((alone[cut - 1] as number) - 1, 12)
      expect(oos?.total_return).toBeCloseTo((alone.at(-1) as number) / (alone[cut - 1] as number) - 1, 12)
    }
  })

  it('has the benchmark on the days of its curves', () => {
    const { report } = reportOf(panel, markets.cb, request)
    const { dates = [], bench = [] } = whole
    expect(bench).toHaveLength(dates.length)
    for (const [i, date] of dates.entries())
      expect(bench[i]).toBeCloseTo(report.curves.bench[report.curves.dates.indexOf(date)] as number, 5)
  })

  it('luck is given as many days as the Sharpe ratios that it is held against', () => {
    const days = reportOf(panel, markets.cb, request).report.metrics.days
    const inside = Math.floor(days * 0.75)
    expect(whole.robustness.luck_threshold).toBeCloseTo(luckThreshold(18, inside / 242) as number, 12)
    expect(result(axes).robustness.luck_threshold).toBeCloseTo(luckThreshold(18, days / 242) as number, 12)
    const walked = result(axes, { type: 'walk_forward', value: 1 })
    expect(walked.robustness.luck_threshold).toBeCloseTo(luckThreshold(18, 1) as number, 12)
  })

  it('says which cell is best, how its neighbours do, and how much of it is luck', () => {
    const sharpes = whole.cells.map(({ metrics }) => metrics.sharpe as number)
    const best = sharpes.indexOf(Math.max(...sharpes))
    expect(whole.best?.index).toEqual(whole.cells[best]?.index)
    expect(whole.robustness.trials).toBe(18)
    expect(whole.robustness.pbo).toBeGreaterThanOrEqual(0)
    expect(whole.robustness.dsr).toBeLessThanOrEqual(1)
    expect(Math.abs(whole.oos_rank_correlation as number)).toBeLessThanOrEqual(1)
    expect(whole.plateau.sentence).not.toMatch(/NaN|undefined|Infinity/)
    expect(whole.stability).toHaveLength(18)
  })

  it('what is done when it is stopped is told as part of it', () => {
    const part = result(axes, undefined, 7)
    expect(part).toMatchObject({ done: 7, total: 18, partial: true })
    expect(part.cells).toHaveLength(7)
    for (const { index, metrics } of part.cells) {
      const same = result(axes).cells.find((cell) => cell.index.join() === index.join())
      expect(metrics).toEqual(same?.metrics)
    }
  })

  it('walks forward: the best of every training is looked at in the year after', () => {
    const { folds = [], cells } = result(axes.slice(0, 1), { type: 'walk_forward', value: 1 })
    expect(folds.length).toBeGreaterThan(0)
    for (const fold of folds) {
      expect(fold.train_end < fold.test_start).toBe(true)
      expect(cells.map(({ index }) => index.join())).toContain(fold.best.join())
    }
    expect(folds[0]?.train_start).toBe(panel.dates[10])
  })

  it('over places among equal scores is told: cells differ by codes there', () => {
    const warned = (ranks: Parameters['rank_factors'], asked: GridAxis) => {
      const steps = grid(panel, markets.cb, { ...request, parameters: { ...request.parameters, rank_factors: ranks } }, [asked], undefined)
      let step = steps.next()
      while (!step.done) step = steps.next(false)
      if (!step.value.ok) throw new Error(step.value.problem.message)
      return step.value.result.warnings.filter((text) => text.includes('名次得分相同'))
    }
    const places = axis('parameters.hold_method.hold_range_end', '持有数量', [3, 6])
    const byRating = [rankBy('rating')]
    expect(warned(byRating, places)).toEqual([
      expect.stringMatching(/^「持有数量」各取值的边界上，平均有 \d+\.\d% 的轮动日前后名次得分相同/),
    ])
    expect(warned([rankBy('close')], places)).toEqual([])
    expect(warned(byRating, axis('settings.cost.slippage', '滑点', [0, 0.002]))).toEqual([])
  })

  it('without axes it is one run', () => {
    const one = result([])
    expect(one).toMatchObject({ total: 1, done: 1, robustness: { trials: 1, pbo: null }, best: { index: [] } })
  })

  it('is the same to the byte each time', () =>
    expect(JSON.stringify(result(axes, { type: 'ratio', value: 0.25 }))).toBe(JSON.stringify(whole)))

  it.each([
    ['an axis that is no number', [axis('settings.benchmark', '基准', [1])], '坐标轴「基准」'],
    ['a cell that cannot be run, with its place', [axis('parameters.hold_method.hold_range_end', '持有数量', [5, 0])], '持有数量 0'],
  ])('%s is refused', (_, asked, text) => {
    const refused = run(asked)
    expect(refused.ok ? '' : refused.problem.message).toContain(text)
  })
})

describe('a grid of several threads', () => {
  const split = { type: 'ratio', value: 0.25 } as const
  const alone = JSON.stringify(result(axes, split))
  const work = { panel, market: markets.cb, request, axes, split }

  /** The bytes of the grid when its offers are met by `meet`, and what was offered. */
  function offered(meet: (offer: SharedGridWork) => void, asked = work) {
    const offers: SharedGridWork[] = []
    const steps = grid(panel, markets.cb, request, asked.axes, asked.split, (offer) => {
      offers.push(offer)
      meet(offer)
    })
    let step = steps.next()
    while (!step.done) step = steps.next()
    return { told: JSON.stringify(step.value.ok ? step.value.result : step.value.problem), offers, outcome: step.value }
  }
  const help =
    (place: number, as = work) =>
    (offer: SharedGridWork) => {
      offer.helpers[place] = atWork
      // As it comes to another thread.
      helpGrid(as, structuredClone(offer), place)
      expect(offer.helpers[place]).toBe(nobody)
    }
  const ran = (offers: readonly SharedGridWork[]) => offers.flatMap((offer) => (offer.give === 'splits' ? [] : [offer.grid.done[0]]))

  it('gives away groups, cells and splits, and the bytes are those of one thread', () => {
    const { told, offers } = offered(help(1))
    expect(offers.map(({ give }) => give)).toEqual(['groups', 'splits'])
    expect(ran(offers)).toEqual([18])
    expect(told).toBe(alone)
  })

  it.each(['groups', 'cells', 'splits'] as const)('whoever meets only %s', (give) => {
    const { told, offers } = offered((offer) => offer.give === give && help(2)(offer))
    expect(offers.map((offer) => offer.give)).toContain(give)
    expect(told).toBe(alone)
  })

  it('who is asked to leave leaves after a cell at most, and what it left is done by others', () => {
    const { told } = offered((offer) => {
      offer.helpers[1] = askedToLeave
      helpGrid(work, offer, 1)
      if (offer.give !== 'splits') expect(offer.grid.done[0]).toBeLessThan(18)
    })
    expect(told).toBe(alone)
  })

  it('what somebody took who is gone is done by others', () => {
    const { told } = offered((offer) => {
      if (offer.give === 'groups') offer.grid.groups[1] = taken
      if (offer.give === 'cells') offer.grid.cells[17] = taken
      if (offer.give === 'splits') Atomics.add(offer.splits.next, 0, 5)
    })
    expect(told).toBe(alone)
  })

  it('a cell that a hand cannot run is refused in the words of one thread', () => {
    const wrong = { ...work, axes: [axis('parameters.hold_method.hold_range_end', '持有数量', [3, 5, 6, 7, 8, 9, 10, 11, 0])] }
    const { outcome, offers } = offered((offer) => {
      if (offer.give !== 'cells') return
      help(1, wrong)(offer)
      expect(offer.grid.cells[8]).toBe(refused)
    }, wrong)
    expect(offers).not.toEqual([])
    expect(outcome).toEqual(run(wrong.axes))
  })

  it('a group that a hand cannot prepare is refused in the words of one thread', () => {
    const wrong = { ...work, axes: [axis('parameters.rebalance_method.rebalance_value', '轮动周期', [5, 10, 0.5])] }
    const { outcome, offers } = offered(help(1, wrong), wrong)
    const [first] = offers
    expect(first?.give === 'groups' && [...first.grid.groups]).toEqual([finished, finished, taken])
    expect(outcome).toEqual(run(wrong.axes))
  })

  it('nothing more is done once the answer has been given', () => {
    const kept: SharedGridWork[] = []
    offered((offer) => kept.push(offer))
    for (const offer of kept) help(1)(offer)
    expect(kept.length).toBeGreaterThan(0)
  })

  it('who comes when a part of it has been told touches nothing: its memory may be another’s', () => {
    const kept: SharedGridWork[] = []
    const steps = grid(panel, markets.cb, work.request, work.axes, undefined, (offer) => kept.push(offer))
    let step = steps.next()
    while (!step.done) step = steps.next(step.value.done >= 4)
    const [first] = kept
    if (first?.give !== 'groups') throw new Error('no groups were offered')
    const before = [[...first.grid.cells], [...first.grid.groups]]
    for (const offer of kept) help(1)(offer)
    expect([[...first.grid.cells], [...first.grid.groups]]).toEqual(before)
    expect(before[0]).toContain(free)
  })
})

describe('a plateau', () => {
  const two = [axis('a', '甲', [1, 2, 3, 4]), axis('b', '乙', [10, 20])]
  const places = cellIndexesOf(two)
  //  1.0 1.1 | 1.0 1.0 | 0.9 0.2 | 0.1 3.0 : a spike in the corner stands alone.
  const field = new Field(two, places, [1, 1.1, 1, 1, 0.9, 0.2, 0.1, 3])

  it('hangs together; corners are neighbours', () => {
    expect(field.region(1, 0.88)).toEqual([0, 1, 2, 3, 4, 7])
    expect(field.around(0)).toEqual([1, 1.1, 1, 1])
    expect(spanText(two, [places[0] as number[], places[5] as number[]])).toBe('甲 1 – 3 × 乙 10 – 20')
  })

  it('a cell beside nothing known has no spread', () => {
    expect(new Field(two.slice(1), cellIndexesOf(two.slice(1)), [1, Number.NaN]).spread(0)).toBeNaN()
  })
})

it('a quick run is the ideal run of the same request', () => {
  const outcome = quickBacktest(panel, markets.cb, request)
  if (!outcome.ok) throw new Error(outcome.problem.message)
  expect(QuickBacktestResult.safeParse({ ...outcome.result, elapsed_ms: 1 }).error?.issues ?? []).toEqual([])
  const { report } = reportOf(panel, markets.cb, { ...request, settings: { ...request.settings, execution: 'ideal' } })
  expect(outcome.result.curves.nav).toEqual(report.curves.nav)
  for (const key of ['annual_return', 'sharpe', 'max_drawdown', 'calmar', 'win_rate', 'turnover'] as const) {
    expect(outcome.result.metrics[key]).toBeCloseTo(report.metrics[key] as number, 12)
  }
})

it('weights that share their ranks give what each would give ranked by itself, z-scores and missing values too', () => {
  const row = { missing_process: 'worst' } as const
  const rankedBy = (rank_method: 'rank' | 'zscore') => ({
    parameters: { ...request.parameters, rank_method, rank_factors: [rankBy('dblow', row), rankBy('conv_prem'), rankBy('remain_size')] },
    settings: { ...request.settings, execution: 'ideal' as const },
  })
  const weights = [
    axis('parameters.rank_factors.0.weight', '双低权重', [0, 0.3, 1, 7]),
    axis('parameters.rank_factors.1.weight', '溢价权重', [0, 2]),
  ]
  for (const method of ['rank', 'zscore'] as const) {
    const steps = grid(panel, markets.cb, rankedBy(method), weights)
    let step = steps.next()
    while (!step.done) step = steps.next()
    if (!step.value.ok) throw new Error(step.value.problem.message)
    for (const { index, metrics } of step.value.result.cells) {
      const quick = quickBacktest(panel, markets.cb, cellAt(rankedBy(method), weights, index) as typeof request)
      expect(metrics).toEqual(quick.ok ? quick.result.metrics : quick.problem)
    }
  }
})
