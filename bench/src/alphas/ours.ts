/** `node ours.ts <input folder>`: alphas on one panel, asked one by one (worker.ts). One thread. */
import { writeFile } from 'node:fs/promises'
import { type Expression, evaluate } from '@convexa/engine'
import { dense, moveOneDay, readPanel } from '../inputs.ts'
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
