/** What every source over HTTP must do, whatever it speaks: asked of each with a stand-in that gives a good answer, and then misbehaves. */
import { markets } from '@convexa/engine'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { FeedErrorKind, Need } from '../../src/db/tables/answers.ts'
import { type Ask, type Asking, type Feed, FeedError, type RawAnswer } from '../../src/feeds/feed.ts'
import type { FeedDeps } from '../../src/feeds/source/feed-deps.ts'
import type { Transport } from '../../src/feeds/source/transport.ts'
import { groundAt, impatient } from './ground.ts'
import { type Asked, type StandIn, standIn, type Trouble } from './stand-in.ts'

export interface Conforming<N extends Need> {
  readonly make: (url: string, ask: Transport, deps: FeedDeps) => Feed
  readonly need: N
  readonly ask: Ask<N>
  readonly answer: (asked: Asked) => Buffer | string
  /** The moment of the test. */
  readonly now?: string
  /** What it is made with and nobody may see. */
  readonly secret?: string
  /** Calls that the whole question takes. */
  readonly calls?: number
}

const troubles: readonly (readonly [Trouble, FeedErrorKind])[] = [
  ['silence', 'network'],
  ['hang up', 'network'],
  ['half', 'network'],
  ['cut', 'shape'],
  ['page', 'shape'],
  ['nothing', 'shape'],
  ['redirect', 'shape'],
  ['huge', 'shape'],
  [500, 'network'],
  [502, 'network'],
  [429, 'wait'],
  [404, 'shape'],
  [401, 'credentials'],
  [403, 'blocked'],
]
/** Asking again is useless, or comes too late. */
const final = new Set<Trouble>([401, 403])

export function conforms<N extends Need>(name: string, given: Conforming<N>): void {
  const { make, need, ask, answer, now, secret, calls = 1 } = given
  const never = new AbortController().signal

  describe(`${name} is a source`, () => {
    let provider: StandIn
    beforeAll(async () => {
      provider = await standIn(answer)
    })
    afterAll(() => provider.close())
    const fresh = (timeoutMs?: number) => {
      const deps = groundAt(now)
      provider.asked.length = 0
      provider.troubles.length = 0
      const feed = make(provider.url, impatient(deps, timeoutMs), deps)
      const put = (asking: Asking) => feed.offers[need]!(ask, asking)
      return { deps, feed, put }
    }

    test('its answer is in our fields, by ascending code, without repeats', async () => {
      const { feed, put } = fresh()
      expect(feed.name).toBe(name)
      const told = await put({ signal: never })
      if (!('codes' in told)) return
      expect(told.codes).toEqual([...new Set(told.codes)].sort())
      expect(told.codes.length).toBeGreaterThan(0)
      const fields = new Set([...markets.cb.fields, ...markets.stk.fields].map(({ key }) => key))
      for (const [key, values] of told.columns) {
        expect(fields).toContain(key)
        expect(values).toHaveLength(told.codes.length)
        expect([...values].every((value) => Number.isNaN(value) || Number.isFinite(value))).toBe(true)
      }
    })

    test('every answer is kept as it came, named without a secret', async () => {
      const { put } = fresh()
      const kept: RawAnswer[] = []
      await put({ signal: never, keep: (raw) => kept.push(raw) })
      expect(kept).toHaveLength(calls)
      expect(kept.map(({ bytes }) => bytes.toString('hex'))).toEqual(
        provider.asked.map((asked) => Buffer.from(answer(asked)).toString('hex')),
      )
      expect(kept[0]!.what.startsWith(name)).toBe(true)
      if (secret) expect(JSON.stringify(kept.map(({ what }) => what))).not.toContain(secret)
    })

    test.each(troubles)('%s once is asked again or told, %s for ever is told as one of its kind', async (trouble, kind) => {
      const patienceMs = trouble === 'silence' ? 300 : undefined
      const once = fresh(patienceMs)
      provider.troubles.push(trouble)
      const first = once.put({ signal: never })
      if (final.has(trouble)) await expect(first).rejects.toMatchObject({ kind })
      else await first
      const { deps, put } = fresh(patienceMs)
      provider.troubles.push(...Array<Trouble>(8).fill(trouble))
      const error = await put({ signal: never }).catch((error: unknown) => error)
      expect(error).toBeInstanceOf(FeedError)
      const fault = error as FeedError
      expect(fault.kind).toBe(kind)
      expect(fault.message).toMatch(/^[\p{Script=Han}A-Za-z0-9（），、：_. ]+$/u)
      if (secret) expect(`${fault.message} ${fault.stack} ${JSON.stringify(fault)}`).not.toContain(secret)
      // A provider that hangs up may do so before it has read the question.
      if (trouble !== 'silence') expect(provider.asked).toHaveLength(final.has(trouble) ? 1 : 4)
      expect(deps.waits.length).toBeGreaterThanOrEqual(final.has(trouble) ? 0 : 3)
      expect(provider.asked.map(({ path }) => path)).not.toContain('/elsewhere')
    })

    test('who asked may stop waiting, and that is no fault of the source', async () => {
      const { put } = fresh()
      provider.troubles.push('silence')
      const stop = new AbortController()
      const asked = put({ signal: stop.signal })
      await expect.poll(() => provider.asked.length).toBe(1)
      stop.abort(new Error('enough'))
      await expect(asked).rejects.toThrow('enough')
    })
  })
}
