// isolated: stubs globals
import { errorLine, heartbeat, successLine } from '@convexa/contract/stream'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { messages } from '../../api/messages.ts'
import { queries } from '../../api/query-cache.ts'
import { useAuth } from '../../state/auth.ts'
import { isActive, type RunRequest, type RunState } from './backtest-run.ts'
import { useRuns } from './backtest-run-store.ts'

const request = { kind: 'cb', name: '双低', note: '', parameters: {}, settings: {} } as unknown as RunRequest
const queued = successLine({ type: 'queued', run_id: 'r', seq: 1, position: 1 })
const result = successLine({ type: 'result', run_id: 'r', seq: 2, backtest_id: 'b', partial: false })

/** A server that sends these lines; `open` leaves the stream open after them. */
function serve(lines: readonly string[], { open = false, status = 200 } = {}): { signal: () => AbortSignal | null } {
  let signal: AbortSignal | null = null
  vi.stubGlobal('fetch', async (_: string, init: RequestInit) => {
    signal = init.signal ?? null
    if (status !== 200) return new Response(JSON.stringify({ code: 40100, msg: '请先登录', data: null }), { status })
    const body = new ReadableStream<Uint8Array>({
      start(pen) {
        for (const line of lines) pen.enqueue(new TextEncoder().encode(line))
        if (!open) pen.close()
        signal?.addEventListener('abort', () => pen.error(signal?.reason))
      },
    })
    return new Response(body, { status: 200, headers: { 'content-type': 'text/event-stream' } })
  })
  return { signal: () => signal }
}

const only = (): RunState => useRuns.getState().runs[0] as RunState
const until = (done: () => boolean) => vi.waitFor(() => expect(done()).toBe(true), { timeout: 15_000 })

beforeEach(() => useRuns.setState({ runs: [] }))
afterEach(() => vi.unstubAllGlobals())

it('a run to its end', async () => {
  serve([queued, heartbeat, result])
  useRuns.getState().start(request)
  expect(only().phase).toBe('connecting')
  await until(() => !isActive(only()))
  expect(only()).toMatchObject({ phase: 'done', runId: 'r', result: { backtest_id: 'b' } })
})

it('takes one of the uses of the day: how many are left is asked for again', async () => {
  serve([queued, result])
  queries.setQueryData(['strategy-options'], {})
  useRuns.getState().start(request)
  await until(() => !isActive(only()))
  expect(queries.getQueryState(['strategy-options'])?.isInvalidated).toBe(true)
})

it('an error line is its sentence and code', async () => {
  serve([queued, errorLine('今日使用次数已达上限', 21002)])
  useRuns.getState().start(request)
  await until(() => !isActive(only()))
  expect(only()).toMatchObject({ phase: 'failed', failure: { message: '今日使用次数已达上限', code: 21002 } })
})

it('a stream that ends without saying how is broken', async () => {
  serve([queued])
  useRuns.getState().start(request)
  await until(() => !isActive(only()))
  expect(only().failure?.message).toBe(messages.streamUnreadable)
})

it('cancelling closes the socket and keeps what there was', async () => {
  const server = serve([queued], { open: true })
  const key = useRuns.getState().start(request)
  await until(() => only().phase === 'queued')
  useRuns.getState().dismiss(key)
  expect(useRuns.getState().runs).toHaveLength(1)
  useRuns.getState().cancel(key)
  await until(() => server.signal()?.aborted === true)
  expect(only()).toMatchObject({ phase: 'cancelled', runId: 'r' })
  useRuns.getState().dismiss(key)
  expect(useRuns.getState().runs).toHaveLength(0)
})

it('a new run takes the place of an ended one of its market, not of the other', async () => {
  serve([errorLine('行情数据更新中，请稍后重试', 21008)])
  const { start } = useRuns.getState()
  start(request)
  start({ ...request, kind: 'stk' })
  await until(() => useRuns.getState().runs.every((run) => !isActive(run)))
  start(request)
  expect(useRuns.getState().runs.map((run) => [run.request.kind, isActive(run)])).toEqual([
    ['stk', false],
    ['cb', true],
  ])
})

it('a login that ended takes its runs with it', async () => {
  const server = serve([queued], { open: true })
  useAuth.setState({ tokenData: { access_token: 'a', refresh_token: 'r', expires_in: 3600, login_ends_in: 86_400, token_type: 'bearer' } })
  useRuns.getState().start(request)
  await until(() => only().phase === 'queued')
  useAuth.getState().clear()
  expect(useRuns.getState().runs).toHaveLength(0)
  expect(server.signal()?.aborted).toBe(true)
})
