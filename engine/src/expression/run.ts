import { type Arena, arenaOf, arenaOn, rankScratch, type WasmKernel } from '../kernels/index.ts'
import type { Panel } from '../panel/panel.ts'
import type { Row } from './graph.ts'
import type { Turns } from './parallel-evaluation.ts'
import type { Plan, Rows, Stage, Step } from './plan.ts'

/** Days of a cross-section that are one turn. */
const turnDays = 4

export interface Job {
  readonly plan: Plan
  readonly panel: Panel
  readonly wanted: ArrayLike<number>
  readonly answers: readonly Float64Array[]
  readonly wasm: boolean
  /** Of the leader, when it joins one; rows are prepared there. */
  readonly memory: WebAssembly.Memory | null
  /** Threads that memory is reserved for. */
  readonly maxThreads: number
  /** Called when rows are prepared, before the first stage; null: in a memory that nobody else can work on. */
  prepared(memory: WebAssembly.Memory | null): void
  /** Asked for when this thread is ready to take its first one. */
  turns(): Turns | null
}

/** Computes the plan: stage after stage, all days at once or piece by piece; or from the stage on that is under way. */
export function run(job: Job): void {
  const { plan } = job
  const { stages, piece, firstDay, lastDay } = plan
  const thread = threadOf(job)
  const turns = job.turns()
  if (!turns) return
  const pieces = Math.ceil((lastDay - firstDay + 1) / piece)
  for (let at = turns.begun; at < pieces * stages.length; at++) {
    const from = firstDay + Math.floor(at / stages.length) * piece
    const to = Math.min(from + piece - 1, lastDay)
    const stage = stages[at % stages.length]
    if (stage.crossSection) takeDays(thread, stage, from, to, turns)
    else takeStrips(thread, stage, from, to, turns)
    if (!turns.meet()) return
  }
}

/** What a thread computes with. Places are in cells, those called addresses in bytes. */
interface Thread {
  readonly plan: Plan
  readonly panel: Panel
  readonly answers: readonly Float64Array[]
  readonly arena: Arena
  readonly calls: ReadonlyMap<Step, Call>
  /** Place of each day in the answers; −1 = not asked for. */
  readonly rowOfDay: Int32Array
  /** 1 on the days on which all securities are listed. */
  readonly wholly: Uint8Array
  /** Where rows begin. */
  readonly rows: number
  /** Address of a copy of `panel.listed`, as if it began with the panel's first day. */
  readonly listed: number
  readonly row: Row
  /** By input: days until its address is to be looked up again. */
  readonly left: Int32Array
  /** Up to which day of which strip a sliding window has come. */
  readonly slid: Map<Step, { readonly strip: number; readonly day: number }>
}

/** A kernel with the numbers that it takes. */
interface Call {
  readonly kernel: WasmKernel
  readonly one: number
  readonly two: number
  readonly three: number
}

/** Nothing is at address 0. */
const reserved = 64

function threadOf({ plan, panel, wanted, answers, wasm, memory, maxThreads, prepared }: Job): Thread {
  const securities = panel.securities.length
  const runs = plan.stages.flatMap(({ steps }) => steps).filter((step) => step.kind === 'run')
  const lists = runs.flatMap(({ wasm }) => (wasm?.list ? [wasm.list] : []))
  const listCells = lists.reduce((sum, list) => sum + list.length, 0)
  const listedBytes = (plan.lastDay - plan.firstDay + 1) * panel.stride
  const listed = reserved + 8 * listCells
  const rows = Math.ceil((listed + listedBytes) / 64) * 8
  const arena = memory ? arenaOn(memory) : arenaOf(8 * (rows + plan.shared + maxThreads * plan.ofThread), wasm)
  const { cells, bytes } = arena
  if (!memory) {
    for (const { at, value } of plan.fills) cells.fill(value, rows + at, rows + at + plan.wide)
    bytes.set(panel.listed.subarray(plan.firstDay * panel.stride, (plan.lastDay + 1) * panel.stride), listed)
    let at = reserved / 8
    for (const list of lists) {
      cells.set(list, at)
      at += list.length
    }
    prepared(arena.memory)
  }
  const rowOfDay = new Int32Array(panel.dates.length).fill(-1)
  for (let k = 0; k < wanted.length; k++) rowOfDay[wanted[k]] = k
  return {
    ...{ plan, panel, answers, arena, rowOfDay, rows, wholly: whollyListed(panel, wanted), calls: callsOf(runs, arena) },
    listed: listed - plan.firstDay * panel.stride,
    row: rowOf(plan, panel, cells, securities),
    left: new Int32Array(plan.mostInputs),
    slid: new Map(),
  }
}

