import { describe, expect, it } from 'vitest'
import { type BacktestRequest, markets } from '../../src/index.ts'
import { BufferPool } from '../../src/kernels/index.ts'
import { canUseFastLoop } from '../../src/simulation/fast-loop.ts'
import { FastLoopKernel } from '../../src/simulation/fast-loop-kernel.ts'
import { fastLoopTables } from '../../src/simulation/fast-loop-tables.ts'
import { markPricesBySecurity } from '../../src/simulation/mark-prices.ts'
import { forMany, prepare } from '../../src/simulation/prepare.ts'
import { simulateEquity, simulateEquityWithLeftOut, totalsOf } from '../../src/simulation/simulate.ts'
import type { Simulation } from '../../src/simulation/simulation.ts'
import { randomMarket } from '../fixtures/random-market.ts'
import { anyRequest } from '../fuzz/compare-backtests.ts'

type Kind = 'cb' | 'stk'
const requests = 40

/** A random request of the slow twin's, and what is left of it in a textbook run without parts that a plain run has not. */
function requestsOf(kind: Kind, seed: number, dates: readonly string[]): BacktestRequest[] {
  const any = anyRequest(kind, seed, dates)
  const { timing: _timing, ...rest } = any.parameters
  const { max_per_issuer: _most, ...universe } = rest.universe
  const fill = seed % 3 === 0 ? 'next_close' : 'close'
  const plain: BacktestRequest = {
    parameters: { ...rest, universe, stop_method: { stop_type: 0 }, hold_days: 0 },
    settings: { ...any.settings, execution: 'ideal', fill, adjust: kind === 'cb' ? 'raw' : 'qfq' },
  }
  return [any, plain]
}

function runsOf(kind: Kind): Simulation[] {
  return Array.from({ length: requests }, (_, k) => k + 1).flatMap((seed) => {
    const panel = randomMarket(kind, { seed, days: 90, securities: 24, from: seed % 2 === 0 ? '2022-06-20' : '2023-07-03', terms: true })
    return requestsOf(kind, seed, panel.dates).flatMap((request) => {
      const preparing = prepare(panel, markets[kind], request)
      let step = preparing.next()
      while (!step.done) step = preparing.next()
      if (!step.value.ok) return []
      const { simulation } = step.value
      return [simulation, forMany(simulation, markPricesBySecurity(panel, simulation.first, simulation.last, new BufferPool()))]
    })
  })
}

/** The same run where every seventh close is absent, as between a listing and its first price. */
function withHoles(run: Simulation): Simulation {
  const { marks } = run
  return forMany(run, { ...marks, close: marks.close.map((close, k) => (k % 7 === 3 ? Number.NaN : close)) })
}

/** The same run with a table of three places only, so that further places are looked up in the ranking. */
function withShortTable(run: Simulation): Simulation {
  const { rankings } = run
  const depth = 3
  const order = Int32Array.from({ length: rankings.days.length * depth }, (_, k) => {
    const row = Math.floor(k / depth)
    return rankings.order[row * rankings.depth + (k % depth)] as number
  })
  return { ...run, rankings: { ...rankings, depth, order } }
}

/** As text: doubles are written so that no two are alike. */
const told = ({ first, capital, equity, before, bought, sold, warnings }: ReturnType<typeof simulateEquity>) =>
  JSON.stringify([first, capital, [...equity], [...before], [...bought], [...sold], warnings])

describe.each(['cb', 'stk'] as const)('the two day loops, %s', (kind) => {
  const runs = runsOf(kind)
  const plain = runs.filter(canUseFastLoop)

  it('give the same bytes, by day and by security', () => {
    const apart = plain.flatMap((run) => (told(simulateEquity(run)) === told(totalsOf(run)) ? [] : [JSON.stringify(run.parameters)]))
    expect(apart).toEqual([])
  })

  it('tell the same of the interest that is left out', () => {
    const apart = plain.flatMap((run) => {
      const [money, totals] = [simulateEquityWithLeftOut(run), totalsOf(run)]
      return told(money) === told(totals) && money.leftOutInterest === totals.leftOutInterest ? [] : [JSON.stringify(run.parameters)]
    })
    expect(apart).toEqual([])
  })

  it.each([
    ['absent closes', withHoles],
    ['places beyond the table', withShortTable],
  ])('give the same bytes with %s', (_, changed) => {
    const apart = plain
      .map(changed)
      .flatMap((run) => (told(simulateEquity(run)) === told(totalsOf(run)) ? [] : [JSON.stringify(run.parameters)]))
    expect(apart).toEqual([])
  })

  it('where closes lie by security, days of equal weights are the kernel’s', () => {
    const byKernel = plain.filter((run) => fastLoopTables(run).kernel !== null && FastLoopKernel.canRun(run))
    expect(byKernel.length).toBeGreaterThan(requests / 8)
    expect(byKernel.every(({ marks }) => marks.perDay === 1)).toBe(true)
  })

  it('what is compared is worth it: every plain request is, with trades, exits, buffers, weights and empty places', () => {
    expect(plain.length).toBeGreaterThanOrEqual(2 * (requests - 4))
    const has = (what: (run: Simulation) => boolean) => plain.filter(what).length
    expect(has((run) => simulateEquity(run).sold.some((value) => value > 0))).toBeGreaterThan(requests)
    expect(has(({ parameters }) => parameters.hold_method.hold_threshold > 0)).toBeGreaterThan(10)
    expect(has(({ parameters }) => parameters.hold_method.empty_slot === 'cash')).toBeGreaterThan(10)
    expect(has(({ settings }) => settings.fill === 'next_close')).toBeGreaterThan(10)
    for (const type of [1, 2, 3, 4, 5]) expect(has(({ parameters }) => parameters.hold_method.hold_weight_type === type)).toBeGreaterThan(0)
    if (kind === 'cb') expect(has((run) => run.exits.waits)).toBeGreaterThan(5)
  })

  it.each([
    ['an exchange', { settings: { execution: 'realistic' } }],
    ['a fill at the open', { settings: { fill: 'next_open' } }],
    ['a stop', { parameters: { stop_method: { stop_type: 2, stop_loss: 0.03 } } }],
    ['least holding days', { parameters: { hold_days: 3 } }],
    ['a bound for an issuer', { parameters: { universe: { markets: [], exclude_codes: [], max_per_issuer: 1 } } }],
    ['timing', { exposure: new Float64Array(1) }],
  ])('%s is for the loop that knows all rules', (_, change: object) => {
    const [run] = plain as [Simulation]
    const other = change as Partial<Record<'settings' | 'parameters', object>>
    expect(
      canUseFastLoop({
        ...run,
        ...change,
        settings: { ...run.settings, ...other.settings },
        parameters: { ...run.parameters, ...other.parameters },
      }),
    ).toBe(false)
  })
})
