import { quietUntil, stayUntil } from './leave.ts'
import { PlainKernel, type PlainTables } from './plain-kernel.ts'
import { type PlainRoom, roomFor } from './plain-room.ts'
import type { Rankings } from './rankings.ts'
import { unjudgedRules } from './rebalance.ts'
import type { Simulation } from './simulation.ts'

/** What plain runs on one ranking share: read off its tables, closes and exits once. Days are counted from the first of the run. */
export interface PlainBoard extends PlainTables {
  readonly marks: Simulation['marks']
  /** Orders are filled so many days after their signal. */
  readonly later: 0 | 1
  /** days × depth, as the table of the best: the close at which its orders are filled; NaN of who does not trade. */
  readonly price: Float64Array
  /** The same: 1 = it can be bought. */
  readonly buyable: Uint8Array
  /** By security: up to this day of the panel nothing is to be settled; the day from which it may have to leave and is not bought. */
  readonly quiet: Int32Array
  readonly due: Int32Array
  /** By what a ranking says of a security's failing: 1 = it is not judged anew. */
  readonly unjudged: Uint8Array
  /** Room for a run. */
  readonly room: PlainRoom
  /** Whose room it is, where closes lie by security. */
  readonly kernel: PlainKernel | null
}

const boards = new WeakMap<Rankings, PlainBoard>()

export function plainBoard(run: Simulation): PlainBoard {
  const later = run.settings.fill === 'close' ? 0 : 1
  const known = boards.get(run.rankings)
  if (known && known.marks === run.marks && known.later === later) return known
  const made = boardOf(run, later)
  boards.set(run.rankings, made)
  return made
}

function boardOf(run: Simulation, later: 0 | 1): PlainBoard {
  const { rankings, marks, exits, first, last } = run
  const { days, order, depth, count } = rankings
  const { close, traded, perDay, perSecurity, origin } = marks
  const price = new Float64Array(order.length).fill(Number.NaN)
  const buyable = new Uint8Array(order.length)
  days.forEach((signal, row) => {
    const t = signal + later
    if (t > last) return
    for (let p = row * depth; p < (row + 1) * depth && order[p] >= 0; p++) {
      const at = t * perDay + order[p] * perSecurity - origin
      if (traded[at] === 0 || !(close[at] > 0)) continue
      price[p] = close[at]
      buyable[p] = Number(t < exits.leave[order[p]])
    }
  })
  const quiet = quietUntil(run)
  const length = last - first + 1
  const kernel = PlainKernel.on(marks, { rows: days.length, depth, securities: count, days: length })
  return {
    marks,
    later,
    price,
    buyable,
    quiet,
    due: stayUntil(run, quiet).map((day) => day - first + 1),
    unjudged: unjudgedRules(run),
    room: kernel?.room ?? roomFor(count, length),
    kernel,
  }
}
