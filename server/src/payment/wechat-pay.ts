import { createHash, X509Certificate } from 'node:crypto'
import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import { z } from 'zod'
import { breaker } from '../base/breaker.ts'
import type { WechatPaySettings } from '../config/config.ts'
import { authorization, isFresh, isSignedBy, type Signed, signedOf, unsealed } from './signature.ts'
import { RefundStatusNotice, Trade } from './trade.ts'

/**
 * What WeChat said to a call. `refused`: it did nothing, and says why. `unclear`: no answer, none that is WeChat's, or one that leaves
 * open what was done: only a query tells. `away`: it was not reached at all.
 */
export type Answer<T> =
  | { readonly is: 'done'; readonly value: T }
  | { readonly is: 'refused'; readonly code: string; readonly status: number }
  | { readonly is: 'unclear'; readonly code: string }
  | { readonly is: 'away' }

export interface Purchase {
  readonly otn: string
  readonly description: string
  readonly amountFen: number
  readonly expiresAt: Date
}

interface Refunding {
  readonly outRefundNo: string
  readonly transactionId: string
  readonly amountFen: number
  readonly totalFen: number
  readonly reason: string
}

/** WeChat Pay as our merchant meets it. */
export interface WechatPay {
  readonly settings: WechatPaySettings
  /** false while it answers nobody: a way to pay is not asked for then. What is under way is asked about all the same. */
  mayOpen(): boolean
  native(purchase: Purchase, ms: number): Promise<Answer<{ codeUrl: string }>>
  jsapi(purchase: Purchase, openid: string, ms: number): Promise<Answer<{ prepayId: string }>>
  query(otn: string, ms: number): Promise<Answer<Trade>>
  close(otn: string, ms: number): Promise<Answer<null>>
  refund(refunding: Refunding): Promise<Answer<RefundStatusNotice>>
  queryRefund(outRefundNo: string): Promise<Answer<RefundStatusNotice>>
  /** The bill of a day as it is downloaded. */
  bill(day: string): Promise<Answer<string>>
  /** Whether a notice is WeChat's, and of now. */
  isGenuine(notice: Signed): Promise<boolean>
}

interface GatewayDeps {
  now(): Date
  log(event: string, details: Record<string, unknown>): void
}

const longMs = 10_000
const certificatesMs = 12 * 3_600_000
const askAgainMs = 60_000

/** Codes that say "try again" with a status that would say no. */
const transient = new Set([
  'FREQUENCY_LIMITED',
  'RATELIMIT_EXCEEDED',
  'SYSTEM_ERROR',
  'SYSTEMERROR',
  'BANK_ERROR',
  'USERPAYING',
  'ACCEPTED',
])

/** Reasons of an unclear answer that is none at all. */
const silent = new Set(['TIMEOUT', 'ECONNRESET', 'UND_ERR_SOCKET', 'UND_ERR_HEADERS_TIMEOUT', 'ETIMEDOUT'])

