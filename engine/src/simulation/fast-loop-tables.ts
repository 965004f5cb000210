import { fills as fillModes } from '@convexa/contract/enums/fill'
import { FastLoopKernel, type FastLoopKernelTables } from './fast-loop-kernel.ts'
import { noCloseUntil, noExitUntil } from './forced-exits.ts'
import type { Rankings } from './rankings.ts'
import { unjudgedRules } from './rebalance.ts'
import type { Simulation } from './simulation.ts'
import { type FastLoopState, stateFor } from './state-layout.ts'

/** Tables that all runs of the fast loop on one ranking share, made once from its order, closes and exits. Days are counted from the first of the run. */
export interface FastLoopTables extends FastLoopKernelTables {
  readonly marks: Simulation['marks']
  /** Orders are filled so many days after their signal. */
  readonly later: 0 | 1
  /** days × depth, as the table of the best: the close at which its orders are filled; NaN of who does not trade. */
  readonly price: Float64Array
  /** The same: 1 = it can be bought. */
  readonly buyable: Uint8Array
  /** By security: up to this day of the panel a position in it is not closed; the day from which it may have to be closed and is not bought. */
  readonly openUntil: Int32Array
  readonly due: Int32Array
  /** By what a ranking says of a security's failing: 1 = it is not judged anew. */
  readonly unjudged: Uint8Array
  /** State of the run under way; used by one run after the other. */
  readonly state: FastLoopState
  /** The kernel whose memory holds the state, where closes lie by security. */
  readonly kernel: FastLoopKernel | null
}

const tablesByRankings = new WeakMap<Rankings, FastLoopTables>()

export function fastLoopTables(run: Simulation): FastLoopTables {
  const later = fillModes[run.settings.fill].delay
  const cached = tablesByRankings.get(run.rankings)
  if (cached && cached.marks === run.marks && cached.later === later) return cached
  const made = tablesOf(run, later)
  tablesByRankings.set(run.rankings, made)
  return made
}

function tablesOf(run: Simulation, later: 0 | 1): FastLoopTables {
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
  const openUntil = noCloseUntil(run)
  const length = last - first + 1
  const kernel = FastLoopKernel.on(marks, { rows: days.length, depth, securities: count, days: length })
  return {
    marks,
    later,
    price,
    buyable,
    openUntil,
    due: noExitUntil(run, openUntil).map((day) => day - first + 1),
    unjudged: unjudgedRules(run),
    state: kernel?.state ?? stateFor(count, length),
    kernel,
  }
}
