/**
 * `node ours.ts <case> <snapshot>`: one case, asked part by part (worker.ts). `run` is everything from the request to the ledger (factors,
 * ranks, simulation); `report` adds metrics, trades with reasons and all day pages; `cached` is the simulation alone, on the rankings at
 * hand; `quick` the money of the whole request without fills and positions (速览). A turn moves one day's closes by a little, so that no answer can be remembered.
 */
import { backtest, type Ledger, markets, needsOf, prepare, quickBacktest, simulate } from '@convexa/engine'
import { loadPanel } from '@convexa/server/market/panels'
import { snapshotFields } from '@convexa/server/market/snapshot'
import { finish, moveCloses } from '../inputs.ts'
import { type Run, timed } from '../times.ts'
import { serve } from '../worker.ts'
import { readCase } from './cases.ts'

/** `turn` −1: the data as they are. */
export interface Question {
  readonly part: 'run' | 'report' | 'cached' | 'quick'
  readonly turn: number
}

export interface Answer extends Run {
  /** Σ (day + 1) · net value: weighted by place, so that another order is another sum. */
  readonly sum: number
  /** Largest distance from the reference's net values, where nothing was moved. */
  readonly worst: number
}

export interface Ready {
  readonly days: number
  readonly securities: number
  readonly loadMs: number
}

const [name, folder] = process.argv.slice(2)
if (name === undefined || folder === undefined) throw new Error('usage: ours.ts <case> <snapshot>')
const { kind, parameters, settings, nav: reference } = readCase(name)
const market = markets[kind]
const request = { parameters, settings }
const needs = needsOf(market, await snapshotFields(folder), parameters, settings)
if (!needs.ok) throw new Error(needs.problem.message)
const started = performance.now()
const panel = await loadPanel(folder, null, needs.needs.fields)
const ready: Ready = { days: reference.length, securities: panel.securities.length, loadMs: performance.now() - started }

await serve<Question>(ready, ({ part, turn }): Answer => {
  const putBack = turn < 0 ? () => {} : moveCloses(panel, turn)
  // Ranked before the clock starts, as a parameter that does not rank is changed.
  const ranked = part === 'cached' ? prepared() : null
  if (part === 'report') {
    const [run, outcome] = timed(() => finish(backtest(panel, market, request)))
    putBack()
    if (!outcome.ok) throw new Error(outcome.problem.message)
    return { ...run, ...told(outcome.report.curves.nav) }
  }
  if (part === 'quick') {
    const [run, outcome] = timed(() => quickBacktest(panel, market, request))
    putBack()
    if (!outcome.ok) throw new Error(outcome.problem.message)
    return { ...run, ...told(outcome.result.curves.nav) }
  }
  const [run, { ledger, lent: buffers }] = timed(() => {
    const { simulation, buffers } = ranked ?? prepared()
    return { ledger: finish(simulate(simulation)), lent: buffers }
  })
  buffers.release()
  putBack()
  return { ...run, ...told(netValues(ledger)) }
})

function prepared() {
  const made = finish(prepare(panel, market, request))
  if (!made.ok) throw new Error(made.problem.message)
  return made
}

function netValues({ equity, capital }: Ledger): Float64Array {
  return equity.map((value) => value / capital)
}

function told(nav: ArrayLike<number | null>): Pick<Answer, 'sum' | 'worst'> {
  let [sum, worst] = [0, 0]
  reference.forEach((value, day) => {
    sum += (day + 1) * (nav[day] as number)
    worst = Math.max(worst, Math.abs(value - (nav[day] as number)))
  })
  return { sum, worst }
}