/** Of the days asked for. */
function whollyListed({ listed, stride, securities, dates }: Panel, days: ArrayLike<number>): Uint8Array {
  const wholly = new Uint8Array(dates.length)
  for (let k = 0; k < days.length; k++) {
    const from = days[k] * stride
    wholly[days[k]] = Number(!listed.subarray(from, from + securities.length).includes(0))
  }
  return wholly
}

function callsOf(runs: readonly Run[], { kernels }: Arena): Map<Step, Call> {
  const found = new Map<Step, Call>()
  if (!kernels) return found
  let address = reserved
  for (const step of runs) {
    if (!step.wasm) continue
    const { kernel, numbers = [], list } = step.wasm
    const [one = 0, two = 0, three = 0] = list ? [address, list.length] : numbers
    found.set(step, { kernel: kernels[kernel], one, two, three })
    address += 8 * (list?.length ?? 0)
  }
  return found
}

function rowOf(plan: Plan, panel: Panel, cells: Float64Array, securities: number): Row {
  const isSection = plan.stages.some(({ crossSection }) => crossSection)
  return {
    ...{ out: cells, at: 0, count: 0, listed: panel.listed, listedFrom: 0, day: 0, first: 0, before: cells, beforeFrom: 0 },
    inputs: Array<Float64Array>(plan.mostInputs).fill(cells),
    from: Array<number>(plan.mostInputs).fill(0),
    scratch: rankScratch(isSection ? securities : 0),
    points: new Int32Array(isSection ? securities : plan.width),
  }
}

function takeStrips(thread: Thread, { steps }: Stage, from: number, to: number, turns: Turns): void {
  const { plan, panel } = thread
  const securities = panel.securities.length
  for (let strip = turns.next(); strip < plan.strips; strip = turns.next()) {
    const first = strip * plan.width
    const count = Math.min(plan.width, securities - first)
    for (let day = from; day <= to; day += plan.block) {
      const last = Math.min(day + plan.block - 1, to)
      for (const step of steps) take(thread, step, { from: day, to: last, strip, first, count })
    }
  }
}

function takeDays(thread: Thread, { steps }: Stage, from: number, to: number, turns: Turns): void {
  const count = thread.panel.securities.length
  for (let day = from + turnDays * turns.next(); day <= to; day = from + turnDays * turns.next()) {
    const last = Math.min(day + turnDays - 1, to)
    for (const step of steps) take(thread, step, { from: day, to: last, strip: 0, first: 0, count })
  }
}

/** What a step is computed for: days, and securities from the first one of a strip on. */
interface Part {
  readonly from: number
  readonly to: number
  readonly strip: number
  readonly first: number
  readonly count: number
}

type Load = Extract<Step, { kind: 'load' }>
type Run = Extract<Step, { kind: 'run' }>
type Answer = Extract<Step, { kind: 'answer' }>

function take(thread: Thread, step: Step, part: Part): void {
  if (step.kind === 'load') load(thread, step, part)
  else if (step.kind === 'answer') answer(thread, step, part)
  else {
    const call = thread.calls.get(step)
    if (!call) callTwin(thread, step, part)
    else if (step.wasm?.slides) slide(thread, step, call, step.wasm.slides.series, part)
    else callKernel(thread, step, call, part)
  }
}

function load({ arena, panel, rows }: Thread, { key, days, result }: Load, { from, to, strip, first, count }: Part): void {
  const column = panel.columns.get(key)
  if (!column) throw new Error(`the panel was loaded without the field ${key}`)
  for (let day = from; day <= to; day++) {
    if (days[day] === 0) continue
    const at = day * panel.stride + first
    arena.cells.set(column.subarray(at, at + count), rows + rowAt(result, day, strip))
  }
}

