import type { Call } from '@convexa/contract/calls'
import type { Page, Route } from 'playwright-core'
import { hold } from '../quiet.ts'

// A layer between the browser and the server: what a call meets instead of its answer, changed while the page stands.

type Fault =
  /** No answer at all. */
  | 'silence'
  /** A failure of the server. */
  | 'failure'
  /** The server's own answer, changed. */
  | { change: (data: never) => unknown }
  /** A stream that says this and breaks off. */
  | { stream: string }

export const failure = { msg: '服务器开小差了，请稍后重试', requestId: 'E-70231' }

export interface Faults {
  /** From now on, and for what hangs already; null lets the call through. */
  set(call: Call, fault: Fault | null): Promise<void>
  /** From now on calls have time limits, those under way too: until then a page may take as long to open as its machine needs. */
  startLimits(): Promise<void>
}

/** Puts the layer before a page. Time limits of calls follow the page's clock once they are started, so that a test can end them. */
export async function faultsOn(page: Page): Promise<Faults> {
  const rules = new Map<Call, { fault: Fault; hanging: Route[] }>()
  await page.addInitScript(() => {
    let waiting: (() => void)[] | null = []
    const startLimits = () => {
      for (const start of waiting ?? []) start()
      waiting = null
    }
    Object.assign(window, { startLimits })
    AbortSignal.timeout = (milliseconds) => {
      const limit = new AbortController()
      const start = () => setTimeout(() => limit.abort(new DOMException('too late', 'TimeoutError')), milliseconds)
      if (waiting) waiting.push(start)
      else start()
      return limit.signal
    }
  })
  await page.route('**/v1/**', async (route) => {
    const [, rule] = [...rules].find(([call]) => isOf(call, route)) ?? []
    if (!rule) return route.fallback()
    if (rule.fault === 'silence') {
      hold(route)
      rule.hanging.push(route)
    } else await meet(route, rule.fault)
  })
  return {
    startLimits: () => page.evaluate(() => (window as unknown as { startLimits: () => void }).startLimits()),
    async set(call, fault) {
      const hanging = rules.get(call)?.hanging ?? []
      if (fault === null) rules.delete(call)
      else rules.set(call, { fault, hanging: fault === 'silence' ? hanging : [] })
      if (fault === 'silence') return
      // Requests that the page has aborted meanwhile cannot be answered.
      await Promise.all(hanging.map((route) => (fault ? meet(route, fault) : route.continue()).catch(() => undefined)))
    },
  }
}

function isOf({ method, path }: Call, route: Route): boolean {
  const request = route.request()
  const pattern = new RegExp(`^${path.replace(/\{\w+\}/g, '[^/]+')}$`)
  return request.method() === method && pattern.test(new URL(request.url()).pathname)
}

async function meet(route: Route, fault: Exclude<Fault, 'silence'>): Promise<void> {
  if (fault === 'failure')
    return route.fulfill({ status: 500, json: { code: 50000, data: null, msg: failure.msg, request_id: failure.requestId } })
  if ('stream' in fault) return route.fulfill({ contentType: 'text/event-stream', body: fault.stream })
  const response = await route.fetch()
  const answer = (await response.json()) as { data: never }
  return route.fulfill({ response, json: { ...answer, data: fault.change(answer.data) } })
}
