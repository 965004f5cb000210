import { type Arena, arenaOf, giveBack, rankScratch, type WasmKernel } from '../kernels/index.ts'
import type { Panel } from '../panel/panel.ts'
import type { Expression } from './compile.ts'
import { Graph, type Row } from './graph.ts'
import { type Plan, planOf, type Rows, type Stage, type Step } from './plan.ts'

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
  /** Bytes that the rows which whole cross-sections are made of may take for all days at once; beyond, the days are done piece by piece. */
  readonly budget?: number
}

const megabyte = 1024 * 1024

/** Several at once: what they have in common is computed once. */
export function evaluateAll(
  expressions: readonly Expression[],
  panel: Panel,
  rows?: ArrayLike<number>,
  { wasm = true, budget = 512 * megabyte }: EvaluateOptions = {},
): Float64Array[] {
  const wanted = rows ?? Array.from(panel.dates, (_, day) => day)
  const answers = expressions.map(() => new Float64Array(wanted.length * panel.stride).fill(Number.NaN))
  if (wanted.length === 0 || panel.dates.length === 0 || panel.securities.length === 0) return answers
  const graph = new Graph()
  const roots = expressions.map(({ tree }) => graph.include(tree.graph, tree.root))
  const plan = planOf(graph, roots, panel, wanted, budget)
  try {
    run(plan, panel, wanted, answers, wasm)
  } finally {
    giveBack()
  }
  return answers
}

/** Addresses before these are left alone: nothing is at address 0. */
const reserved = 1024
/** Room to work in for a ranking: two numbers for each cell and its tables of counts. */
const rankingBytes = (securities: number) => 16 * securities + 16_384

/** One piece of work after the other, in threads side by side: strips of a stage, days of a cross-section. */
interface Turn {
  next(): number
}

/** Days of a cross-section that are one piece of work. */
const turnDays = 4

function run(plan: Plan, panel: Panel, wanted: ArrayLike<number>, answers: readonly Float64Array[], wasm: boolean): void {
  const { stages, firstDay, lastDay, piece } = plan
  const lane = laneOf(plan, panel, wanted, answers, wasm)
  for (let from = firstDay; from <= lastDay; from += piece) {
    const to = Math.min(from + piece - 1, lastDay)
    for (const stage of stages) {
      let done = 0
      const turn = { next: () => done++ }
      if (stage.crossSection) takeDays(lane, stage, from, to, turn)
      else takeStrips(lane, stage, from, to, turn)
    }
  }
}

/** What a thread computes with. */
interface Lane {
  readonly plan: Plan
  readonly panel: Panel
  readonly answers: readonly Float64Array[]
  readonly arena: Arena
  readonly kernels: Map<Step, WasmKernel>
  /** Place of each day in the answers; −1 = not asked for. */
  readonly asked: Int32Array
  /** In cells: where rows begin. In bytes: the table of inputs, a copy of `panel.listed` since the first day, room to work in. */
  readonly rows: number
  readonly table: number
  readonly listed: number
  readonly scratch: number
  readonly row: Row
}

function laneOf(plan: Plan, panel: Panel, wanted: ArrayLike<number>, answers: readonly Float64Array[], wasm: boolean): Lane {
  const securities = panel.securities.length
  const steps = plan.stages.flatMap(({ steps }) => steps)
  const readsListed = steps.some((step) => step.kind === 'run' && step.wasm?.readsListed)
  const listedBytes = readsListed ? (plan.lastDay - plan.firstDay + 1) * panel.stride : 0
  const table = reserved
  const scratch = lined(table + 4 * plan.mostInputs)
  const listed = lined(scratch + rankingBytes(securities))
  const rows = lined(listed + listedBytes) / 8
  const arena = arenaOf(8 * (rows + plan.local + plan.ofLane), wasm)
  const { cells, bytes, kernels } = arena
  for (const { at, value } of plan.fills) cells.fill(value, rows + at, rows + at + plan.wide)
  if (readsListed && kernels) bytes.set(panel.listed.subarray(plan.firstDay * panel.stride, (plan.lastDay + 1) * panel.stride), listed)
  const asked = new Int32Array(panel.dates.length).fill(-1)
  for (let k = 0; k < wanted.length; k++) asked[wanted[k]] = k
  const found = new Map<Step, WasmKernel>()
  for (const step of steps) if (kernels && step.kind === 'run' && step.wasm) found.set(step, kernels[step.wasm.kernel])
  const isSection = plan.stages.some(({ crossSection }) => crossSection)
  const row: Row = {
    ...{
      out: cells,
      at: 0,
      count: 0,
      inputs: Array<Float64Array>(plan.mostInputs).fill(cells),
      from: Array<number>(plan.mostInputs).fill(0),
    },
    ...{ listed: panel.listed, listedFrom: 0, scratch: rankScratch(isSection ? securities : 0) },
    ...{ points: new Int32Array(isSection ? securities : plan.width), day: 0, first: 0, before: cells, beforeFrom: 0 },
  }
  return { plan, panel, answers, arena, kernels: found, asked, rows, table, listed, scratch, row }
}

