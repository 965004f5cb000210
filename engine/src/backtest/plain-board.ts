import { quietUntil, stayUntil } from './leave.ts'
import type { Rankings } from './rankings.ts'
import { unjudgedRules } from './rebalance.ts'
import type { Simulation } from './simulation.ts'

/** What plain runs on one ranking share: read off its tables, closes and exits once. Days are counted from the first of the run. */
export interface PlainBoard {
  readonly marks: Simulation['marks']
  /** Orders are filled so many days after their signal. */
  readonly later: 0 | 1
  /** days × depth, as the table of the best: the close at which its orders are filled; NaN of who does not trade. */
  readonly price: Float64Array
  /** The same: 1 = it can be bought. */
  readonly buyable: Uint8Array
  /** By security: up to this day of the panel nothing is to be settled; the day from which it may have to leave. */
  readonly quiet: Int32Array
  readonly due: Int32Array
  /** By what a ranking says of a security's failing: 1 = it is not judged anew. */
  readonly unjudged: Uint8Array
  /** Room for a run; whoever takes it leaves no units in it. */
  readonly room: PlainRoom
}

export interface PlainRoom {
  /** By security: units held, the price last valued at, the price of the rebalance, and the last row that looked at it, counted from 1. */
  readonly units: Float64Array
  readonly price: Float64Array
  readonly now: Float64Array
  readonly seen: Int32Array
  /** Who is held, in the order of buying. */
  readonly held: Int32Array
  /** Of a selection, in the order of trading: who, at which place, and the close each may be traded at (NaN: not that day). */
  readonly list: Int32Array
  readonly places: Int32Array
  readonly close: Float64Array
  /** Lists of a rebalance: places that nobody held, who sells and how many units, and which of the selection buy. */
  readonly open: Int32Array
  readonly sellers: Int32Array
  readonly parts: Float64Array
  readonly buyers: Int32Array
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
  return {
    marks,
    later,
    price,
    buyable,
    quiet,
    due: stayUntil(run, quiet).map((day) => day - first + 1),
    unjudged: unjudgedRules(run),
    room: roomFor(count),
  }
}

function roomFor(count: number): PlainRoom {
  const [units, price, now, close, parts] = Array.from({ length: 5 }, () => new Float64Array(count + 1))
  const [seen, held, list, places, open, sellers, buyers] = Array.from({ length: 7 }, () => new Int32Array(count + 1))
  return { units, price, now, seen, held, list, places, close, open, sellers, parts, buyers }
}
