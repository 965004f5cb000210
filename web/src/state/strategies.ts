import type { Settings } from '@convexa/contract/backtest'
import type { Kind } from '@convexa/contract/market'
import { namesVersion } from '@convexa/contract/names-version'
import type { Parameters } from '@convexa/contract/strategy'
import { create } from 'zustand'
import { onOwnChange, ownShelf } from './own-shelf.ts'
import { parameters, settings } from './rule-shapes.ts'
import { atLeast, finite, fits, flag, oneOf, optional, orNull, text, texts } from './shapes.ts'

/** Which dates the settings follow as the data grows; null = dates set by hand. */
export type Range = 'default' | '1y' | '3y' | '5y' | '2018' | 'all'

/** The strategy being written for a market: kept on every change, apart from the ones saved on the server. */
export interface Draft {
  /** The template or saved strategy it began as. */
  name: string
  /** The saved strategy that it is a copy of, and the version of it that is edited: what saving it again changes, and whose its runs are. */
  saved?: { id: string; version: number }
  /** Changed since then. */
  edited: boolean
  /** Of what was changed the rule is part, not its settings alone: it is not the template any more whose name it has. */
  ruleEdited?: true
  parameters: Parameters
  settings: Settings
  range: Range | null
  /** What is told of names that meant something else when the rule was written. */
  kept?: readonly string[]
}

/** Keys of the specification. */
const keys: Record<Kind, string> = { cb: 'cbStrategy', stk: 'stkStrategy' }
const historyLength = 100
/** Changes closer than this are one step of undo: typing a number is one thought. */
const oneThought = 600

interface History {
  past: Draft[]
  future: Draft[]
  at: number
}

interface Strategies {
  drafts: Record<Kind, Draft | null>
  history: Record<Kind, History>
  /** How often another strategy was put on the workbench by hand: what was asked for earlier must not take its place. */
  begun: Record<Kind, number>
  /** Puts another strategy on the workbench. */
  set(kind: Kind, draft: Draft): void
  /** Changes the draft that is there; marks it edited. */
  edit(kind: Kind, change: (draft: Draft) => Draft): void
  /** Changes what the user did not ask for (dates that follow the data): no step of undo. */
  adjust(kind: Kind, change: (draft: Draft) => Draft): void
  /** Changes the draft and what undo and redo lead to alike: what became of it on the server is no step either. */
  restate(kind: Kind, change: (draft: Draft) => Draft): void
  undo(kind: Kind): void
  redo(kind: Kind): void
  remove(kind: Kind): void
  clear(): void
}

const none = (): History => ({ past: [], future: [], at: 0 })
/** As it is kept: with the names that its factors are written in (`namesVersion`); one of before says none. */
type Kept = Draft & { names?: number }
const shape = atLeast<Kept>({
  ...{ name: text, edited: flag, ruleEdited: optional(oneOf(true)), parameters, settings },
  saved: optional(atLeast({ id: text, version: finite })),
  range: orNull(oneOf('default', '1y', '3y', '5y', '2018', 'all')),
  kept: optional(texts),
  // Names of a later release are not known here.
  names: optional(fits<number>((version) => (version as number) <= namesVersion)),
})
const stored = (kind: Kind) => {
  const kept = ownShelf.read(keys[kind], shape)
  if (!kept) return null
  const { names, ...draft } = kept
  if (names === namesVersion) return draft
  // One of before the names of factors changed comes a moment later; one that was begun meanwhile stays.
  void import('./old-draft.ts').then(({ inNamesOfNow }) =>
    useStrategies.setState(({ drafts }) => ({ drafts: { ...drafts, [kind]: drafts[kind] ?? inNamesOfNow(kind, draft) } })),
  )
  return null
}

export const useStrategies = create<Strategies>((set, get) => {
  const keep = (kind: Kind, draft: Draft | null, history: History) => {
    if (draft) ownShelf.write(keys[kind], { ...draft, names: namesVersion })
    else ownShelf.remove(keys[kind])
    set(({ drafts, history: all }) => ({ drafts: { ...drafts, [kind]: draft }, history: { ...all, [kind]: history } }))
  }
  /** `at`: when it was typed; 0: it was chosen, which no typing before or after it is one thought with. */
  const step = (kind: Kind, next: Draft, at: number) => {
    const before = get().drafts[kind]
    const { past, at: last } = get().history[kind]
    const sameThought = at > 0 && past.length > 0 && at - last < oneThought
    keep(kind, next, { past: before && !sameThought ? [...past, before].slice(-historyLength) : past, future: [], at })
  }
  return {
    drafts: { cb: stored('cb'), stk: stored('stk') },
    history: { cb: none(), stk: none() },
    begun: { cb: 0, stk: 0 },
    set(kind, draft) {
      set(({ begun }) => ({ begun: { ...begun, [kind]: begun[kind] + 1 } }))
      step(kind, draft, 0)
    },
    edit(kind, change) {
      const draft = get().drafts[kind]
      if (!draft) return
      const next = change(draft)
      step(kind, { ...next, edited: true, ...(next.parameters !== draft.parameters && { ruleEdited: true }) }, Date.now())
    },
    adjust(kind, change) {
      const draft = get().drafts[kind]
      const next = draft && change(draft)
      if (next !== draft) keep(kind, next, get().history[kind])
    },
    restate(kind, change) {
      const draft = get().drafts[kind]
      const { past, future, at } = get().history[kind]
      keep(kind, draft && change(draft), { past: past.map(change), future: future.map(change), at })
    },
    undo(kind) {
      const draft = get().drafts[kind]
      const { past, future } = get().history[kind]
      const back = past.at(-1)
      if (draft && back) keep(kind, back, { past: past.slice(0, -1), future: [draft, ...future], at: 0 })
    },
    redo(kind) {
      const draft = get().drafts[kind]
      const { past, future } = get().history[kind]
      const [ahead, ...rest] = future
      if (draft && ahead) keep(kind, ahead, { past: [...past, draft], future: rest, at: 0 })
    },
    remove(kind) {
      keep(kind, null, none())
    },
    clear() {
      for (const kind of Object.keys(keys) as Kind[]) keep(kind, null, none())
    },
  }
})

// Another tab changed a draft: this one shows it too, so that neither writes over what the other did; and another person has drafts of their
// own. Undo ends here.
for (const kind of Object.keys(keys) as Kind[])
  onOwnChange(keys[kind], () =>
    useStrategies.setState(({ drafts, history }) => ({
      drafts: { ...drafts, [kind]: stored(kind) },
      history: { ...history, [kind]: none() },
    })),
  )
