import type { Node, Operand } from './graph.ts'

export interface RequiredDays {
  /** By node: 1 on the days it is wanted; null = on none. */
  readonly days: readonly (Uint8Array | null)[]
  /** How many days back it is looked at. */
  readonly furthest: Int32Array
  /** Of all nodes together; the last before the first where nothing is wanted. */
  readonly firstDay: number
  readonly lastDay: number
}

/** From the results back to the fields: which days of which node are needed. What reads its own day before is needed since the first day. */
export function requiredDays(nodes: readonly Node[], roots: readonly Operand[], dates: number, wanted: ArrayLike<number>): RequiredDays {
  const days: (Uint8Array | null)[] = nodes.map(() => null)
  const furthest = new Int32Array(nodes.length)
  const first = new Int32Array(nodes.length).fill(dates)
  const last = new Int32Array(nodes.length).fill(-1)
  const own = (node: number) => (days[node] ??= new Uint8Array(dates))
  const span = (node: number, from: number, to: number) => {
    first[node] = Math.min(first[node], from)
    last[node] = Math.max(last[node], to)
  }
  for (const { node, delay } of roots) {
    furthest[node] = Math.max(furthest[node], delay)
    const mine = own(node)
    for (let k = 0; k < wanted.length; k++) {
      const day = wanted[k] - delay
      if (day < 0 || wanted[k] >= dates) continue
      mine[day] = 1
      span(node, day, day)
    }
  }
  for (let n = nodes.length - 1; n >= 0; n--) {
    const node = nodes[n]
    const mine = days[n]
    if (!mine || node.kind !== 'operation') continue
    if (node.operation.recursive && last[n] >= 0) {
      furthest[n] = Math.max(furthest[n], 1)
      mine.fill(1, 0, last[n] + 1)
      first[n] = 0
    }
    for (const { node: of, delay } of node.inputs) {
      furthest[of] = Math.max(furthest[of], delay)
      const theirs = own(of)
      const from = Math.max(first[n], delay)
      if (from > last[n]) continue
      for (let day = from; day <= last[n]; day++) if (mine[day] === 1) theirs[day - delay] = 1
      span(of, from - delay, last[n] - delay)
    }
  }
  const lastDay = Math.min(dates, wanted.length === 0 ? 0 : wanted[wanted.length - 1] + 1) - 1
  const firstDay = Math.min(Math.max(0, lastDay), wanted.length === 0 ? 0 : wanted[0], ...first.filter((day) => day < dates))
  return { days, furthest, firstDay, lastDay }
}
