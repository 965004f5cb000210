/**
 * One question to a provider over HTTP.
 *
 * 1. Within the limits of the provider (`throttle.ts`) and of a round (`../round-hours.ts`), in a time and a size, without following it elsewhere.
 * 2. What comes is kept as it came, then read; what cannot be read counts as no answer: under load they send pages in place of data.
 * 3. No answer is asked for again, each time later, at the next of its addresses where there are several.
 *
 * Nothing of a token or a cookie is in what is thrown: sentences are made here, of the provider's name and a status.
 */
import { type Asking, FeedError } from '../feed.ts'
import type { RequestBudget } from '../round-hours.ts'
import type { FeedDeps } from './feed-deps.ts'
import { type Limit, throttle } from './throttle.ts'

export interface Request {
  /** What a person calls the provider. */
  readonly label: string
  /** For the kept answer and for reports, without secrets: `tushare daily trade_date=20240614`. */
  readonly what: string
  /** The same question at different hosts; one is usual. */
  readonly urls: readonly string[]
  readonly headers?: Readonly<Record<string, string>>
  /** Sent by POST. */
  readonly body?: string
  /** Key under which calls are counted together, and their limits. */
  readonly counted?: { readonly key: string; readonly limits: readonly Limit[]; readonly budget?: RequestBudget }
}

/** @throws FeedError what `read` throws, or `network` */
export type Transport = <T>(request: Request, read: (bytes: Buffer) => T, asking: Asking) => Promise<T>

export interface TransportLimits {
  readonly timeoutMs: number
  readonly mostBytes: number
  /** Waits before the second, the third … try. */
  readonly backOffMs: readonly number[]
  /** A source that says "later" is waited for at most so long; longer ones are the caller's matter. */
  readonly patienceMs: number
}

const usual: TransportLimits = {
  timeoutMs: 30_000,
  mostBytes: 64 * 1024 * 1024,
  backOffMs: [500, 2_000, 8_000],
  patienceMs: 70_000,
}

/** Gets the bytes of one answer. @throws FeedError */
export type Send = (request: Request, url: string, limits: TransportLimits, signal: AbortSignal) => Promise<Buffer>

/** @param send tests answer from memory */
export function transport(deps: FeedDeps, changed: Partial<TransportLimits> = {}, send: Send = sendByHttp): Transport {
  const limits = { ...usual, ...changed }
  const inTurn = throttle(deps)
  return async (request, read, asking) => {
    const { urls, counted } = request
    for (let attempt = 0; ; attempt++) {
      if (counted?.budget?.take() === false) throw spent(request.label, counted.budget)
      if (counted) await inTurn(counted.key, counted.limits, asking.signal)
      try {
        const bytes = await send(request, urls[attempt % urls.length]!, limits, asking.signal)
        asking.keep?.({ what: request.what, bytes })
        return read(bytes)
      } catch (error) {
        if (!(error instanceof FeedError)) throw error
        const wait = waitBefore(error, attempt, limits)
        if (wait === null) throw error
        await deps.sleep(wait, asking.signal)
      }
    }
  }
}

/** A round's calls are used up: what was not asked for stays open until the next one. */
export const spent = (label: string, { most, untilNext }: RequestBudget, what = '询问'): FeedError =>
  new FeedError('wait', `${label}本轮的 ${most} 次${what}已用完，下一轮再问`, { waitMs: untilNext() })

/** Milliseconds until another try may help; null: it will not. */
function waitBefore({ kind, waitMs }: FeedError, attempt: number, { backOffMs, patienceMs }: TransportLimits): number | null {
  const next = backOffMs[attempt]
  if (next === undefined) return null
  if (kind === 'network' || kind === 'shape') return next
  return kind === 'wait' && waitMs <= patienceMs ? waitMs : null
}

async function sendByHttp({ label, headers, body }: Request, url: string, limits: TransportLimits, signal: AbortSignal): Promise<Buffer> {
  let response: Response
  try {
    response = await fetch(url, {
      method: body === undefined ? 'GET' : 'POST',
      headers: { 'user-agent': browser, accept: '*/*', ...headers },
      ...(body !== undefined && { body }),
      redirect: 'manual',
      signal: AbortSignal.any([signal, AbortSignal.timeout(limits.timeoutMs)]),
    })
    const fault = faultOf(label, response)
    if (fault) {
      await response.body?.cancel()
      throw fault
    }
    return await readWithin(response, label, limits.mostBytes)
  } catch (error) {
    if (error instanceof FeedError) throw error
    // Asked to stop: that is the caller's, and no fault of the source.
    signal.throwIfAborted()
    throw new FeedError('network', (error as Error).name === 'TimeoutError' ? `${label}没有及时应答` : `无法连接${label}，或连接中断`)
  }
}

/** Some of them answer browsers only. */
const browser = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0 Safari/537.36'

function faultOf(label: string, { status, headers }: Response): FeedError | null {
  if (status === 200) return null
  const later = untilLater(headers)
  if (status === 429) return new FeedError('wait', `${label}要求降低请求频率`, { waitMs: later ?? 61_000 })
  if (status === 503 && later !== null) return new FeedError('wait', `${label}暂停服务，要求稍后再问`, { waitMs: later })
  if (status === 401) return new FeedError('credentials', `${label}不接受所设置的凭据`)
  // 456 is Sina's for an address that asked too much.
  if (status === 403 || status === 456)
    return new FeedError('blocked', `${label}暂时拒绝本机的访问（HTTP ${status}）`, { waitMs: 3_600_000 })
  if (status >= 300 && status < 400) return new FeedError('shape', `${label}要求转到别的地址，没有跟随`)
  return new FeedError(status >= 500 ? 'network' : 'shape', `${label}返回 HTTP ${status}`)
}

/** What a source says of when it may be asked again, in ms and at most a day: as seconds, or as a date by its own clock. */
function untilLater(headers: Headers): number | null {
  const said = headers.get('retry-after') ?? ''
  const ms = /^\d+$/.test(said) ? Number(said) * 1_000 : Date.parse(said) - Date.parse(headers.get('date') ?? new Date().toUTCString())
  return ms > 0 ? Math.min(ms, 86_400_000) : null
}

async function readWithin(response: Response, label: string, mostBytes: number): Promise<Buffer> {
  const parts: Uint8Array[] = []
  let size = 0
  for await (const part of response.body ?? []) {
    size += part.length
    if (size > mostBytes) throw new FeedError('shape', `${label}的应答过大`)
    parts.push(part)
  }
  return Buffer.concat(parts)
}

/** The JSON of an answer. @throws FeedError `shape` for a page, a part of an answer, nothing */
export function jsonOf(label: string, bytes: Buffer): unknown {
  const text = bytes.toString('utf8').trim()
  if (text === '') throw new FeedError('shape', `${label}的应答是空的`)
  if (text.startsWith('<')) throw new FeedError('shape', `${label}返回了网页而不是数据`)
  try {
    return JSON.parse(text)
  } catch {
    throw new FeedError('shape', `${label}的应答不完整或不是 JSON`)
  }
}
