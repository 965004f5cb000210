/** `node ours.ts <input folder>`: alphas on one panel, asked one by one (worker.ts). One thread. */
import { writeFile } from 'node:fs/promises'
import { type Expression, evaluate, type Panel } from '@convexa/engine'
import { moveOneDay, readPanel } from '../inputs.ts'
import { copyLimit, timed } from '../times.ts'
import { serve } from '../worker.ts'
import { alphaOf } from './formulas.ts'

export type Question = { readonly alpha: number; readonly turn: number; readonly to?: string } | { readonly limit: true }

const panel = await readPanel(process.argv[2]!)
const compiled = new Map<number, Expression>()

await serve<Question>({}, async (question) => {
  if ('limit' in question) return { limit: copyLimit(panel.dates.length * panel.securities.length) }
  const { alpha, turn, to } = question
  const expression = compiled.get(alpha) ?? alphaOf(alpha, panel)
  compiled.set(alpha, expression)
  const putBack = moveOneDay(panel, turn)
  const [run, values] = timed(() => evaluate(expression, panel))
  putBack()
  if (to !== undefined) await writeFile(to, dense(panel, values))
  return run
})

/** Without the room for new listings. */
function dense({ dates, securities, stride }: Panel, values: Float64Array): Uint8Array {
  const count = securities.length
  const cells = new Float64Array(dates.length * count)
  for (let t = 0; t < dates.length; t++) cells.set(values.subarray(t * stride, t * stride + count), t * count)
  return new Uint8Array(cells.buffer)
}
