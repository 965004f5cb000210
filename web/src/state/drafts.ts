import { byMarket, type MarketId, marketIds } from '@convexa/contract/enums/market'
import { namesVersion } from '@convexa/contract/names-version'
import { create } from 'zustand'
import {
  type Draft,
  dropDraft,
  dropRecord,
  idOf,
  type Kept,
  keepDraft,
  keepTabsId,
  keptDraft,
  lastKey,
  ownId,
  recordOf,
  strategyId,
  tabsId,
  templateId,
} from './draft-records.ts'
import { onOwnChange, userId } from './user-storage.ts'

export type { Draft, Range } from './draft-records.ts'

const historyLength = 100
/** Changes closer than this are one step of undo: typing a number is one thought. */
const oneThought = 600

interface History {
  past: Draft[]
  future: Draft[]
  at: number
}

interface Strategies {
  drafts: Record<MarketId, Draft | null>
  history: Record<MarketId, History>
  /** How often another strategy was put on the workbench by hand: what was asked for earlier must not take its place, and no field goes on. */
  begun: Record<MarketId, number>
  /** Drafts with changes that something else was opened over just now: they are offered back. */
  left: readonly { kind: MarketId; draft: Draft }[]
  /** Puts another strategy on the workbench, or goes on with a draft that has an id. What was there stays kept, and undo leads back to it. */
  set(kind: MarketId, draft: Draft): void
  /** Changes the draft that is there; marks it edited. */
  edit(kind: MarketId, change: (draft: Draft) => Draft): void
  /** Changes what the user did not ask for (dates that follow the data): no step of undo. */
  adjust(kind: MarketId, change: (draft: Draft) => Draft): void
  /** Changes the draft and what undo and redo lead to alike: what became of it on the server is no step either. */
  restate(kind: MarketId, change: (draft: Draft) => Draft): void
  undo(kind: MarketId): void
  redo(kind: MarketId): void
  remove(kind: MarketId): void
  clear(): void
}

const none = (): History => ({ past: [], future: [], at: 0 })

/** Hands over a kept draft, now or, where it is of before the names of factors changed, a moment later. */
function read(kind: MarketId, { names, at: _at, ...draft }: Kept, then: (draft: Draft) => void): void {
  if (names === namesVersion) then(draft)
  else void import('./old-draft.ts').then(({ inNamesOfNow }) => then(inNamesOfNow(kind, draft)))
}

/** What a tab begins with: the draft that it worked on before a reload, else the one written last. */
function opened(kind: MarketId): Draft | null {
  const kept = keptDraft(kind, tabsId(kind))
  let now: Draft | null = null
  let later = false
  if (kept)
    read(kind, kept, (draft) => {
      keepTabsId(kind, idOf(draft))
      // One that was begun meanwhile stays.
      if (later) useStrategies.setState(({ drafts }) => ({ drafts: { ...drafts, [kind]: drafts[kind] ?? draft } }))
      else now = draft
    })
  later = true
  return now
}

