/** `node ours.ts <input folder>`: alphas on one panel, asked one by one (worker.ts). One thread. */
import { writeFile } from 'node:fs/promises'
import { type Expression, evaluateAll } from '@convexa/engine/expression'
import { dense, moveOneDay, readPanel } from '../inputs.ts'
import { copyLimit, timed } from '../times.ts'
import { serve } from '../worker.ts'
import { alphaOf } from './formulas.ts'

/** `kept`: the answer goes into the column of the call before, as a rotation's do; else into memory of its own. */
export type Question =
  | { readonly alpha: number; readonly turn: number; readonly kept: boolean; readonly to?: string }
  | { readonly limit: true }

const panel = await readPanel(process.argv[2]!)
const column = new Float64Array(new SharedArrayBuffer(8 * panel.dates.length * panel.stride))
const compiled = new Map<number, Expression>()

await serve<Question>({}, async (question) => {
  if ('limit' in question) return { limit: copyLimit(panel.dates.length * panel.securities.length) }
  const { alpha, turn, kept, to } = question
  const expression = compiled.get(alpha) ?? alphaOf(alpha, panel)
  compiled.set(alpha, expression)
  const putBack = moveOneDay(panel, turn)
  const [run, [values]] = timed(() => evaluateAll([expression], panel, undefined, kept ? { into: [column] } : {}))
  putBack()
  if (to !== undefined) await writeFile(to, dense(panel, values!))
  return run
})
