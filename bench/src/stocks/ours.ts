/** `node ours.ts <input folder>`: one rotation over a panel of stocks, asked part by part (worker.ts): `run` from the request to the ledger, `cached` on rankings at hand. */
import { markets, prepare, simulate } from '@convexa/engine'
import { finish, moveCloses, readMarket } from '../inputs.ts'
import { type Run, timed } from '../times.ts'
import { serve } from '../worker.ts'
import { requestOn } from './cases.ts'

export interface Question {
  readonly part: 'run' | 'cached'
  readonly turn: number
}

export interface Answer extends Run {
  /** Net value at the end. */
  readonly last: number
}

const [folder] = process.argv.slice(2)
const panel = await readMarket(folder!)
const request = requestOn(panel.dates)

await serve<Question>({}, ({ part, turn }): Answer => {
  const putBack = moveCloses(panel, turn)
  const ranked = part === 'cached' ? prepared() : null
  const [run, { ledger, lent: buffers }] = timed(() => {
    const { simulation, buffers } = ranked ?? prepared()
    return { ledger: finish(simulate(simulation)), lent: buffers }
  })
  buffers.release()
  putBack()
  const { equity, capital } = ledger
  return { ...run, last: equity.at(-1)! / capital }
})

function prepared() {
  const made = finish(prepare(panel, markets.stk, request))
  if (!made.ok) throw new Error(made.problem.message)
  return made
}