/** Up to the next line of the cache. */
const lined = (bytes: number) => Math.ceil(bytes / 64) * 64

function takeStrips(lane: Lane, { steps }: Stage, from: number, to: number, turn: Turn): void {
  const { plan, panel } = lane
  const securities = panel.securities.length
  for (let strip = turn.next(); strip < plan.strips; strip = turn.next()) {
    const first = strip * plan.width
    const count = Math.min(plan.width, securities - first)
    for (let day = from; day <= to; day += plan.block) {
      const last = Math.min(day + plan.block - 1, to)
      for (const step of steps) take(lane, step, day, last, strip, first, count)
    }
  }
}

function takeDays(lane: Lane, { steps }: Stage, from: number, to: number, turn: Turn): void {
  const securities = lane.panel.securities.length
  for (let day = from + turnDays * turn.next(); day <= to; day = from + turnDays * turn.next()) {
    const last = Math.min(day + turnDays - 1, to)
    for (const step of steps) take(lane, step, day, last, 0, 0, securities)
  }
}

function take(lane: Lane, step: Step, from: number, to: number, strip: number, first: number, count: number): void {
  const kernel = lane.kernels.get(step)
  if (step.kind === 'load') load(lane, step, from, to, strip, first, count)
  else if (step.kind === 'answer') answer(lane, step, from, to, strip, first, count)
  else if (kernel) callKernel(lane, step, kernel, from, to, strip, first, count)
  else callTwin(lane, step, from, to, strip, first, count)
}

type Load = Extract<Step, { kind: 'load' }>
type Run = Extract<Step, { kind: 'run' }>
type Answer = Extract<Step, { kind: 'answer' }>

function load(
  { arena, panel, rows }: Lane,
  { key, days, result }: Load,
  from: number,
  to: number,
  strip: number,
  first: number,
  count: number,
): void {
  const column = panel.columns.get(key)
  if (!column) throw new Error(`the panel was loaded without the field ${key}`)
  for (let day = from; day <= to; day++) {
    if (days[day] === 0) continue
    const at = day * panel.stride + first
    arena.cells.set(column.subarray(at, at + count), rows + rowAt(result, day, strip))
  }
}

function callKernel(
  lane: Lane,
  step: Run,
  kernel: WasmKernel,
  from: number,
  to: number,
  strip: number,
  first: number,
  count: number,
): void {
  const { rows, table, listed, scratch, panel, plan } = lane
  const { words } = lane.arena
  const { inputs, delays, days, result } = step
  const { numbers = [], readsListed = false } = step.wasm!
  const [one = 0, two = 0] = numbers
  const entry = table / 4
  // Kernels take four cells at a time; only those that read the listing count to the last.
  const cells = readsListed ? count : Math.ceil(count / 4) * 4
  for (let day = from; day <= to; day++) {
    if (days[day] === 0) continue
    for (let k = 0; k < inputs.length; k++) words[entry + k] = 8 * (rows + rowAt(inputs[k], day - delays[k], strip))
    const out = 8 * (rows + rowAt(result, day, strip))
    if (readsListed) kernel(out, cells, table, listed + (day - plan.firstDay) * panel.stride + first, scratch)
    else kernel(out, cells, table, one, two)
  }
}

function callTwin({ row, rows, panel }: Lane, step: Run, from: number, to: number, strip: number, first: number, count: number): void {
  const { inputs, delays, days, result, run } = step
  row.count = count
  row.first = first
  for (let day = from; day <= to; day++) {
    if (days[day] === 0) continue
    for (let k = 0; k < inputs.length; k++) row.from[k] = rows + rowAt(inputs[k], day - delays[k], strip)
    row.day = day
    row.listedFrom = day * panel.stride + first
    row.at = rows + rowAt(result, day, strip)
    row.beforeFrom = rows + rowAt(result, day - 1, strip)
    run(row)
  }
}

function answer(lane: Lane, { root, source, delay }: Answer, from: number, to: number, strip: number, first: number, count: number): void {
  const { asked, answers, panel, rows } = lane
  const { cells } = lane.arena
  const { listed, stride } = panel
  const out = answers[root]
  for (let day = from; day <= to; day++) {
    if (asked[day] < 0) continue
    const at = asked[day] * stride + first
    const listedAt = day * stride + first
    const place = rows + rowAt(source, day - delay, strip)
    for (let i = 0; i < count; i++) out[at + i] = listed[listedAt + i] === 1 ? cells[place + i] : Number.NaN
  }
}

function rowAt({ base, period, stride, ofStrip, outside }: Rows, day: number, strip: number): number {
  return day < 0 ? outside : base + (day % period) * stride + strip * ofStrip
}
