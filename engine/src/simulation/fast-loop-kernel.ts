import { holdWeights } from '@convexa/contract/enums/hold-weight'
import { type Arena, ownArena } from '../kernels/index.ts'
import { placesOf } from '../screen/hold-range.ts'
import { weigh } from '../screen/weigh.ts'
import { idealRates } from './execution-model.ts'
import type { MarkPrices } from './mark-prices.ts'
import * as of from './scalar-places.ts'
import type { Simulation } from './simulation.ts'
import { behind, type FastLoopState, StateLayout, sizeOfState, stateFor } from './state-layout.ts'

/** The tables of `FastLoopTables` that the kernel reads. */
export interface FastLoopKernelTables {
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

/** Capacity: signal days, places of each, securities, days. */
interface Size {
  readonly rows: number
  readonly depth: number
  readonly securities: number
  readonly days: number
}

/**
 * The fast loop's kernel of a thread over the same closes by security (`engine/kernels/fast-loop.ts`). Its memory holds the closes, the state of the
 * run and the tables opened last. It simulates the days that need nothing but rebalances to equal weights; `FastLoop` simulates all others on the
 * same state.
 */
export class FastLoopKernel {
  readonly state: FastLoopState
  readonly size: Size
  readonly #arena: Arena
  readonly #tables: Tables
  readonly #addresses: number
  #opened: FastLoopKernelTables | null = null

  private constructor({ close, traded }: MarkPrices, size: Size, arena: Arena) {
    const { rows, depth, securities, days } = size
    this.size = size
    this.#arena = arena
    const layout = new StateLayout(arena.cells.buffer)
    const state = stateFor(securities, days, layout)
    const closes = layout.doubles(securities * days + behind)
    const trades = layout.bytes(securities * days)
    closes.set(close)
    trades.set(traded)
    const tables: Tables = {
      due: layout.integers(securities),
      tradeDays: layout.integers(rows),
      size: layout.integers(rows),
      order: layout.integers(rows * depth),
      price: layout.doubles(rows * depth),
      buyable: layout.bytes(rows * depth),
      fail: layout.bytes(rows * securities),
      unjudged: layout.bytes(mostFailings),
    }
    const { due, tradeDays, size: pool, order, price: rankedClose, buyable, fail, unjudged } = tables
    const arrays: Record<(typeof of.kernelArrays)[number], { readonly byteOffset: number }> = {
      ...state,
      ...{ closes, traded: trades, dues: due, tradeDays, pool, order, rankedClose, buyable, fail, unjudged },
    }
    const addresses = layout.integers(of.kernelArrays.length)
    addresses.set(of.kernelArrays.map((name) => arrays[name].byteOffset))
    this.state = state
    this.#tables = tables
    this.#addresses = addresses.byteOffset
  }

  /** Null where closes lie by day, and where there is no WebAssembly. */
  static on(marks: MarkPrices, size: Size): FastLoopKernel | null {
    const { rows, depth, securities, days } = size
    if (marks.perDay !== 1 || marks.perSecurity !== days || marks.close.length !== securities * days) return null
    const cached = kernels.get(marks.close)
    if (cached && cached.size.rows >= rows && cached.size.rows * cached.size.depth >= rows * depth) return cached
    const cells = securities * days
    const tables = rows * (8 + securities + 13 * depth) + 4 * securities
    const arena = ownArena(sizeOfState(securities, days) + 9 * cells + tables + spare)
    if (!arena.kernels) return null
    const made = new FastLoopKernel(marks, size, arena)
    kernels.set(marks.close, made)
    return made
  }

  /** Whether it can simulate a run: equal weights of as many places on every day. */
  static canRun({ compiled, parameters }: Simulation): boolean {
    return (
      !compiled.holdRange.fraction &&
      holdWeights[parameters.hold_method.hold_weight_type].by === null &&
      parameters.hold_method.hold_max_weight > 0
    )
  }

  /** Prepares a run on these tables, from its first day. */
  open(tables: FastLoopKernelTables, run: Simulation): void {
    if (this.#opened !== tables) this.#write(tables, run)
    this.#opened = tables
    const { parameters, compiled, settings, rankings } = run
    const { hold_max_weight: cap, hold_threshold: buffer, empty_slot: empty } = parameters.hold_method
    const { first, last } = placesOf(compiled.holdRange, rankings.count)
    const [weight] = weigh(1, 1, last - first + 1, cap, [], new Float64Array(1))
    const { buying, selling } = idealRates(settings.cost)
    const { days, securities } = this.size
    const { depth } = rankings
    const rows = rankings.days.length
    const { scalars } = this.state
    scalars[of.slippage] = settings.cost.slippage ?? 0
    scalars[of.buyRate] = buying.rate
    scalars[of.buyTax] = buying.tax
    scalars[of.buyLeast] = buying.least
    scalars[of.sellRate] = selling.rate
    scalars[of.sellTax] = selling.tax
    scalars[of.sellLeast] = selling.least
    scalars[of.weight] = weight
    scalars[of.first] = first
    scalars[of.last] = last
    scalars[of.buffer] = buffer
    scalars[of.staysEmpty] = Number(empty === 'cash')
    scalars[of.days] = days
    scalars[of.rows] = rows
    scalars[of.depth] = depth
    scalars[of.securities] = securities
  }

  /** Simulates days from the current state, as far as it can. */
  step(): void {
    this.#arena.kernels?.simulate_days(this.state.scalars.byteOffset, 0, this.#addresses, 0, 0, 0)
  }

  /** Values days, on the first of which there may have been trades. */
  value(from: number, to: number): void {
    this.#arena.kernels?.value_days(this.state.scalars.byteOffset, 0, this.#addresses, from, to, 0)
  }

  #write(tables: FastLoopKernelTables, { rankings, first }: Simulation): void {
    const { due, tradeDays, size, order, price, buyable, fail, unjudged } = this.#tables
    due.set(tables.due)
    tradeDays.set(rankings.days.map((day) => day + tables.later - first))
    size.set(rankings.size)
    order.set(rankings.order)
    price.set(tables.price)
    buyable.set(tables.buyable)
    fail.set(rankings.fail)
    unjudged.set(tables.unjudged)
  }
}

/** A failing is a byte. */
const mostFailings = 256
/** What rounding and the list of addresses take. */
const spare = 1024

const kernels = new WeakMap<Float64Array, FastLoopKernel>()
