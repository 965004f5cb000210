import { calls } from '@convexa/contract/calls'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { memoryStorage } from '../../test/storage.ts'

vi.stubGlobal('localStorage', memoryStorage())
vi.stubGlobal('sessionStorage', memoryStorage())
const { useAuth } = await import('../state/auth.ts')
const { subscribe } = await import('./stream.ts')

type Backtest = NonNullable<typeof calls.cb.backtest.endpoint>

const encoder = new TextEncoder()
let closed = false
/** A stream of the given pieces; `hang` leaves it open. */
function streamOf(pieces: readonly (string | Uint8Array)[], hang = false): Response {
  closed = false
  const body = new ReadableStream({
    start(controller) {
      for (const piece of pieces) controller.enqueue(typeof piece === 'string' ? encoder.encode(piece) : piece)
      if (!hang) controller.close()
    },
    cancel() {
      closed = true
    },
  })
  return new Response(body, { status: 200, headers: { 'content-type': 'text/event-stream' } })
}

let response: Response
vi.stubGlobal('fetch', async () => response)

// What is asked is not looked at here.
const input = { body: {} } as Parameters<typeof subscribe<Backtest>>[1]
async function collect(signal = new AbortController().signal) {
  const events: unknown[] = []
  try {
    for await (const event of subscribe(calls.cb.backtest, input, signal)) events.push(event)
    return { events, error: null }
  } catch (error) {
    return { events, error }
  }
}

const stage = (seq: number) => `data: success={"type":"stage","run_id":"r","seq":${seq},"stage":"load","label":"加载数据"}\n\n`

beforeEach(() => useAuth.getState().clear())
afterEach(() => vi.useRealTimers())

describe('a stream of events', () => {
  it('gives each event, across any cut of the bytes, and skips heartbeats', async () => {
    const bytes = encoder.encode(`${stage(1)}: ping\n\n${stage(2)}`)
    response = streamOf(Array.from(bytes, (byte) => Uint8Array.of(byte)))
    const { events, error } = await collect()
    expect(error).toBeNull()
    expect(events).toMatchObject([
      { seq: 1, label: '加载数据' },
      { seq: 2, label: '加载数据' },
    ])
  })

  it('an error line ends it with its sentence and code', async () => {
    response = streamOf([stage(1), 'data: error=行情数据更新中，请稍后重试[21008]\n\n', stage(2)])
    const { events, error } = await collect()
    expect(events).toHaveLength(1)
    expect(error).toMatchObject({ kind: 'stream', message: '行情数据更新中，请稍后重试', code: 21008 })
  })

  it.each([
    ['a line that is no JSON', 'data: success={oops\n\n'],
    ['a line without =', 'data: hello\n\n'],
  ])('%s is 读取数据异常', async (_, line) => {
    response = streamOf([line])
    expect((await collect()).error).toMatchObject({ message: '读取数据异常' })
  })

  it('an unknown kind is passed on', async () => {
    response = streamOf(['data: notice=hello\n\n'])
    expect(await collect()).toEqual({ events: [{ type: 'other', payload: 'hello' }], error: null })
  })

  it('leaving the loop closes the socket', async () => {
    response = streamOf([stage(1), stage(2)], true)
    for await (const _ of subscribe(calls.cb.backtest, input, new AbortController().signal)) break
    expect(closed).toBe(true)
  })

  it('35 s of silence is a connection that was cut', async () => {
    vi.useFakeTimers()
    // A body that never answers, and fails when its request is aborted, as a browser's does.
    vi.stubGlobal('fetch', async (_: string, { signal }: RequestInit) => {
      const read = () => new Promise((_resolve, reject) => signal?.addEventListener('abort', () => reject(signal.reason)))
      return { ok: true, status: 200, body: { getReader: () => ({ read, cancel: async () => {} }) } }
    })
    const run = collect()
    await vi.advanceTimersByTimeAsync(36_000)
    expect((await run).error).toMatchObject({ kind: 'stream', message: '连接中断，运行已取消' })
    vi.stubGlobal('fetch', async () => response)
  })

  it('a connection that breaks off cancels the run', async () => {
    const body = new ReadableStream({
      start: (pen) => {
        pen.enqueue(new TextEncoder().encode(stage(1)))
        setTimeout(() => pen.error(new TypeError('network error')))
      },
    })
    response = new Response(body, { status: 200 })
    const { events, error } = await collect()
    expect(events).toHaveLength(1)
    expect(error).toMatchObject({ kind: 'stream', message: '连接中断，运行已取消' })
  })

  it('a refused login raises the warning', async () => {
    response = new Response(JSON.stringify({ code: 40100, msg: '请先登录', data: null }), { status: 401 })
    expect((await collect()).error).toMatchObject({ kind: 'login' })
    expect(useAuth.getState().refused).toBe(true)
  })

  it('a request that is refused before it streams says the server’s sentence', async () => {
    response = new Response(JSON.stringify({ code: 40000, msg: '请求参数有误：settings', data: null }), { status: 400 })
    expect((await collect()).error).toMatchObject({ kind: 'stream', message: '请求参数有误：settings', code: 40000 })
  })
})
