/**
 * Several sources for one need, in the order in which they are asked (providers.md 9).
 *
 * 1. A source that is off, that may not answer this need, or that has failed repeatedly is skipped.
 * 2. The first answer counts; an empty day, or quotes that stand still while prices change, are no answer while another source may have
 *    better ones.
 * 3. Where a second opinion is wanted, the next source is asked for some of the same rows, and differences are reported. They change
 *    nothing: the caller judges them.
 */
import { type Breaker, breaker } from '../base/breaker.ts'
import { shanghaiTime } from '../base/time.ts'
import type { FeedSettings } from '../config/feeds.ts'
import type { Need } from '../db/tables/answers.ts'
import { compared, type Difference } from './compare.ts'
import { type Answer, type Ask, type Asking, type Feed, FeedError } from './feed.ts'
import { isLive, isStale, nextMidnight, phaseAt } from './session.ts'

/** Sources of each need in the order in which they are asked. */
export const order: Readonly<Record<Need, readonly string[]>> = {
  calendar: ['tushare', 'baostock'],
  'stock-day': ['tushare', 'baostock', 'xtdata', 'file'],
  'bond-day': ['tushare', 'eastmoney', 'xtdata', 'file'],
  'index-day': ['tushare', 'eastmoney', 'baostock', 'file'],
  'ex-days': ['baostock', 'tushare'],
  'stock-limits': ['tushare'],
  'stock-list': ['tushare', 'baostock'],
  'bond-list': ['tushare', 'eastmoney', 'jisilu'],
  names: ['tushare'],
  calls: ['tushare', 'eastmoney', 'jisilu', 'xtdata'],
  'conversion-prices': ['tushare'],
  'remaining-sizes': ['tushare', 'jisilu'],
  statements: ['tushare', 'file'],
  quotes: ['xtdata', 'tencent', 'sina', 'eastmoney', 'jisilu'],
}

/** Whether some source that is on may give quotes. */
export const offersQuotes = ({ on }: Pick<FeedSettings, 'on'>): boolean => on.some((name) => order.quotes.includes(name))

/** An answer, and how it was come by. */
export interface SourcedAnswer<N extends Need> {
  readonly answer: Answer<N>
  /** Name of the source whose answer it is. */
  readonly from: string
  /** Those asked before it, and why they gave nothing. */
  readonly passed: readonly Passed[]
  /** What another source says of the same rows; null: none was asked, or none answered. */
  readonly check: Check | null
}

interface Passed {
  readonly from: string
  readonly kind: FeedError['kind'] | 'empty' | 'behind'
  readonly why: string
}

export interface Check {
  readonly by: string
  /** Cells that both gave. */
  readonly cells: number
  readonly differences: readonly Difference[]
}

export interface Chain {
  readonly feeds: readonly Feed[]
  /**
   * @param checked ask a second source about at most so many rows
   * @param without sources that are not asked
   * @throws FeedError of the source that is most likely to answer later, in words of them all
   */
  ask<N extends Need>(
    need: N,
    ask: Ask<N>,
    asking: Asking,
    checked?: { rows: number },
    without?: readonly string[],
  ): Promise<SourcedAnswer<N>>
}

/** As a moment that is kept: until an operator has asked. */
const farFuture = Date.parse('9999-01-01T00:00:00Z')
/** A source that left three questions in a row without an answer is asked once a minute. */
const patience = { after: 3, againMs: 60_000 }
/** How long one source may take over what is wanted now, in ms, so that the next is asked in time; the others take what they need. */
const usualShares: Partial<Record<Need, number>> = { quotes: 4_000 }
/** What only the user can change, and what is refused for a reason that is not known, is not asked for again for an hour. */
const refusedMs = 3_600_000

/** How a source answered a question that it was asked. */
export interface QuestionOutcome {
  readonly source: string
  readonly need: Need
  /** null: it answered. */
  readonly fault: { readonly kind: FeedError['kind']; readonly why: string } | null
  /** Not asked before, in ms since 1970 UTC; null: asked at any time. */
  readonly quietUntil: number | null
}

export interface ChainOptions {
  readonly shares?: typeof usualShares
  /** Called for every question that was sent to a source, not for those that it was spared. */
  readonly onOutcome?: (outcome: QuestionOutcome) => void
  /** Whether a source that rests since a moment has answered an operator, who may ask it by hand meanwhile. */
  readonly hasReleased?: (source: string, since: number) => Promise<boolean>
}