function callKernel(thread: Thread, step: Run, call: Call, { from, to, strip, first, count }: Part): void {
  const { rows, listed, panel, plan } = thread
  const { words } = thread.arena
  const { inputs, delays, days, result } = step
  const { kernel, one, two } = call
  const readsListed = step.wasm?.readsListed === true
  const readsBefore = step.wasm?.readsBefore === true
  // Kernels take four cells at a time; only those that read the listing count to the last.
  const cells = readsListed ? count : Math.ceil(count / 4) * 4
  const table = 8 * (rows + plan.table)
  const scratch = 8 * (rows + plan.scratch)
  const entry = table / 4
  // From one day to the next an address goes on by a row; it is looked up where the rows begin anew, and after a day that is left out.
  const left = thread.left
  let before = -2
  for (let day = from; day <= to; day++) {
    if (days[day] === 0) continue
    const follows = day === before + 1
    for (let k = 0; k < inputs.length; k++) {
      const input = inputs[k]
      if (follows && left[k] > 0) words[entry + k] += 8 * input.stride
      else {
        const past = day - delays[k]
        words[entry + k] = 8 * (rows + rowAt(input, past, strip))
        left[k] = past < 0 ? 1 : input.period - (past % input.period)
      }
      left[k]--
    }
    if (readsBefore) words[entry + inputs.length] = 8 * (rows + rowAt(result, day - 1, strip))
    before = day
    const out = 8 * (rows + rowAt(result, day, strip))
    if (readsListed) kernel(out, cells, table, listed + day * panel.stride + first, scratch, one)
    else kernel(out, cells, table, one, two, 0)
  }
}

/**
 * Windows that are kept sorted from day to day: the kernel gets the days since its last call or, after a gap as long as the window, all days
 * of the first window. Days in between without a wanted result only pass through the window.
 */
function slide(thread: Thread, step: Run, { kernel, one: window, two: minimum, three }: Call, series: number, part: Part): void {
  const { rows, plan, slid } = thread
  const { words } = thread.arena
  const { inputs, delays, days, result } = step
  const { from, to, strip, count } = part
  const last = days.lastIndexOf(1, to)
  const first = days.indexOf(1, from)
  if (first < 0 || first > last) return
  const known = slid.get(step)
  const isKnown = known !== undefined && known.strip === strip && known.day < first && known.day > first - window
  const begin = isKnown ? known.day + 1 : first - window + 1
  slid.set(step, { strip, day: last })
  const table = 8 * (rows + plan.table)
  let entry = table / 4
  for (let each = 0; each < series; each++) {
    const input = inputs[each * window]
    const delay = delays[each * window]
    for (let day = begin; day <= last; day++) words[entry++] = 8 * (rows + rowAt(input, day - delay, strip))
  }
  for (let day = begin; day <= last; day++) words[entry++] = day >= first && days[day] === 1 ? 8 * (rows + rowAt(result, day, strip)) : 0
  kernel(table, count, window, last - begin + 1, minimum, 8 * (rows + step.kept), Number(!isKnown), three)
}

function callTwin({ row, rows, panel }: Thread, { inputs, delays, days, result, run }: Run, { from, to, strip, first, count }: Part): void {
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

function answer(thread: Thread, { root, source, delay }: Answer, { from, to, strip, first, count }: Part): void {
  const { rowOfDay, answers, panel, rows, plan, arena, listed, wholly } = thread
  const { cells, kernels, words } = arena
  const out = answers[root]
  const masked = rows + plan.masked
  const table = rows + plan.table
  for (let day = from; day <= to; day++) {
    if (rowOfDay[day] < 0) continue
    const at = rowOfDay[day] * panel.stride + first
    const listedAt = day * panel.stride + first
    const place = rows + rowAt(source, day - delay, strip)
    if (wholly[day] === 1) out.set(cells.subarray(place, place + count), at)
    else if (kernels) {
      words[2 * table] = 8 * place
      kernels['listed_only'](8 * masked, count, 8 * table, listed + listedAt, 0, 0)
      out.set(cells.subarray(masked, masked + count), at)
    } else for (let i = 0; i < count; i++) out[at + i] = panel.listed[listedAt + i] === 1 ? cells[place + i] : Number.NaN
  }
}

function rowAt({ base, period, stride, ofStrip, outside }: Rows, day: number, strip: number): number {
  return day < 0 ? outside : base + (day % period) * stride + strip * ofStrip
}
