import type { Node } from './graph.ts'
import type { Order } from './order.ts'
import type { RequiredDays } from './required-days.ts'

/** Where a node's rows are: that of a day at base + (day % period) · stride + strip · ofStrip, in cells of its region. */
interface Place {
  /** Kept throughout; whole rows; rows of one strip, used by each strip anew. */
  readonly region: 'kept' | 'whole' | 'local'
  readonly base: number
  readonly period: number
  readonly stride: number
  readonly ofStrip: number
}

export interface Sizes {
  /** Days that are computed; those that all stages are done for before the next ones; those of a node's turn in a strip. */
  readonly range: number
  readonly piece: number
  readonly block: number
  /** Securities of a strip, and strips. */
  readonly width: number
  readonly strips: number
  /** Cells of a whole row, and of a strip's. */
  readonly wide: number
  readonly narrow: number
}

/** Space for rows: what is given back is used again for the same size. */
interface Room {
  take(size: number): number
  give(at: number, size: number): void
  /** The end of all that was ever taken. */
  most(): number
}

function room(): Room {
  const free = new Map<number, number[]>()
  let end = 0
  return {
    take(size) {
      const at = free.get(size)?.pop()
      if (at !== undefined) return at
      end += size
      return end - size
    },
    give(at, size) {
      const known = free.get(size)
      if (known) known.push(at)
      else free.set(size, [at])
    },
    most: () => end,
  }
}

export interface Layout {
  readonly places: readonly (Place | null)[]
  readonly kept: Room
  readonly whole: Room
  /** Cells of the largest stage's own rows. */
  readonly local: number
}

export function layOut(nodes: readonly Node[], order: Order, { furthest }: RequiredDays, sizes: Sizes): Layout {
  const { range, piece, block, width, strips, wide, narrow } = sizes
  const isWhole = piece === range
  const places: (Place | null)[] = nodes.map(() => null)
  const kept = room()
  const whole = room()
  let local = 0
  const lastIn = order.stages.map(({ members }) => lastReaders(nodes, members))
  order.stages.forEach(({ members }, s) => {
    const own = room()
    const dying = new Map<number, Place[]>()
    const ending: Place[] = []
    for (const n of members) {
      const place = order.isLocal[n] === 1 ? ofStrip(n) : ofMarket(n)
      places[n] = place
      // A row that is looked back at is kept until the stage ends.
      if (place.region === 'local' && furthest[n] === 0) {
        const last = lastIn[s].get(n) ?? n
        dying.set(last, [...(dying.get(last) ?? []), place])
      }
      for (const over of dying.get(n) ?? []) own.give(over.base, over.period * narrow)
    }
    local = Math.max(local, own.most())
    for (const n of nodesEndingIn(s)) {
      const place = places[n]
      if (place?.region === 'whole' && (isWhole || furthest[n] === 0)) ending.push(place)
    }
    for (const over of ending) whole.give(over.base, over.period * wide)

    function ofStrip(n: number): Place {
      const period = furthest[n] + block
      // Piece by piece, the days before must still be there when the strip's turn comes again.
      if (furthest[n] > 0 && !isWhole)
        return { region: 'kept', base: kept.take(period * narrow * strips), period, stride: narrow, ofStrip: period * narrow }
      return { region: 'local', base: own.take(period * narrow), period, stride: narrow, ofStrip: 0 }
    }
  })
  function ofMarket(n: number): Place {
    const period = isWhole ? range : furthest[n] + piece
    return { region: 'whole', base: whole.take(period * wide), period, stride: wide, ofStrip: width }
  }
  function nodesEndingIn(stage: number): number[] {
    return nodes.flatMap((_, n) => (order.stageOf[n] >= 0 && order.isLocal[n] === 0 && order.lastRead[n] === stage ? [n] : []))
  }
  return { places, kept, whole, local }
}

/** The last of these nodes that reads each node. */
function lastReaders(nodes: readonly Node[], members: readonly number[]): Map<number, number> {
  const last = new Map<number, number>()
  for (const n of members) {
    const node = nodes[n]
    if (node.kind === 'operation') for (const { node: of } of node.inputs) last.set(of, n)
  }
  return last
}
