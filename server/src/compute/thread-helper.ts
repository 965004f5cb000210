import { loadavg } from 'node:os'
import { askedToLeave, atWork, nobody, type SharedGridWork } from '@convexa/engine'
import { endParallelJob, type ParallelJob, recallHelpers } from '@convexa/engine/expression'
import { usableCores } from '../base/capacity.ts'

/** What a thread does of another's piece, as its pool deals with it. */
export interface Part {
  /** Of a grid, and its place among the helpers there. */
  readonly offer: SharedGridWork | null
  readonly place: number | null
  /** Others wait for its thread. */
  ask(): void
  /** It has left, or its thread was lost. True where there is nothing left to do. */
  left(isLost: boolean): boolean
  /** The thread that leads was lost. */
  leadLost(): void
}

/** Cells of a grid. */
export function gridPartOf(offer: SharedGridWork, place: number): Part {
  let isAsked = false
  Atomics.store(offer.helpers, place, atWork)
  return {
    offer,
    place,
    ask() {
      isAsked = true
      Atomics.compareExchange(offer.helpers, place, atWork, askedToLeave)
    },
    left() {
      Atomics.store(offer.helpers, place, nobody)
      Atomics.notify(offer.helpers, place)
      // A helper that was not asked to leave found no work left.
      return !isAsked
    },
    leadLost() {},
  }
}

/** Strips and days of an evaluation. */
export function memberOf({ state }: ParallelJob): Part {
  return {
    ...{ offer: null, place: null },
    ask: () => recallHelpers(state),
    left(isLost) {
      if (isLost) endParallelJob(state)
      return true
    },
    leadLost: () => endParallelJob(state),
  }
}

/** What a pool knows of where it runs. */
export interface Machine {
  readonly cores: number
  /** More threads want to run than there are cores, so an evaluation would wait for its participants. */
  isCrowded(): boolean
}

export const thisMachine: Machine = {
  cores: usableCores(),
  // Load average of one minute; always 0 on Windows.
  isCrowded: () => loadavg()[0]! > 1.5 * thisMachine.cores,
}
