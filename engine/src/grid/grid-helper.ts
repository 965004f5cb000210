import { BufferPool } from '../kernels/index.ts'
import { countSplits, type SharedSplits } from '../report/robustness/overfitting.ts'
import type { Known } from '../simulation/prepare.ts'
import { type Alike, type GridWork, Kept, rankedFor, requestsOf, runCells } from './cells.ts'
import { finished, free, isAtWork, isOver, leave, refused, type SharedGrid, take, writeWarnings } from './shared-grid.ts'

/** Work that the leader of a grid shares with helper threads, all in shared memory. The newest offer replaces those before. */
export type SharedGridWork = { readonly helpers: Int32Array } & (
  | { readonly give: 'groups'; readonly grid: SharedGrid; readonly groups: readonly Alike[] }
  | { readonly give: 'cells'; readonly grid: SharedGrid; readonly alike: Alike; readonly known: Known }
  | { readonly give: 'splits'; readonly splits: SharedSplits }
)

/** Helps with a grid at a place of its own until the offered work is done, the grid is over, or it is asked to leave. */
export function helpGrid(work: GridWork, offer: SharedGridWork, place: number): void {
  const keepsHelping = () => !isOver(offer) && isAtWork(offer, place)
  try {
    // After the end of the grid its memory may belong to another one.
    if (!keepsHelping()) return
    if (offer.give === 'splits') countSplits(offer.splits, keepsHelping)
    else if (offer.give === 'cells') helpWithCells(work, offer, keepsHelping)
    else helpWithGroups(work, offer, keepsHelping)
  } finally {
    leave(offer, place)
  }
}

function helpWithCells(
  work: GridWork,
  { grid, alike, known }: Extract<SharedGridWork, { give: 'cells' }>,
  keepsHelping: () => boolean,
): void {
  const requestOf = requestsOf(work)
  const kept = new Kept(1, new BufferPool())
  const ranked = finish(rankedFor(work, alike, requestOf, kept, known), keepsHelping)
  if (ranked !== left && ranked.ok) finish(runCells(work, grid, alike, requestOf, kept, ranked.simulation, 'last'), keepsHelping)
}

/** Whole groups, the last first. What it must leave in the middle is free again; what cannot be run is left to the leader. */
function helpWithGroups(work: GridWork, { grid, groups }: Extract<SharedGridWork, { give: 'groups' }>, keepsHelping: () => boolean): void {
  const requestOf = requestsOf(work)
  const kept = new Kept(groups.length, new BufferPool())
  for (let group = groups.length - 1; group >= 0 && keepsHelping(); group--) {
    if (!take(grid.groups, group)) continue
    Atomics.store(grid.groups, group, runGroup(group))
  }

  function runGroup(group: number): number {
    const ranked = finish(rankedFor(work, groups[group], requestOf, kept), keepsHelping)
    if (ranked === left) return free
    if (!ranked.ok || !writeWarnings(grid, group, ranked.warnings)) return refused
    const stopped = finish(runCells(work, grid, groups[group], requestOf, kept, ranked.simulation, 'last'), keepsHelping)
    if (stopped === left) return free
    return stopped === null ? finished : refused
  }
}

const left = Symbol('left')

/** Runs steps to their end, unless it must leave before. */
function finish<T>(steps: Generator<void, T>, keepsHelping: () => boolean): T | typeof left {
  for (;;) {
    const step = steps.next()
    if (step.done) return step.value
    if (!keepsHelping()) return left
  }
}
