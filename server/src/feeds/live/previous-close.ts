/**
 * Previous closes of quotes, beside the closes that are stored (providers.md 10.5): one that is neither the store's nor explained by a
 * second source is not believed, since a terminal that was not started anew tells the close of the day before the last.
 */

import type { Chain, Told } from '../chain.ts'
import type { Asking, Feed, Needs } from '../feed.ts'
import { FeedFault } from '../feed.ts'
import type { Quotes } from '../rows.ts'
import { isBond } from '../source/codes.ts'

/** Half a step of the price. */
const halfTick = (code: string): number => (isBond(code) ? 0.000_5 : 0.005) + 1e-9
/** Beyond this share of odd rows a source is behind as a whole. */
const mostOdd = 0.1
/** Its previous closes come from the operator's own machine and are as old as its session; others hand on the exchange's. */
const ofOwnSession: ReadonlySet<Feed['name']> = new Set(['xtdata'])

export interface PreviousCloses {
  /** Quotes with previous closes that can be believed. @throws FeedFault of the chain */
  settle(told: Told<'quotes'>, ask: Needs['quotes']['ask'], asking: Asking): Promise<{ answer: Quotes; from: string }>
}

/**
 * @param storedClose the close of the trading day before, NaN where it is not known
 * @param log told once a day and code of what was not believed
 */
export function previousCloses(
  chain: Pick<Chain, 'ask'>,
  storedClose: (code: string) => number,
  log: (event: string, details: Record<string, unknown>) => void,
): PreviousCloses {
  /** What was decided, of a session: quotes come every three seconds. */
  const decided = new Map<string, number>()
  /** Sources whose previous closes are of another day. */
  const behind = new Set<string>()
  let session = ''
  const oddIn = ({ codes, columns }: Quotes): string[] => {
    const told = columns.get('pre_close')
    if (!told) return []
    // NaN on either side compares as false.
    return codes.filter((code, i) => Math.abs(told[i]! - storedClose(code)) > halfTick(code))
  }
  const isBehind = (quotes: Quotes) => quotes.codes.length > 0 && oddIn(quotes).length > mostOdd * quotes.codes.length
  const other = (codes: readonly string[], from: string, asking: Asking) =>
    chain.ask('quotes', { codes }, asking, undefined, [from, ...behind]).catch((error: unknown) => {
      if (error instanceof FeedFault) return null
      throw error
    })
  return {
    async settle(told, { codes }, asking) {
      let { answer, from } = told
      if (answer.date !== session) {
        decided.clear()
        behind.clear()
      }
      session = answer.date
      if (isBehind(answer)) {
        const second = await other(codes, from, asking)
        if (second && !isBehind(second.answer)) {
          if (!behind.has(from)) log('previous closes are of another day', { source: from, instead: second.from })
          behind.add(from)
          ;({ answer, from } = second)
        }
      }
      const odd = oddIn(answer)
      const open = odd.filter((code) => !decided.has(code))
      if (open.length > 0) {
        const second = await other(open, from, asking)
        const rows = new Map(second?.answer.codes.map((code, i) => [code, second.answer.columns.get('pre_close')?.[i] ?? Number.NaN]))
        const own = new Map(answer.codes.map((code, i) => [code, answer.columns.get('pre_close')![i]!]))
        for (const code of open) {
          const [mine, theirs] = [own.get(code)!, rows.get(code) ?? Number.NaN]
          const isConfirmed = Math.abs(mine - theirs) <= halfTick(code) || (theirs !== theirs && !ofOwnSession.has(from))
          decided.set(code, isConfirmed ? mine : theirs === theirs ? theirs : storedClose(code))
          if (!isConfirmed) log('previous close not believed', { source: from, code, told: mine, taken: decided.get(code) })
        }
      }
      if (odd.length === 0) return { answer, from }
      const believed = answer.columns.get('pre_close')!.slice()
      answer.codes.forEach((code, i) => {
        if (decided.has(code) && odd.includes(code)) believed[i] = decided.get(code)!
      })
      return { answer: { ...answer, columns: new Map(answer.columns).set('pre_close', believed) }, from }
    },
  }
}
