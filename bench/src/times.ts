/** What a list of measured milliseconds comes to. */
export interface Times {
  readonly median: number
  readonly best: number
  readonly worst: number
  readonly count: number
}

export function timesOf(ms: readonly number[]): Times {
  const sorted = [...ms].sort((a, b) => a - b)
  return { median: at(sorted, 0.5), best: sorted[0] ?? Number.NaN, worst: sorted.at(-1) ?? Number.NaN, count: ms.length }
}

/** The value below which a share of the (ascending) values lies: 0.5 is the median, the higher of two middle ones. */
export function at(sorted: readonly number[], share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? Number.NaN
}

/** One run: by the clock, and in processor time of the whole process. The latter is what is left when others use the machine too. */
export interface Run {
  readonly ms: number
  readonly cpu: number
}

/** Runs some work once and says how long it took. */
export function timed<T>(work: () => T): [run: Run, value: T] {
  const before = process.cpuUsage()
  const started = performance.now()
  const value = work()
  const ms = performance.now() - started
  const { user, system } = process.cpuUsage(before)
  return [{ ms, cpu: (user + system) / 1000 }, value]
}

/** The same for work that waits. */
export async function timedAsync<T>(work: () => Promise<T>): Promise<[run: Run, value: T]> {
  const before = process.cpuUsage()
  const started = performance.now()
  const value = await work()
  const ms = performance.now() - started
  const { user, system } = process.cpuUsage(before)
  return [{ ms, cpu: (user + system) / 1000 }, value]
}

export const clockOf = (runs: readonly Run[]): Times => timesOf(runs.map(({ ms }) => ms))
export const cpuOf = (runs: readonly Run[]): Times => timesOf(runs.map(({ cpu }) => cpu))

/** 0.123 · 1.23 · 12.3 · 123: three digits, as more would only be noise. */
export function short(value: number): string {
  if (!Number.isFinite(value)) return '–'
  if (value >= 100) return value.toFixed(0)
  return value.toPrecision(3)
}

/** Median with the spread of all runs, in milliseconds. */
export function told({ median, best, worst, count }: Times): string {
  return count > 1 ? `${short(median)} (${short(best)}–${short(worst)})` : short(median)
}

let sink = 0

/** ns a cell of copying one Float64 panel of this size into another, the best of some: what no kernel can be quicker than. */
export function copyLimit(cells: number): number {
  const from = new Float64Array(cells).fill(1)
  const to = new Float64Array(cells).fill(2)
  const runs: Run[] = []
  for (let k = 0; k < 9; k++) {
    from[k] = k
    runs.push(timed(() => to.set(from))[0])
    sink += to[k]!
  }
  if (sink < 0) throw new Error('never')
  return (Math.min(clockOf(runs).best, cpuOf(runs).best) * 1e6) / cells
}
