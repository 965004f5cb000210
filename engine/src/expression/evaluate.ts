import { giveBack } from '../kernels/index.ts'
import type { Panel } from '../panel/panel.ts'
import type { Expression } from './compile.ts'
import { alone, type Crew, turnsOf } from './crew.ts'
import { Graph } from './graph.ts'
import { planOf } from './plan.ts'
import { run } from './run.ts'

/**
 * The expression's values on the days asked for (all days when none are named; ascending indices of panel.dates): rows of
 * panel.stride cells, in the order of `rows`. NaN where absent and where the security is not listed that day.
 *
 * From the result back to the fields it is known which days of which node are wanted, and how far back is looked at them; so
 * nothing is computed that is not wanted. What reads its own day before is computed from the first day of the panel on: its
 * values do not depend on the days asked for.
 */
export function evaluate(expression: Expression, panel: Panel, rows?: ArrayLike<number>): Float64Array {
  return evaluateAll([expression], panel, rows)[0]
}

export interface EvaluateOptions {
  /** False: the JavaScript twins of all kernels. The values are the same to the last bit. */
  readonly wasm?: boolean
  /** Bytes for rows of all days at once; where they need more, the days are done piece by piece if that takes less. 0: always so. */
  readonly budget?: number
  /** Where the answers go, one for each expression; of a crew, in shared memory. */
  readonly into?: readonly Float64Array[]
  /** Threads that do it together. */
  readonly crew?: Crew
}

const megabyte = 1024 * 1024

/** Several at once: what they have in common is computed once. */
export function evaluateAll(
  expressions: readonly Expression[],
  panel: Panel,
  rows?: ArrayLike<number>,
  { wasm = true, budget = 256 * megabyte, into, crew }: EvaluateOptions = {},
): Float64Array[] {
  const wanted = rows ?? Array.from(panel.dates, (_, day) => day)
  const answers = expressions.map((_, k) => into?.[k] ?? new Float64Array(wanted.length * panel.stride))
  for (const out of answers) fillMargins(out, panel)
  if (wanted.length === 0 || panel.dates.length === 0 || panel.securities.length === 0) return answers
  const graph = new Graph()
  const roots = expressions.map(({ tree }) => graph.include(tree.graph, tree.root))
  const plan = planOf(graph, roots, panel, wanted, budget, crew?.place ?? 0)
  const turns = crew ? turnsOf(crew) : alone()
  try {
    run({ plan, panel, wanted, answers, wasm, crew: crew ?? null, turns })
  } catch (error) {
    turns.fail()
    throw error
  } finally {
    giveBack()
  }
  return answers
}

/** Room for new listings behind the last security; the rest of the rows is written by the calculation. */
function fillMargins(out: Float64Array, { securities, stride }: Panel): void {
  for (let at = 0; at < out.length; at += stride) out.fill(Number.NaN, at + securities.length, at + stride)
}