export function wechatPay(settings: WechatPaySettings, { now, log }: GatewayDeps): WechatPay {
  const { appId, mchId, notifyUrl } = settings
  const keys = platformKeys(settings, { now, log }, (path) => ask('GET', path, undefined, longMs, true))
  /** Seconds by which WeChat's clock is ahead of ours, as it once told us when it refused a request for its time. */
  let ahead = 0

  /** One request, signed, and its answer, verified. An answer without a right signature is unclear, whatever it says. */
  async function ask(
    method: 'GET' | 'POST',
    path: string,
    given: object | undefined,
    ms: number,
    unverified = false,
    again = false,
  ): Promise<Answer<string>> {
    const body = given === undefined ? '' : JSON.stringify(given)
    const before = ahead
    const sent = await send(settings, { method, path, body, seconds: Math.floor(now().getTime() / 1_000) + ahead, ms })
    if ('failed' in sent) {
      log('wechat pay does not answer', { path: templateOf(path), reason: sent.failed })
      return sent.reached ? { is: 'unclear', code: sent.failed } : { is: 'away' }
    }
    const { status, text, header } = sent
    const code = codeOf(text)
    if (status === 401 && !again) {
      const serverTime = Date.parse(header('date') ?? '')
      const off = Math.round((serverTime - now().getTime()) / 1_000)
      // Our clock is wrong, or was and has been put right since.
      if (Math.abs(off - before) > 60) {
        ahead = off
        log('our clock is not as it was', { seconds: off })
        return ask(method, path, given, ms, unverified, true)
      }
    }
    const isGood = status >= 200 && status < 300
    // Their freshness is not asked: an answer belongs to its request, and a wrong clock of ours must not stop us from hearing of money.
    if (isGood && !unverified && !(await keys.verifies(signedOf(header, text)))) {
      log('an answer that is not signed by wechat pay', { path: templateOf(path), status })
      return { is: 'unclear', code: 'SIGNATURE' }
    }
    if (isGood && status !== 202) return { is: 'done', value: text }
    log('wechat pay refuses', { path: templateOf(path), status, code })
    if (status >= 500 || status === 429 || status === 202 || transient.has(code)) return { is: 'unclear', code }
    return { is: 'refused', code, status }
  }

  const trades = '/v3/pay/transactions'
  const opening = breaker({ after: 5, againMs: 10_000 })
  const open = async (way: 'native' | 'jsapi', given: object, ms: number): Promise<Answer<string>> => {
    const answer = await ask('POST', `${trades}/${way}`, given, ms)
    const missed = answer.is === 'away' || (answer.is === 'unclear' && silent.has(answer.code))
    if (missed) opening.failure()
    else opening.success()
    return answer
  }
  const read = async <T>(schema: z.ZodType<T>, call: Promise<Answer<string>>): Promise<Answer<T>> => {
    const answer = await call
    if (answer.is !== 'done') return answer
    const parsed = schema.safeParse(jsonOf(answer.value))
    return parsed.success ? { is: 'done', value: parsed.data } : { is: 'unclear', code: 'SHAPE' }
  }

  const ordered = ({ otn, description, amountFen, expiresAt }: Purchase) => ({
    appid: appId,
    mchid: mchId,
    description,
    out_trade_no: otn,
    time_expire: `${expiresAt.toISOString().slice(0, 19)}+00:00`,
    notify_url: notifyUrl,
    amount: { total: amountFen, currency: 'CNY' },
  })

  return {
    settings,
    mayOpen: () => opening.allows(),
    native: (purchase, ms) =>
      read(
        z.object({ code_url: z.string().regex(/^[a-z]+:\/\/\S{1,400}$/) }).transform(({ code_url }) => ({ codeUrl: code_url })),
        open('native', ordered(purchase), ms),
      ),
    jsapi: (purchase, openid, ms) =>
      read(
        z.object({ prepay_id: z.string().regex(/^[\w-]{1,64}$/) }).transform(({ prepay_id }) => ({ prepayId: prepay_id })),
        open('jsapi', { ...ordered(purchase), payer: { openid } }, ms),
      ),
    query: (otn, ms) => read(Trade, ask('GET', `${trades}/out-trade-no/${otn}?mchid=${mchId}`, undefined, ms)),
    close: async (otn, ms) => {
      const answer = await ask('POST', `${trades}/out-trade-no/${otn}/close`, { mchid: mchId }, ms)
      return answer.is === 'done' ? { is: 'done', value: null } : answer
    },
    refund: ({ outRefundNo, transactionId, amountFen, totalFen, reason }) => {
      const amount = { refund: amountFen, total: totalFen, currency: 'CNY' }
      const given = { transaction_id: transactionId, out_refund_no: outRefundNo, reason, notify_url: notifyUrl, amount }
      return read(RefundStatusNotice, ask('POST', '/v3/refund/domestic/refunds', given, longMs))
    },
    queryRefund: (outRefundNo) => read(RefundStatusNotice, ask('GET', `/v3/refund/domestic/refunds/${outRefundNo}`, undefined, longMs)),
    bill: async (day) => {
      const where = await read(
        z.object({ hash_type: z.literal('SHA1'), hash_value: z.string(), download_url: z.url() }),
        ask('GET', `/v3/bill/tradebill?bill_date=${day}&bill_type=ALL&tar_type=GZIP`, undefined, longMs),
      )
      if (where.is !== 'done') return where
      const { origin, pathname, search } = new URL(where.value.download_url)
      // Only our own gateway is asked, whatever an answer names. The file itself is not signed: the hash of what is packed in it was.
      if (origin !== new URL(settings.url).origin) return { is: 'unclear', code: 'ADDRESS' }
      const file = await ask('GET', pathname + search, undefined, longMs * 3, true)
      if (file.is !== 'done') return file
      const hash = createHash('sha1').update(file.value).digest('hex')
      return hash === where.value.hash_value.toLowerCase() ? file : { is: 'unclear', code: 'HASH' }
    },
    isGenuine: async (notice) => isFresh(notice, now()) && (await keys.verifies(notice)),
  }
}

interface PlatformKeys {
  verifies(signed: Signed): Promise<boolean>
}

const Certificates = z.object({
  data: z.array(
    z.object({
      serial_no: z.string(),
      encrypt_certificate: z.object({ ciphertext: z.string(), nonce: z.string(), associated_data: z.string() }),
    }),
  ),
})

/**
 * WeChat's keys by their serials: the public key that the merchant was given, and the platform's certificates. Merchants who change from
 * one to the other meet both for a while. Certificates come sealed under the APIv3 key, which is what makes them WeChat's.
 */
