/**
 * Previous closes of quotes, beside the closes that are stored (providers.md 10.5): one that is neither the store's nor explained by a
 * second source or an ex-day is not believed, since a terminal that was not started anew tells the close of the day before the last.
 */

import type { Chain, SourcedAnswer } from '../chain.ts'
import type { Asking, Feed, Needs } from '../feed.ts'
import { FeedError } from '../feed.ts'
import type { Quotes } from '../rows.ts'
import { isBond } from '../source/codes.ts'

/** Half a step of the price. */
const halfTick = (code: string): number => (isBond(code) ? 0.000_5 : 0.005) + 1e-9
/** Beyond this share of rows with another previous close than the stored one a source is behind as a whole. */
const mostDiffering = 0.1
/** Shares whose ex-day is asked for at once, for at most so long and, where nobody answers, once a minute: quotes wait for it. */
const exDayPatience = { codes: 20, ms: 3_000, againMs: 60_000 }
/** Its previous closes come from the operator's own machine and are as old as its session; others hand on the exchange's. */
const ofOwnSession: ReadonlySet<Feed['name']> = new Set(['xtdata'])

export interface PreviousCloses {
  /** Quotes with previous closes that can be believed. @throws FeedError of the chain */
  settle(answer: SourcedAnswer<'quotes'>, ask: Needs['quotes']['ask'], asking: Asking): Promise<{ answer: Quotes; from: string }>
}

/**
 * @param storedClose the close of the trading day before, NaN where it is not known
 * @param log called once a day and code for a value that was not believed
 */
export function previousCloses(
  chain: Pick<Chain, 'ask'>,
  storedClose: (code: string) => number,
  log: (event: string, details: Record<string, unknown>) => void,
  now: () => number = Date.now,
): PreviousCloses {
  /** What was decided, of a session: quotes come every three seconds. Without an answer nothing is. */
  const decided = new Map<string, number>()
  /** Whether shares go ex in the session, of those that were asked for. */
  const exDays = new Map<string, boolean>()
  let exDaysFrom = 0
  const logged = new Set<string>()
  /** Sources whose previous closes are of another day. */
  const behind = new Set<string>()
  let session = ''
  const differingIn = ({ codes, columns }: Quotes): string[] => {
    const given = columns.get('pre_close')
    if (!given) return []
    // NaN on either side compares as false.
    return codes.filter((code, i) => Math.abs(given[i]! - storedClose(code)) > halfTick(code))
  }
  const isBehind = (quotes: Quotes) => quotes.codes.length > 0 && differingIn(quotes).length > mostDiffering * quotes.codes.length
  const other = (codes: readonly string[], from: string, asking: Asking) =>
    chain.ask('quotes', { codes }, asking, undefined, [from, ...behind]).catch((error: unknown) => {
      if (error instanceof FeedError) return null
      throw error
    })
  const askExDays = async (codes: readonly string[], date: string, asking: Asking): Promise<void> => {
    const some = codes.filter((code) => !exDays.has(code)).slice(0, exDayPatience.codes)
    if (some.length === 0 || now() < exDaysFrom) return
    const late = AbortSignal.timeout(exDayPatience.ms)
    try {
      const { answer } = await chain.ask('ex-days', { date, codes: some }, { ...asking, signal: AbortSignal.any([asking.signal, late]) })
      const ex = new Set(answer.flatMap((row) => (row.date === date ? [row.code] : [])))
      for (const code of some) exDays.set(code, ex.has(code))
    } catch (error) {
      if (!(error instanceof FeedError) && !late.aborted) throw error
      exDaysFrom = now() + exDayPatience.againMs
    }
  }
  return {
    async settle(first, { codes }, asking) {
      let { answer, from } = first
      if (answer.date !== session) {
        for (const each of [decided, exDays, logged, behind]) each.clear()
        exDaysFrom = 0
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
      const differing = differingIn(answer)
      const open = differing.filter((code) => !decided.has(code))
      /** For these quotes alone. */
      const taken = new Map<string, number>()
      if (open.length > 0) {
        const second = await other(open, from, asking)
        const rows = new Map(second?.answer.codes.map((code, i) => [code, second.answer.columns.get('pre_close')?.[i] ?? Number.NaN]))
        const own = new Map(answer.codes.map((code, i) => [code, answer.columns.get('pre_close')![i]!]))
        const theirsOf = (code: string) => rows.get(code) ?? Number.NaN
        // What goes out of a share lowers its price.
        const mayBeEx = (code: string) => Number.isNaN(theirsOf(code)) && !isBond(code) && own.get(code)! < storedClose(code)
        if (ofOwnSession.has(from)) await askExDays(open.filter(mayBeEx), answer.date, asking)
        for (const code of open) {
          const [mine, theirs] = [own.get(code)!, theirsOf(code)]
          const isEx = mayBeEx(code) && exDays.get(code) === true
          const isConfirmed = Math.abs(mine - theirs) <= halfTick(code) || isEx || (theirs !== theirs && !ofOwnSession.has(from))
          taken.set(code, isConfirmed ? mine : theirs === theirs ? theirs : storedClose(code))
          if (second !== null || isEx) decided.set(code, taken.get(code)!)
          if (!isConfirmed && !logged.has(code))
            log('previous close not believed', { source: from, code, told: mine, taken: taken.get(code) })
          if (!isConfirmed) logged.add(code)
        }
      }
      if (differing.length === 0) return { answer, from }
      const believed = answer.columns.get('pre_close')!.slice()
      answer.codes.forEach((code, i) => {
        if (differing.includes(code)) believed[i] = decided.get(code) ?? taken.get(code)!
      })
      return { answer: { ...answer, columns: new Map(answer.columns).set('pre_close', believed) }, from }
    },
  }
}
