/**
 * Lists are asked for once a day (providers.md 10.1): a day that is refused is tried again every five minutes, and the Saturday's check goes
 * over five days, each with the same list. One that is short, or came from a lesser source, is asked for anew.
 */
import { shanghaiDate } from '../base/time.ts'
import type { Need } from '../db/tables/answers.ts'
import { type Chain, order, type SourcedAnswer } from './chain.ts'

const lists: ReadonlySet<Need> = new Set(['stock-list', 'bond-list', 'names'])

/** @param now milliseconds since 1970 UTC */
export function withDailyLists(chain: Chain, now: () => number): Chain {
  const kept = new Map<string, { readonly day: string; readonly answer: SourcedAnswer<Need> }>()
  return {
    feeds: chain.feeds,
    async ask(need, ask, asking, checked, without) {
      if (!lists.has(need) || without?.length) return chain.ask(need, ask, asking, checked, without)
      const [key, day] = [`${need} ${JSON.stringify(ask)}`, shanghaiDate(new Date(now()))]
      const before = kept.get(key)
      if (before?.day === day && !asking.judge?.(before.answer.answer, before.answer.from))
        return before.answer as SourcedAnswer<typeof need>
      const answer = await chain.ask(need, ask, asking, checked)
      const first = order[need].find((name) => chain.feeds.some((feed) => feed.name === name && feed.offers[need]))
      for (const [other, each] of kept) if (other === key || each.day !== day) kept.delete(other)
      if (answer.from === first) kept.set(key, { day, answer: answer as SourcedAnswer<Need> })
      return answer
    },
  }
}
