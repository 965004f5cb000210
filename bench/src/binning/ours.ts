/** `node ours.ts <input folder>`: binnings of a panel of stocks, asked one by one (worker.ts). */
import type { BinningBody } from '@convexa/contract'
import { binning, markets } from '@convexa/engine'
import { finish, moveCloses, readMarket } from '../inputs.ts'
import { type Run, timed } from '../times.ts'
import { serve } from '../worker.ts'
import { factor, firstDay } from './cases.ts'

export interface Question {
  readonly horizons: readonly number[]
  readonly turn: number
}

export interface Answer extends Run {
  /** Mean rank IC by horizon, in the order asked. */
  readonly rankIc: (number | null)[]
}

const [folder] = process.argv.slice(2)
const panel = await readMarket(folder!)

await serve<Question>({ days: panel.dates.length, securities: panel.securities.length }, ({ horizons, turn }): Answer => {
  const body: BinningBody = {
    factor,
    bins: 10,
    method: 'quantile',
    forward_days: [...horizons],
    rebalance_days: 20,
    weight: 'equal',
    neutralization: null,
    settings: { start_date: panel.dates[firstDay]!, end_date: panel.dates.at(-1)!, benchmark: 'stk_ew' },
    pool_mode: 'all',
  }
  const putBack = moveCloses(panel, turn)
  const [run, outcome] = timed(() => finish(binning(panel, markets.stk, body)))
  putBack()
  if (!outcome.ok) throw new Error(outcome.problem.message)
  const { decay } = outcome.result
  return { ...run, rankIc: horizons.map((horizon) => decay.find(({ days }) => days === horizon)?.rank_ic ?? null) }
})
