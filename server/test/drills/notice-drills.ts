import { setTimeout as sleep } from 'node:timers/promises'
import { generator } from '../fixtures/generator.ts'
import type { PayNotice } from '../stand-ins/pay-stand-in.ts'
import { type PayKeys, signedHeaders } from '../stand-ins/pay-stand-in-keys.ts'

// Notices by the thousand (G4): for `flows/pay-notices.test.ts` and `npm run drill:notices`.

export interface Answers {
  /** How often each HTTP status came. */
  readonly statuses: Map<number, number>
  /** Milliseconds of each answer, the shortest first. */
  readonly times: readonly number[]
}

/**
 * Sends notices, so many at once. `send` tells the HTTP status; 503 is counted and the notice sent again: that is what WeChat does, and what a
 * machine that is asked for ten times what it can do may say.
 */
export async function sendAll(
  notices: Iterable<PayNotice>,
  atOnce: number,
  send: (notice: PayNotice) => Promise<number>,
): Promise<Answers> {
  const statuses = new Map<number, number>()
  const times: number[] = []
  const waiting = notices[Symbol.iterator]()
  const lane = async (): Promise<void> => {
    for (let next = waiting.next(); !next.done; next = waiting.next()) {
      for (let heard = false; !heard; ) {
        const began = performance.now()
        const status = await send(next.value)
        times.push(performance.now() - began)
        statuses.set(status, (statuses.get(status) ?? 0) + 1)
        heard = status !== 503
        if (!heard) await sleep(20)
      }
    }
  }
  await Promise.all(Array.from({ length: atOnce }, lane))
  return { statuses, times: times.toSorted((a, b) => a - b) }
}

/** `p50 3 ms, p99 11 ms, most 20 ms`. */
export function timeWords({ times }: Answers): string {
  const at = (share: number) => `${Math.round(times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? Number.NaN)} ms`
  return `p50 ${at(0.5)}, p99 ${at(0.99)}, most ${at(1)}`
}

/** Ten thousand ways to be nearly right: bytes, headers, signatures and times that are WeChat's but for one thing. */
export function* changedNotices(notice: PayNotice, keys: PayKeys, count: number, seed: number): Generator<PayNotice> {
  const random = generator(seed)
  const pick = <T>(all: readonly T[]): T => all[Math.floor(random() * all.length)]!
  const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/="{}:, \u0000é'
  const at = (text: string, change: (letter: string) => string) => {
    const i = Math.floor(random() * text.length)
    return text.slice(0, i) + change(text[i] ?? '') + text.slice(i + 1)
  }
  const changed = (text: string) => at(text, (letter) => pick([...letters].filter((other) => other !== letter)))
  const { headers, body } = notice
  const header = (name: string, change: (value: string) => string) => ({ ...headers, [name]: change(headers[name] ?? '') })
  const names = ['wechatpay-timestamp', 'wechatpay-nonce', 'wechatpay-serial'] as const
  const stranger = { ...keys, platform: { ...keys.platform, privateKey: keys.merchant.privateKey } }
  const signedBy = (who: PayKeys, ms: number) => ({ ...headers, ...signedHeaders(who, body, ms) })
  const ways: (() => PayNotice)[] = [
    () => ({ headers, body: changed(body) }),
    () => ({ headers, body: at(body, () => '') }),
    () => ({ headers, body: at(body, (letter) => letter + letter) }),
    () => ({ headers: header(pick(names), changed), body }),
    // A bit of the signature that its base64 does carry.
    () => ({ headers: header('wechatpay-signature', (value) => (value[0] === 'A' ? 'B' : 'A') + value.slice(1, 300)), body }),
    () => ({ headers: header('wechatpay-signature', (value) => `WECHATPAY/SIGNTEST/${value}`), body }),
    () => ({ headers: header(pick([...names, 'wechatpay-signature']), () => ''), body }),
    () => ({
      headers: {
        ...headers,
        'wechatpay-nonce': headers['wechatpay-timestamp']!,
        'wechatpay-timestamp': headers['wechatpay-nonce']!,
      },
      body,
    }),
    () => ({ headers: signedBy(stranger, Date.now()), body }),
    // Six minutes old, or of a clock six minutes ahead: signed by WeChat all the same.
    () => ({ headers: signedBy(keys, Date.now() + pick([-360_000, 360_000])), body }),
    () => ({ headers, body: pick(['', '{}', 'null', '[]', '{', '\u0000', '"x"', `${'['.repeat(5_000)}`]) }),
  ]
  for (let i = 0; i < count; i++) yield ways[i % ways.length]!()
}

/** What no HTTP client would send in a header, as one that can be sent. */
export const sendable = ({ headers, body }: PayNotice): PayNotice => ({
  headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, value.replace(/[^\x20-\x7e]/g, '?')])),
  body,
})