function platformKeys(
  { publicKey, v3Key }: WechatPaySettings,
  { now, log }: GatewayDeps,
  get: (path: string) => Promise<Answer<string>>,
): PlatformKeys {
  /** `until`: when the certificate ends, in ms. */
  let certificates = new Map<string, { readonly key: string; readonly until: number }>()
  let askedAt = Number.NEGATIVE_INFINITY
  let asking: Promise<void> | null = null

  const fetchThem = async () => {
    const answer = await get('/v3/certificates')
    const found = answer.is === 'done' ? Certificates.safeParse(jsonOf(answer.value)) : null
    if (!found?.success) return log('certificates of wechat pay not read', { is: answer.is })
    const read = new Map<string, { key: string; until: number }>()
    let unread = 0
    for (const { serial_no, encrypt_certificate } of found.data.data) {
      const pem = unsealed(v3Key, encrypt_certificate)
      const certificate = pem === null ? null : certificateOf(pem)
      if (certificate) read.set(serial_no, certificate)
      else log('a certificate of wechat pay not read', { serial: serial_no, unread: ++unread })
    }
    // What WeChat names no more is believed no more; a list that could not be read whole takes nothing away.
    certificates = new Map([...(unread > 0 ? certificates : []), ...read])
  }
  const keyOf = async (serial: string): Promise<string | null> => {
    if (publicKey && serial === publicKey.id) return publicKey.pem
    if (!/^[0-9A-F]{16,64}$/i.test(serial)) return null
    const living = () => {
      const found = certificates.get(serial)
      return found && now().getTime() < found.until ? found.key : null
    }
    const age = now().getTime() - askedAt
    const livingKeys = living()
    // Certificates are fetched once a minute at most for an unknown serial: made-up serials cost nothing.
    if (livingKeys ? age > certificatesMs : age > askAgainMs || age < 0) {
      askedAt = now().getTime()
      asking = fetchThem().finally(() => {
        asking = null
      })
    }
    if (!livingKeys && asking) await asking
    return living()
  }
  return {
    async verifies(signed) {
      const key = await keyOf(signed.serial)
      return key !== null && isSignedBy(key, signed)
    },
  }
}

/** Its key as PEM, and its end; null for what is no certificate, or of a kind that we cannot read. */
function certificateOf(pem: string): { key: string; until: number } | null {
  try {
    const certificate = new X509Certificate(pem)
    const until = Date.parse(certificate.validTo)
    return Number.isNaN(until) ? null : { key: certificate.publicKey.export({ type: 'spki', format: 'pem' }).toString(), until }
  } catch {
    return null
  }
}

interface Request {
  readonly method: string
  readonly path: string
  readonly body: string
  readonly seconds: number
  readonly ms: number
}

type Sent =
  | { readonly status: number; readonly text: string; readonly header: (name: string) => string | null }
  | { readonly failed: string; readonly reached: boolean }

/** Errors of a connection that was never made: nothing was asked. */
const unreached = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH', 'UND_ERR_CONNECT_TIMEOUT'])
const mostBytes = 32 * 1024 * 1024

async function send(settings: WechatPaySettings, { method, path, body, seconds, ms }: Request): Promise<Sent> {
  try {
    const response = await fetch(settings.url + path, {
      method,
      headers: {
        authorization: authorization(settings, { method, path, body, seconds }),
        accept: 'application/json',
        'user-agent': 'convexa',
        ...(settings.publicKey && { 'wechatpay-serial': settings.publicKey.id }),
        ...(body && { 'content-type': 'application/json' }),
      },
      ...(body && { body }),
      redirect: 'error',
      signal: AbortSignal.timeout(ms),
    })
    // The very bytes: `text()` would drop the mark at the head of a bill, and with it its hash.
    const packed = Buffer.from(await response.arrayBuffer())
    if (packed.length > mostBytes) return { failed: 'TOO_LONG', reached: true }
    const text = (await unpacked(packed)).toString('utf8')
    return { status: response.status, text, header: (name) => response.headers.get(name) }
  } catch (error) {
    const { name, cause } = error as Error & { cause?: { code?: string } }
    const failed = name === 'TimeoutError' ? 'TIMEOUT' : (cause?.code ?? name)
    return { failed, reached: !unreached.has(failed) }
  }
}

const unzip = promisify(gunzip)

/** A bill comes as a gzip file, which no header says; nothing else begins like one. @throws Error when it is cut, or far too long */
const unpacked = async (bytes: Buffer): Promise<Buffer> =>
  bytes[0] === 0x1f && bytes[1] === 0x8b ? unzip(bytes, { maxOutputLength: mostBytes }) : bytes

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

const codeOf = (text: string): string => {
  const code = (jsonOf(text) as { code?: unknown } | null)?.code
  return typeof code === 'string' && /^\w{1,40}$/.test(code) ? code : ''
}

/** For logs: numbers of orders are nobody's business. */
const templateOf = (path: string): string => path.replace(/\?.*$/, '').replace(/(out-trade-no|refunds)\/[^/]+/, '$1/…')
