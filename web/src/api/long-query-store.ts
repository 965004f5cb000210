import { byMarket, type MarketId } from '@convexa/contract/enums/market'
import { create, type StoreApi, type UseBoundStore } from 'zustand'
import { onOtherUser, useAuth } from '../state/auth.ts'

// A query that a page starts with a button and that takes seconds: its store is above the router, so that another page does not end it and
// coming back finds its answer.

export interface LongQuery<Q, A> {
  /** What is being computed; null when nothing is. */
  pending: Q | null
  /** When it was asked, by the page's clock. */
  since: number
  answered: { question: Q; answer: A; seconds: number } | null
  failed: { question: Q; error: unknown } | null
  /** Asks; what was asked before and is not answered yet is given up, unless it is the same: a key that is held asks once. */
  ask(question: Q): void
  /** Gives up; the answer of before stays. */
  cancel(): void
}

type Store<Q, A> = UseBoundStore<StoreApi<LongQuery<Q, A>>>

/** Makes the stores of a long query, one for each market. */
export function createLongQuery<Q, A>(
  fetch: (kind: MarketId, question: Q, signal: AbortSignal) => Promise<A>,
): Record<MarketId, Store<Q, A>> {
  const made = (kind: MarketId): Store<Q, A> =>
    create<LongQuery<Q, A>>((set, get) => {
      let current: AbortController | null = null
      const give = () => {
        current?.abort()
        current = null
      }
      const ask = async (question: Q) => {
        give()
        const mine = new AbortController()
        current = mine
        const since = performance.now()
        set({ pending: question, since, failed: null })
        try {
          const answer = await fetch(kind, question, mine.signal)
          if (current !== mine) return
          set({ pending: null, answered: { question, answer, seconds: (performance.now() - since) / 1000 } })
        } catch (error) {
          if (current !== mine) return
          set({ pending: null, failed: { question, error } })
        }
      }
      // What one user asked is not shown to the next.
      const forget = () => {
        give()
        set({ pending: null, answered: null, failed: null })
      }
      useAuth.subscribe(({ tokenData }) => {
        if (!tokenData) forget()
      })
      onOtherUser(forget)
      return {
        pending: null,
        since: 0,
        answered: null,
        failed: null,
        ask(question) {
          const { pending } = get()
          if (pending === null || JSON.stringify(pending) !== JSON.stringify(question)) void ask(question)
        },
        cancel() {
          give()
          set({ pending: null })
        },
      }
    })
  return byMarket(made)
}
