import { forget, trimArena } from '../kernels/index.ts'
import type { Panel } from '../panel/panel.ts'
import { compile, compileRef, type Expression } from './compile.ts'
import { Graph } from './graph.ts'
import type { Names } from './names.ts'
import {
  dismiss,
  fail,
  HelperLostError,
  type Host,
  hostFor,
  joining,
  joinJob,
  leading,
  leave,
  type ParallelJob,
  parallelState,
  singleThreadTurns,
} from './parallel-evaluation.ts'
import { planOf } from './plan.ts'
import { type Job, run } from './run.ts'

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
  /** Where answers go, by expression, if not into memory of their own; in shared memory, if other threads shall take part. */
  readonly into?: readonly (Float64Array | undefined)[]
}

const megabyte = 1024 * 1024

/** Evaluates several expressions together and computes common parts once. Threads of a host may help (`withThreadHost`). */
export function evaluateAll(
  expressions: readonly Expression[],
  panel: Panel,
  rows?: ArrayLike<number>,
  { wasm = true, budget = 256 * megabyte, into }: EvaluateOptions = {},
): Float64Array[] {
  const wanted = rows ?? Array.from(panel.dates, (_, day) => day)
  const columns = wasm ? sharedColumns(expressions, panel) : null
  const host = columns && hostFor(expressions, panel.securities.length, wanted.length, panel.dates.length)
  const room = (cells: number) => (host ? new Float64Array(new SharedArrayBuffer(8 * cells)) : new Float64Array(cells))
  const answers = expressions.map((_, k) => into?.[k] ?? room(wanted.length * panel.stride))
  for (const out of answers) fillMargins(out, panel)
  if (wanted.length === 0 || panel.dates.length === 0 || panel.securities.length === 0) return answers
  const graph = new Graph()
  const roots = expressions.map(({ tree }) => graph.include(tree.graph, tree.root))
  const plan = planOf(graph, roots, panel, wanted, budget, 0)
  const job = { plan, panel, wanted, answers, wasm, memory: null, maxThreads: 1, prepared: () => {}, turns: singleThreadTurns }
  try {
    if (host && answers.every(isShared)) lead(host, job, { expressions, columns, budget })
    else run(job)
  } finally {
    trimArena()
  }
  return answers
}

/** Evaluates with the helper threads that join; if one of them is lost, evaluates again on this thread alone. */
function lead(
  host: Host,
  job: Job,
  request: { expressions: readonly Expression[]; columns: ReadonlyMap<string, Float64Array>; budget: number },
): void {
  const { expressions, columns, budget } = request
  const state = parallelState()
  const { maxThreads } = host
  const prepared = (memory: WebAssembly.Memory | null) => {
    if (memory === null) return
    const texts = expressions.map(({ text }) => text)
    const signatures = expressions.map(({ tree }) => tree.graph.signature(tree.root))
    const rows = Int32Array.from(job.wanted)
    host.invite({ texts, signatures, panel: sizeOf(job.panel), rows, budget, columns, answers: job.answers, memory, maxThreads, state })
  }
  try {
    run({ ...job, maxThreads, prepared, turns: () => leading(state) })
    dismiss(state)
  } catch (error) {
    fail(state)
    dismiss(state)
    if (!(error instanceof HelperLostError)) throw error
    // A lost helper may have left anything in the shared memory.
    forget()
    run(job)
  }
}

/**
 * Joins an evaluation that another thread leads, on this thread's own panel of the same market and days. False when it came too late, or
 * when the expressions mean something else here.
 */
export function join(job: ParallelJob, panel: Panel, names: Names): boolean {
  const { texts, signatures, rows, budget, columns, answers, memory, maxThreads, state } = job
  const { first, days, securities } = sizeOf(panel)
  const { panel: led } = job
  if (first !== led.first || days !== led.days || securities !== led.securities) return false
  const place = joinJob(job)
  if (place === null) return false
  const expressions = texts.flatMap((text, k) => sameThere(text, signatures[k], names) ?? [])
  if (expressions.length < texts.length) return false
  const graph = new Graph()
  const roots = expressions.map(({ tree }) => graph.include(tree.graph, tree.root))
  const own = { ...panel, columns: new Map([...panel.columns, ...columns]) }
  const plan = planOf(graph, roots, own, rows, budget, place)
  let isThere = false
  const turns = () => {
    const found = joining(state)
    isThere = found !== null
    return found
  }
  try {
    run({ plan, panel: own, wanted: rows, answers, wasm: true, memory, maxThreads, prepared: () => {}, turns })
  } catch (error) {
    if (isThere) fail(state)
    throw error
  } finally {
    if (isThere) leave(state)
  }
  return isThere
}

const sizeOf = ({ dates, securities }: Panel): ParallelJob['panel'] => ({
  first: dates[0],
  days: dates.length,
  securities: securities.length,
})

/** The compiled expression of a text, when its signature is the leader's. */
function sameThere(text: string, signature: string, names: Names): Expression | null {
  for (const made of [compile(text, names), compileRef(text, names)]) {
    if (made.ok && made.expression.tree.graph.signature(made.expression.tree.root) === signature) return made.expression
  }
  return null
}

/** The columns that the expressions read; null when one of them is not in shared memory. */
function sharedColumns(expressions: readonly Expression[], { columns }: Panel): Map<string, Float64Array> | null {
  if (typeof SharedArrayBuffer !== 'function') return null
  const read = new Map<string, Float64Array>()
  for (const { needs } of expressions) {
    for (const key of needs.fields) {
      const column = columns.get(key)
      if (!column) continue
      if (!isShared(column)) return null
      read.set(key, column)
    }
  }
  return read
}

const isShared = ({ buffer }: Float64Array): boolean => buffer instanceof SharedArrayBuffer

/** Room for new listings behind the last security; the rest of the rows is written by the calculation. */
function fillMargins(out: Float64Array, { securities, stride }: Panel): void {
  for (let at = 0; at < out.length; at += stride) out.fill(Number.NaN, at + securities.length, at + stride)
}
