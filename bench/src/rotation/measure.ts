/**
 * One case in a process of its own: `node measure.ts <case> <snapshot>` prints its figures as JSON.
 *
 * cold: the first run of the process after the load, JIT included. warm: the median of further runs. `run` is everything
 * from the request to the ledger (factors, ranks, simulation); `report` adds metrics, trades with reasons and all day pages;
 * `cached` is the simulation alone, on the rankings at hand. Each repetition runs on changed input: one day's closes are moved
 * by a little, so that no answer can be remembered.
 */
import { backtest, markets, needsOf, type Panel, prepare, type Simulation, simulate } from '@convexa/engine'
import { loadPanel } from '@convexa/server/market/panels'
import { snapshotFields } from '@convexa/server/market/snapshot'
import { type Case, readCase } from './cases.ts'

export interface Figures {
  readonly case: string
  readonly days: number
  readonly securities: number
  readonly loadMs: number
  readonly coldMs: number
  readonly warmMs: number
  readonly bestMs: number
  readonly reportMs: number
  readonly reportBestMs: number
  readonly cachedMs: number
  readonly cachedBestMs: number
  readonly repetitions: number
  /** Largest distance from the reference's net values. */
  readonly worst: number
  /** Σ (day + 1) · nav: weighted by place, so that another order is another sum. */
  readonly checksum: number
}

const repetitions = 40

const [name, snapshot] = process.argv.slice(2)
if (name === undefined || snapshot === undefined) throw new Error('usage: measure.ts <case> <snapshot>')
process.stdout.write(JSON.stringify(await measure(readCase(name), snapshot)))

async function measure(wanted: Case, folder: string): Promise<Figures> {
  const market = markets[wanted.kind]
  const needs = needsOf(market, await snapshotFields(folder), wanted.parameters, wanted.settings)
  if (!needs.ok) throw new Error(needs.problem.message)
  const started = performance.now()
  const panel = await loadPanel(folder, null, needs.needs.fields)
  const loadMs = performance.now() - started

  const [coldMs, nav] = timed(() => navOf(run(panel, wanted)))
  const worst = Math.max(...wanted.nav.map((value, day) => Math.abs(value - (nav[day] ?? Number.NaN))))
  const warm: number[] = []
  const report: number[] = []
  const cached: number[] = []
  for (let k = 0; k < repetitions; k++) {
    const restore = moveOneDay(panel, k)
    const [runMs, one] = timed(() => run(panel, wanted))
    warm.push(runMs)
    report.push(timed(() => finish(backtest(panel, market, wanted)))[0])
    cached.push(timed(() => finish(simulate(one)))[0])
    restore()
  }
  const again = navOf(run(panel, wanted))
  if (again.some((value, day) => value !== nav[day])) throw new Error('the same input gave another answer')
  return {
    case: wanted.case,
    days: nav.length,
    securities: panel.securities.length,
    loadMs,
    coldMs,
    warmMs: median(warm),
    bestMs: Math.min(...warm),
    reportMs: median(report),
    reportBestMs: Math.min(...report),
    cachedMs: median(cached),
    cachedBestMs: Math.min(...cached),
    repetitions,
    worst,
    checksum: nav.reduce((sum, value, day) => sum + (day + 1) * value, 0),
  }
}

/** Request → rankings → ledger; answers the simulation, to be run again on its rankings. */
function run(panel: Panel, { kind, parameters, settings }: Case): Simulation {
  const prepared = finish(prepare(panel, markets[kind], { parameters, settings }))
  if (!prepared.ok) throw new Error(prepared.problem.message)
  finish(simulate(prepared.simulation))
  return prepared.simulation
}

function navOf(simulation: Simulation): Float64Array {
  const { equity, capital } = finish(simulate(simulation))
  return equity.map((value) => value / capital)
}

/** Moves the closes of one day by a billionth; answers how to put them back. */
function moveOneDay(panel: Panel, k: number): () => void {
  const close = panel.columns.get('close')!
  const from = (panel.dates.length - 20 - k) * panel.stride
  const kept = close.slice(from, from + panel.stride)
  for (let i = 0; i < panel.stride; i++) close[from + i]! *= 1 + 1e-9
  return () => close.set(kept, from)
}

function finish<T>(steps: Generator<unknown, T>): T {
  let step = steps.next()
  while (!step.done) step = steps.next()
  return step.value
}

function timed<T>(work: () => T): [ms: number, value: T] {
  const started = performance.now()
  const value = work()
  return [performance.now() - started, value]
}

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[values.length >> 1]!
}
