/** `node ours.ts <kernel>`: one kernel in a process of its own, so that no other has shaped the code; prints its figures as JSON. */
import { compile, evaluate, markets, namesOf } from '@convexa/engine'
import { moveOneDay, randomCells } from '../inputs.ts'
import { clockOf, copyLimit, cpuOf, type Run, type Times, timed } from '../times.ts'
import { kernels } from './formulas.ts'

export interface Figures {
  readonly cells: number
  readonly limit: number
  readonly cold: number
  readonly warm: Times
  readonly cpu: Times
}

export const days = 500
export const securities = 5500
const repetitions = 7

if (import.meta.main) process.stdout.write(JSON.stringify(measure(process.argv[2]!)))

function measure(name: string): Figures {
  const panel = randomCells(days, securities)
  const made = compile(kernels[name]!.formula, namesOf({ ...markets.stk, factors: [] }, new Set(panel.columns.keys())))
  if (!made.ok) throw new Error(made.problem.message)
  const cells = days * securities
  const limit = copyLimit(cells)
  const [{ cpu: cold }] = timed(() => evaluate(made.expression, panel))
  const runs: Run[] = []
  for (let turn = 0; turn <= repetitions; turn++) {
    const putBack = moveOneDay(panel, turn)
    runs.push(timed(() => evaluate(made.expression, panel))[0])
    putBack()
  }
  const later = runs.slice(1)
  return { cells, limit, cold, warm: clockOf(later), cpu: cpuOf(later) }
}