/** @param now milliseconds since 1970 UTC */
export function chain(
  feeds: readonly Feed[],
  now: () => number,
  { shares = usualShares, onOutcome = () => {}, hasReleased = async () => false }: ChainOptions = {},
): Chain {
  const byName = new Map(feeds.map((feed) => [feed.name, feed]))
  const breakers = new Map<string, Breaker>(feeds.map(({ name }) => [name, breaker({ ...patience, now })]))
  const refused = new Map<string, { since: number; until: number; fault: FeedError }>()

  const tryOne = async <N extends Need>(feed: Feed, need: N, ask: Ask<N>, asking: Asking): Promise<Answer<N>> => {
    const key = `${feed.name} ${need}`
    // A source that refuses this client altogether refuses every need.
    const rests = refused.get(feed.name)
    if (rests && now() < rests.until && !(await hasReleased(feed.name, rests.since))) throw rests.fault
    refused.delete(feed.name)
    const before = refused.get(key)
    if (before && now() < before.until) throw before.fault
    const health = breakers.get(feed.name)!
    if (!health.allows()) throw new FeedError('network', `${feed.label}最近没有应答，暂停询问`)
    const share = shares[need]
    const late = share === undefined ? null : AbortSignal.timeout(share)
    try {
      const answer = await feed.offers[need]!(ask, late ? { ...asking, signal: AbortSignal.any([asking.signal, late]) } : asking)
      const wrong = asking.judge?.(answer, feed.name) ?? emptyQuotes(need, ask, answer, new Date(now()))
      if (wrong) throw new FeedError('shape', feed.label + wrong)
      health.success()
      refused.delete(key)
      onOutcome({ source: feed.name, need, fault: null, quietUntil: null })
      return answer
    } catch (thrown) {
      const isLate = late?.aborted && !asking.signal.aborted && !(thrown instanceof FeedError)
      const error = isLate ? new FeedError('network', `${feed.label}没有及时应答`) : thrown
      if (!(error instanceof FeedError)) throw error
      if (error.kind === 'network' || error.kind === 'shape') health.failure()
      else health.success()
      const until = quietUntil(error, now())
      if (until > now()) refused.set(isOfAll(error) ? feed.name : key, { since: now(), until, fault: error })
      // The caller has gone, which says nothing about the source.
      if (!asking.signal.aborted) {
        const pausedUntil = Math.max(Math.min(until, farFuture), health.openUntil() ?? 0)
        onOutcome({
          source: feed.name,
          need,
          fault: { kind: error.kind, why: error.message },
          quietUntil: pausedUntil > now() ? pausedUntil : null,
        })
      }
      throw error
    }
  }

  return {
    feeds,
    async ask(need, ask, asking, checked, without = []) {
      const candidates = order[need]
        .flatMap((name) => byName.get(name) ?? [])
        .filter((feed) => feed.offers[need] && !without.includes(feed.name))
      const passed: Passed[] = []
      const faults: FeedError[] = []
      let spare: { answer: Answer<typeof need>; from: string } | null = null
      for (const [i, feed] of candidates.entries()) {
        try {
          const answer = await tryOne(feed, need, ask, asking)
          const lack = lackOf(need, ask, answer, new Date(now()))
          if (lack) {
            if (!spare || madeLater(answer, spare.answer)) spare = { answer, from: feed.name }
            passed.push({ from: feed.name, kind: lack.kind, why: feed.label + lack.why })
            continue
          }
          const check = checked ? await secondOpinion(candidates.slice(i + 1), need, ask, asking, answer, checked.rows) : null
          return { answer, from: feed.name, passed, check }
        } catch (error) {
          if (!(error instanceof FeedError)) throw error
          faults.push(error)
          passed.push({ from: feed.name, kind: error.kind, why: error.message })
        }
      }
      if (spare) return { ...spare, passed: passed.filter(({ from }) => from !== spare?.from), check: null }
      throw nobody(faults)
    },
  }

  async function secondOpinion<N extends Need>(
    others: readonly Feed[],
    need: N,
    ask: Ask<N>,
    asking: Asking,
    first: Answer<N>,
    rows: number,
  ): Promise<Check | null> {
    for (const feed of others) {
      try {
        const second = await tryOne(feed, need, fewer(need, ask, first, rows), asking)
        const found = compared(first, second)
        if (found && found.cells > 0) return { by: feed.name, ...found }
      } catch (error) {
        if (!(error instanceof FeedError)) throw error
      }
    }
    return null
  }
}

