import type { Call, CallData } from '@convexa/contract/calls'
import { onTestFinished, vi } from 'vitest'
import { queries } from '../../src/api/query-cache.ts'

/** A request as the part under test sent it. */
export interface Asked {
  path: string
  query: URLSearchParams
  body: unknown
}
type Script = (asked: Asked) => unknown

export interface ScriptedApi {
  /** What an endpoint answers from now on: its data, or what gives them for a request, which may take its time. */
  says<E>(endpoint: Call<E>, data: CallData<E> | ((asked: Asked) => CallData<E> | Promise<CallData<E>>)): void
  /** That an endpoint refuses from now on, by a business code and its sentence. */
  refuses(endpoint: Call, code: number, msg: string): void
  /** What an endpoint was asked so far. */
  asked(endpoint: Call): Asked[]
}

const refusal = Symbol('refusal')
const envelope = (code: number, msg: string, data: unknown = null) =>
  Response.json({ code, msg, data, request_id: 'r1' }, { status: code === 0 ? 200 : 400 })

/** Whether an address is one of an endpoint: `/v1/order/{id}` of `/v1/order/o1`. */
const isAt = ({ path }: Call, address: string): boolean => new RegExp(`^${path.replace(/\{\w+\}/g, '[^/]+')}$`).test(address)

/**
 * An API that answers what a test tells it to, in the place of the network: everything of ours up to `fetch` runs. What it was not told
 * is refused as an endpoint that is not there. It lasts until the test ends, and begins with nothing in the query cache.
 */
export function scriptedApi(): ScriptedApi {
  const scripts: { endpoint: Call; script: Script }[] = []
  const heard: { endpoint: Call; asked: Asked }[] = []
  const real = globalThis.fetch
  const play = async (input: RequestInfo | URL, init: RequestInit = {}): Promise<Response> => {
    const { pathname: path, searchParams: query } = new URL(String(input), location.href)
    if (!path.startsWith('/v1/')) return real(input, init)
    const found = scripts.findLast(({ endpoint }) => endpoint.method === init.method && isAt(endpoint, path))
    if (!found) return envelope(40400, `没有这个接口：${init.method} ${path}`)
    const asked = { path, query, body: typeof init.body === 'string' ? JSON.parse(init.body) : undefined }
    heard.push({ endpoint: found.endpoint, asked })
    const aborted = new Promise<never>((_, reject) => init.signal?.addEventListener('abort', () => reject(init.signal?.reason)))
    const answer = await Promise.race([found.script(asked), aborted])
    if (typeof answer === 'object' && answer !== null && refusal in answer) {
      const { code, msg } = answer[refusal] as { code: number; msg: string }
      return envelope(code, msg)
    }
    return envelope(0, '', answer)
  }
  queries.clear()
  vi.stubGlobal('fetch', play)
  onTestFinished(() => {
    vi.unstubAllGlobals()
  })
  return {
    says: (endpoint, data) => void scripts.push({ endpoint, script: typeof data === 'function' ? (data as Script) : () => data }),
    refuses: (endpoint, code, msg) => void scripts.push({ endpoint, script: () => ({ [refusal]: { code, msg } }) }),
    asked: (endpoint) => heard.filter((one) => one.endpoint === endpoint).map(({ asked }) => asked),
  }
}
