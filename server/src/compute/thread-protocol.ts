import type { Panel, SharedGridWork } from '@convexa/engine'
import type { ParallelJob } from '@convexa/engine/expression'
import type { LiveQuotes } from '../feeds/live/quote-store.ts'
import type { LiveDay } from './live-days.ts'
import type { LoadedPanel, View } from './panel-cache.ts'
import type { Outcome, RunProgress, TaskValue, Work } from './protocol.ts'

// What the compute child and its threads say to each other, and the pieces of work that it has them do.

/** Laying the row of the day that is not over: done by a thread as work is, asked for by nobody outside. */
interface Laying {
  readonly call: 'lay'
  readonly input: { readonly quotes: LiveQuotes }
}

/** A piece of work with the panels it reads. */
export interface Piece {
  readonly work: Work | Laying
  /** The panels go on with this day. */
  readonly live?: LiveDay
  /** null: of work that reads none. */
  readonly data: Pick<LoadedPanel, 'key' | 'base' | 'recent' | 'whole'> | null
  readonly available: ReadonlySet<string>
  /** It waits behind the work of everybody who is no guest. */
  readonly guest?: true
  /** The thread that computed something under these words takes it where it is free: it has kept what is needed. */
  readonly near?: string
  /** It takes long, and what a thread has kept under these words is likely to be asked for meanwhile: another thread takes it where one is free. */
  readonly away?: string
  onProgress(items: RunProgress[]): void
  /** `ms`: what it took of a processor; nothing when it ended by our fault. */
  onDone(outcome: Outcome<TaskValue>, ms: number, stack?: string, mismatch?: string): void
}

/** Child → thread. A market travels once, and its columns when there are others: afterwards a task names it by key, and views by their first day. */
export type ToThread =
  | { type: 'market'; key: string; base: LoadedPanel['base']; available: ReadonlySet<string> }
  | { type: 'view'; key: string; view: View }
  | { type: 'forget'; key: string }
  | ({ type: 'task'; stop: Int32Array } & On)
  | { type: 'alone'; work: AloneWork }
  | ({ type: 'help'; offer: SharedGridWork; place: number } & On)
  | ({ type: 'join' } & Invited & On)
/** What reads no data. */
type AloneWork = Extract<Work, { call: 'storedParts' }>
/** A piece of work, and the panels that it reads by their names. */
export interface On {
  readonly work: Exclude<Work, AloneWork> | Laying
  readonly live?: LiveDay
  readonly kind: Panel['kind']
  readonly key: string
  readonly recent: number
  readonly whole: number
}
/** An evaluation, and the first day of the view that it is on. */
export interface Invited {
  readonly invitation: ParallelJob
  readonly from: number
}
/** Data that a thread gets at its start. */
export interface ThreadData {
  /** Threads that may take part in one evaluation. */
  readonly seats: number
  /** Of simulated runs it may keep so many bytes. */
  readonly keptBytes: number
}
/** Thread → child. An offer is of the piece that the thread computes: what other threads could do of it. */
export type FromThread =
  | { type: 'progress'; items: RunProgress[] }
  | { type: 'offer'; offer: SharedGridWork }
  | ({ type: 'invite' } & Invited)
  | { type: 'helped'; ms: number }
  | { type: 'done'; outcome: Outcome<TaskValue> | null; ms: number; mismatch?: string }
  | { type: 'crash'; stack: string }
