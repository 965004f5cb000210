import { type Arena, ownArena } from '../kernels/index.ts'
import { placesOf } from '../screen/hold-range.ts'
import { weigh } from '../screen/weigh.ts'
import { idealRates } from './desk.ts'
import type { Marks } from './marks.ts'
import { behind, type PlainRoom, Plot, roomFor, sizeOfRoom, terms } from './plain-room.ts'
import type { Simulation } from './simulation.ts'

/** What runs on one ranking share, as the kernel reads it: see `PlainBoard`. */
export interface PlainTables {
  readonly later: 0 | 1
  readonly price: Float64Array
  readonly buyable: Uint8Array
  readonly due: Int32Array
  readonly unjudged: Uint8Array
}

/** The tables of a run in the memory of the kernel. */
interface Tables {
  readonly due: Int32Array
  readonly tradeDays: Int32Array
  readonly size: Int32Array
  readonly order: Int32Array
  readonly price: Float64Array
  readonly buyable: Uint8Array
  readonly fail: Uint8Array
  readonly unjudged: Uint8Array
}

/** What there is room for: signal days, places of each, securities, days. */
interface Size {
  readonly rows: number
  readonly depth: number
  readonly securities: number
  readonly days: number
}

/**
 * The kernel for the plain runs of a thread over the same closes by security (`engine/kernels/plain.ts`): the closes lie in its memory, with a
 * room and the tables of the board that was opened last. It lives the days on which nothing happens but rebalances to equal weights; all others
 * are lived by `Plain`, in the same room.
 */
export class PlainKernel {
  readonly room: PlainRoom
  readonly size: Size
  readonly #arena: Arena
  readonly #tables: Tables
  readonly #addresses: number
  #opened: PlainTables | null = null

  private constructor({ close, traded }: Marks, size: Size, arena: Arena) {
    const { rows, depth, securities, days } = size
    this.size = size
    this.#arena = arena
    const plot = new Plot(arena.cells.buffer)
    const room = roomFor(securities, days, plot)
    const closes = plot.doubles(securities * days + behind)
    const trades = plot.bytes(securities * days)
    closes.set(close)
    trades.set(traded)
    const tables: Tables = {
      due: plot.integers(securities),
      tradeDays: plot.integers(rows),
      size: plot.integers(rows),
      order: plot.integers(rows * depth),
      price: plot.doubles(rows * depth),
      buyable: plot.bytes(rows * depth),
      fail: plot.bytes(rows * securities),
      unjudged: plot.bytes(mostFailings),
    }
    const { due, tradeDays, size: pool, order, price: best, buyable, fail, unjudged } = tables
    // In the order that the kernel names them in.
    const inputs = [
      ...[room.units, room.price, room.now, room.seen, due],
      ...[room.held, room.list, room.places, room.close, room.open, room.sellers, room.parts, room.buyers],
      ...[room.equity, room.before, room.bought, room.sold],
      ...[closes, trades],
      ...[tradeDays, pool, order, best, buyable, fail, unjudged],
    ]
    const addresses = plot.integers(inputs.length)
    addresses.set(inputs.map(({ byteOffset }) => byteOffset))
    this.room = room
    this.#tables = tables
    this.#addresses = addresses.byteOffset
  }

  /** Null where closes lie by day, and where there is no WebAssembly. */
  static on(marks: Marks, size: Size): PlainKernel | null {
    const { rows, depth, securities, days } = size
    if (marks.perDay !== 1 || marks.perSecurity !== days || marks.close.length !== securities * days) return null
    const known = kernels.get(marks.close)
    if (known && known.size.rows >= rows && known.size.rows * known.size.depth >= rows * depth) return known
    const cells = securities * days
    const tables = rows * (8 + securities + 13 * depth) + 4 * securities
    const arena = ownArena(sizeOfRoom(securities, days) + 9 * cells + tables + spare)
    if (!arena.kernels) return null
    const made = new PlainKernel(marks, size, arena)
    kernels.set(marks.close, made)
    return made
  }

  /** Whether it can live a run: equal weights of as many places on every day. */
  static canLive({ recipe, parameters }: Simulation): boolean {
    return !recipe.holdRange.fraction && parameters.hold_method.hold_weight_type === 1 && parameters.hold_method.hold_max_weight > 0
  }

  /** Makes ready for a run on a board, from its first day. */
  open(board: PlainTables, run: Simulation): void {
    if (this.#opened !== board) this.#write(board, run)
    this.#opened = board
    const { parameters, recipe, settings, rankings } = run
    const { hold_max_weight: cap, hold_threshold: buffer, empty_slot: empty } = parameters.hold_method
    const { first, last } = placesOf(recipe.holdRange, rankings.count)
    const [weight] = weigh(1, 1, last - first + 1, cap, [], new Float64Array(1))
    const { buying, selling } = idealRates(settings.cost)
    const { days, securities } = this.size
    const { depth } = rankings
    const rows = rankings.days.length
    const rates = [buying, selling].flatMap(({ rate, tax, least }) => [rate, tax, least])
    const slip = settings.cost.slippage ?? 0
    this.room.state.set([slip, ...rates, weight, first, last, buffer, Number(empty === 'cash'), days, rows, depth, securities], terms)
  }

  /** Lives what it can from where the run stands. */
  live(): void {
    this.#arena.kernels?.live_plain(this.room.state.byteOffset, 0, this.#addresses, 0, 0, 0)
  }

  /** Values days, on the first of which there may have been trades. */
  value(from: number, to: number): void {
    this.#arena.kernels?.value_plain(this.room.state.byteOffset, 0, this.#addresses, from, to, 0)
  }

  #write(board: PlainTables, { rankings, first }: Simulation): void {
    const { due, tradeDays, size, order, price, buyable, fail, unjudged } = this.#tables
    due.set(board.due)
    tradeDays.set(rankings.days.map((day) => day + board.later - first))
    size.set(rankings.size)
    order.set(rankings.order)
    price.set(board.price)
    buyable.set(board.buyable)
    fail.set(rankings.fail)
    unjudged.set(board.unjudged)
  }
}

/** A failing is a byte. */
const mostFailings = 256
/** What rounding and the list of addresses take. */
const spare = 1024

const kernels = new WeakMap<Float64Array, PlainKernel>()