export const useStrategies = create<Strategies>((set, get) => {
  const show = (kind: MarketId, draft: Draft | null, history: History) =>
    set(({ drafts, history: all }) => ({ drafts: { ...drafts, [kind]: draft }, history: { ...all, [kind]: history } }))
  const keep = (kind: MarketId, draft: Draft | null, history: History) => {
    if (draft) keepDraft(kind, draft)
    else dropDraft(kind, get().drafts[kind])
    show(kind, draft, history)
  }
  /** `at`: when it was typed, negative in another tab; 0: it was chosen, which no typing before or after it is one thought with. */
  const stepped = (kind: MarketId, at: number): History => {
    const before = get().drafts[kind]
    const { past, at: last } = get().history[kind]
    const sameThought = at * last > 0 && past.length > 0 && Math.abs(at - last) < oneThought
    return { past: before && !sameThought ? [...past, before].slice(-historyLength) : past, future: [], at }
  }
  const begin = (kind: MarketId) => set(({ begun }) => ({ begun: { ...begun, [kind]: begun[kind] + 1 } }))
  /** Goes to another step: of another strategy what is kept of it now, as another tab may have gone on with it. */
  const goTo = (kind: MarketId, to: Draft, history: History) => {
    const other = to.id !== get().drafts[kind]?.id
    const kept = other ? recordOf(kind, idOf(to)) : null
    if (other) begin(kind)
    if (kept?.names === namesVersion) read(kind, kept, (draft) => keep(kind, draft, history))
    else keep(kind, to, history)
  }

  // Another tab wrote a draft: this one goes along where it is of the same, and undo leads back; another's it leaves alone. Another person
  // has drafts of their own.
  const whose = byMarket(userId)
  const follow = (kind: MarketId) => {
    const now = get().drafts[kind]
    if (whose[kind] !== userId()) {
      whose[kind] = userId()
      begin(kind)
      return show(kind, opened(kind), none())
    }
    const kept = keptDraft(kind, now ? idOf(now) : null, true)
    if (!kept || (now && idOf(kept) !== now.id && kept.was !== now.id)) return
    read(kind, kept, (draft) => {
      if (JSON.stringify(draft) === JSON.stringify(now)) return
      keepTabsId(kind, idOf(draft))
      show(kind, draft, stepped(kind, -Date.now()))
    })
  }
  for (const kind of marketIds) onOwnChange(lastKey(kind), () => follow(kind))

  return {
    drafts: byMarket(opened),
    history: byMarket(none),
    begun: byMarket(() => 0),
    left: [],
    set(kind, given) {
      const before = get().drafts[kind]
      const { id, saved, template } = given
      const wanted = id ?? (saved ? strategyId(saved.id) : template ? templateId(template) : ownId())
      // Changes that were not saved are neither written over nor shown as what is saved: they keep their id, and the other gets its own.
      const there = id === undefined ? recordOf(kind, wanted) : null
      const next = { ...given, id: there?.edited ? ownId() : wanted }
      begin(kind)
      const left = [before, there].filter((one) => one?.edited && one.id !== next.id) as Draft[]
      set({ left: [...new Map(left.map((draft) => [draft.id, { kind, draft }])).values()] })
      keep(kind, next, stepped(kind, 0))
      void import('./kept-drafts.ts').then(({ prune }) => prune(kind, next.id)).catch(() => {})
    },
    edit(kind, change) {
      const draft = get().drafts[kind]
      if (!draft) return
      const next = change(draft)
      const edited = { ...next, edited: true, ...(next.parameters !== draft.parameters && { ruleEdited: true as const }) }
      keep(kind, edited, stepped(kind, Date.now()))
    },
    adjust(kind, change) {
      const draft = get().drafts[kind]
      const next = draft && change(draft)
      if (next !== draft) keep(kind, next, get().history[kind])
    },
    restate(kind, change) {
      const draft = get().drafts[kind]
      const { past, future, at } = get().history[kind]
      const next = draft && change(draft)
      // Saved for the first time, or as another: it is of that strategy from now on.
      const moved = next?.saved && next.saved.id !== draft?.saved?.id ? draft?.id : undefined
      const id = next?.saved && strategyId(next.saved.id)
      const restated = (one: Draft): Draft => {
        const other = change(one)
        if (moved === undefined || one.id !== moved) return other
        // Other tabs on one that had no strategy yet go along; those on a strategy that was saved as another stay on it.
        return { ...other, id: id as string, ...(!draft?.saved && { was: moved }) }
      }
      keep(kind, draft && restated(draft), { past: past.map(restated), future: future.map(restated), at })
      if (moved !== undefined) dropRecord(kind, moved)
    },
    undo(kind) {
      const draft = get().drafts[kind]
      const { past, future } = get().history[kind]
      const back = past.at(-1)
      if (draft && back) goTo(kind, back, { past: past.slice(0, -1), future: [draft, ...future], at: 0 })
    },
    redo(kind) {
      const draft = get().drafts[kind]
      const { past, future } = get().history[kind]
      const [ahead, ...rest] = future
      if (draft && ahead) goTo(kind, ahead, { past: [...past, draft], future: rest, at: 0 })
    },
    remove(kind) {
      keep(kind, null, none())
    },
    clear() {
      for (const kind of marketIds) keep(kind, null, none())
    },
  }
})