const isOfAll = ({ kind }: FeedError): boolean => kind === 'blocked' || kind === 'banned'

/** So many codes that were asked for while prices change have quotes, or there is no answer. */
const fewestCandidates = 10

function emptyQuotes(need: Need, ask: Ask<Need>, answer: Answer<Need>, now: Date): string | null {
  if (need !== 'quotes' || !('codes' in ask) || (ask.codes?.length ?? 0) < fewestCandidates || !isLive(phaseAt(now))) return null
  return 'codes' in answer && answer.codes.length === 0 && (answer.suspended?.length ?? 0) === 0 ? '的应答里没有所问的证券' : null
}

/** Until when a fault keeps us from asking the same again. */
function quietUntil({ kind, waitMs }: FeedError, now: number): number {
  if (kind === 'wait') return now + waitMs
  if (kind === 'tomorrow') return nextMidnight(now)
  if (kind === 'blocked') return waitMs > 0 ? now + waitMs : nextMidnight(now)
  if (kind === 'banned') return Number.POSITIVE_INFINITY
  return kind === 'permission' || kind === 'credentials' || kind === 'refused' ? now + refusedMs : 0
}

/** Why another source is asked too, as the rest of a sentence about the one that answered. */
function lackOf(need: Need, ask: Ask<Need>, answer: Answer<Need>, now: Date): Pick<Passed, 'kind' | 'why'> | null {
  if (need === 'calendar' && 'to' in ask && !reaches(answer, ask.to)) return { kind: 'empty', why: `的交易日历还没有到 ${ask.to}` }
  if ('codes' in answer && answer.codes.length === 0) return { kind: 'empty', why: '还没有这一天的数据' }
  const newest = newestOf(answer)
  // A source that does not say when has them from now.
  if (newest !== newest || !isStale(newest, now)) return null
  return { kind: 'behind', why: `的行情停在 ${shanghaiTime(new Date(newest)).slice(11, 19)}` }
}

const reaches = (answer: Answer<Need>, to: string): boolean =>
  !('codes' in answer) && answer.some((row) => 'date' in row && row.date === to)

/** When the newest quote was made, in ms; NaN of what is not quotes, and of those that do not say. */
const newestOf = (answer: Answer<Need>): number =>
  'madeAt' in answer ? answer.madeAt.reduce((a, b) => (b > a || a !== a ? b : a), Number.NaN) : Number.NaN

function madeLater(answer: Answer<Need>, before: Answer<Need>): boolean {
  const [newest, known] = [newestOf(answer), newestOf(before)]
  return newest > known || (known !== known && newest === newest)
}

/** The same question about some of the rows, spread evenly over all. */
function fewer<N extends Need>(need: N, ask: Ask<N>, first: Answer<N>, rows: number): Ask<N> {
  if (!('codes' in first) || need === 'stock-limits') return ask
  const step = Math.max(1, Math.ceil(first.codes.length / rows))
  return { ...ask, codes: first.codes.filter((_, i) => i % step === 0) }
}

/** The sooner another try may help, the earlier in this list. */
const hope: readonly FeedError['kind'][] = [
  'wait',
  'network',
  'shape',
  'refused',
  'tomorrow',
  'blocked',
  'permission',
  'credentials',
  'banned',
]

function nobody(faults: readonly FeedError[]): FeedError {
  if (faults.length === 0) return new FeedError('credentials', '没有启用能提供此数据的数据源')
  const best = [...faults].sort((a, b) => hope.indexOf(a.kind) - hope.indexOf(b.kind))[0]!
  const waits = faults.filter(({ kind }) => kind === 'wait').map(({ waitMs }) => waitMs)
  const message = faults.map((fault) => fault.message).join('；')
  return new FeedError(best.kind, message, { waitMs: waits.length > 0 ? Math.min(...waits) : 0, cause: best })
}
