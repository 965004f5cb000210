// isolated: replaces functions of globals
import type { ServerResponse } from 'node:http'
import { calls } from '@convexa/contract/calls'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { type ScriptedServer, says, scriptedServer } from '../../test/scripted-server.ts'
import { browserOf, openTab, type Tab, tokens } from '../../test/tab.ts'

let server: ScriptedServer
let tab: Tab

beforeAll(async () => {
  server = await scriptedServer()
})
afterAll(() => server.close())
beforeEach(async () => {
  browserOf(server.url).setItem('tokenData', JSON.stringify(tokens('old')))
  tab = await openTab()
})
afterEach(() => vi.useRealTimers())

// Held before a test moves the clock: the network takes real time.
const { setTimeout: realTimeout } = globalThis
const pause = (milliseconds: number) => new Promise((resolve) => realTimeout(resolve, milliseconds))
const stage = (seq: number) => `data: success={"type":"stage","run_id":"r","seq":${seq},"stage":"load","label":"加载数据"}\n\n`
const begins = (answer: ServerResponse) => answer.writeHead(200, { 'Content-Type': 'text/event-stream' })
const plays = (...pieces: (string | Uint8Array)[]) =>
  server.plays(async (_, answer) => {
    begins(answer)
    for (const piece of pieces) {
      answer.write(piece)
      if (pieces.length > 1) await pause(1)
    }
    answer.end()
  })

// This server ignores the request body.
const input = { body: { settings: {} } } as Parameters<typeof tab.subscribe<NonNullable<typeof calls.cb.backtest.endpoint>>>[1]

/** Collects all that a listener receives, until one of the two ends. */
async function told(cancelAfter = Number.POSITIVE_INFINITY) {
  const events: unknown[] = []
  const end = await new Promise<unknown>((resolve) => {
    const { cancel } = tab.listen(calls.cb.backtest, input, {
      onEvent(event) {
        events.push(event)
        if (events.length < cancelAfter) return
        cancel()
        setTimeout(() => resolve('cancelled'), 50)
      },
      onEnd: () => resolve('end'),
      onError: resolve,
    })
  })
  return { events, end }
}

describe('a stream', () => {
  it('is a POST of JSON that asks for an event stream, with the token and no time limit', async () => {
    const timeout = vi.spyOn(AbortSignal, 'timeout')
    plays(stage(1))
    await told()
    expect(server.asked).toMatchObject([
      {
        method: 'POST',
        url: '/v1/quant/convertible-bond/advanced-backtest',
        body: '{"settings":{}}',
        headers: { accept: 'text/event-stream', 'content-type': 'application/json', 'access-token': 'old-access' },
      },
    ])
    expect(timeout).not.toHaveBeenCalled()
  })

  it('gives each event across any cut of the bytes, skips heartbeats, and says when it has ended', async () => {
    const bytes = new TextEncoder().encode(`${stage(1)}: ping\n\n${stage(2).replaceAll('\n', '\r\n')}event: x\n\n${stage(3)}`)
    plays(...Array.from({ length: Math.ceil(bytes.length / 7) }, (_, i) => bytes.slice(i * 7, i * 7 + 7)))
    const { events, end } = await told()
    expect(events).toMatchObject([1, 2, 3].map((seq) => ({ seq, label: '加载数据' })))
    expect(end).toBe('end')
  })

  it('counts the last line without its line end', async () => {
    plays(stage(1), stage(2).trimEnd())
    expect((await told()).events).toHaveLength(2)
  })

  it('passes an unknown kind on as progress', async () => {
    plays('data: notice={"type":"stage"}\n\ndata:plain=a=b\n\n', stage(1))
    const { events, end } = await told()
    expect(events.slice(0, 2)).toEqual([
      { type: 'other', payload: '{"type":"stage"}' },
      { type: 'other', payload: 'a=b' },
    ])
    expect([events.length, end]).toEqual([3, 'end'])
  })

  it('whose socket is closed by `cancel` ends for the server too, and tells nothing more', async () => {
    let closed = false
    server.plays((_, answer) => {
      begins(answer).write(stage(1) + stage(2))
      answer.on('close', () => (closed = true))
    })
    expect(await told(1)).toMatchObject({ events: [{ seq: 1 }], end: 'cancelled' })
    expect(closed).toBe(true)
  })

  it('read as a loop is closed by leaving the loop', async () => {
    let closed = false
    server.plays((_, answer) => {
      begins(answer).write(stage(1) + stage(2))
      answer.on('close', () => (closed = true))
    })
    for await (const _ of tab.subscribe(calls.cb.backtest, input, new AbortController().signal)) break
    await vi.waitFor(() => expect(closed).toBe(true), { timeout: 15_000 })
  })

  it('given up by its signal throws what the signal says, no failure of ours', async () => {
    server.plays((_, answer) => begins(answer).write(stage(1)))
    const abort = new AbortController()
    const loop = async () => {
      for await (const _ of tab.subscribe(calls.cb.backtest, input, abort.signal)) abort.abort()
    }
    await expect(loop()).rejects.toMatchObject({ name: 'AbortError' })
  })
})

describe('a stream that fails', () => {
  it.each([
    ['an error line', 'data: error=行情数据更新中，请稍后重试[21008]\n\n', { message: '行情数据更新中，请稍后重试', code: 21008 }],
    ['an error line without a code', 'data: error=出错了\n\n', { message: '出错了', code: 0 }],
    ['a line that is no JSON', 'data: success={oops\n\n', { message: '读取数据异常' }],
    ['a line without =', 'data: hello\n\n', { message: '读取数据异常' }],
    ['a line that was cut off', 'data: success={"type":"sta', { message: '读取数据异常' }],
  ])('by %s keeps what came before and reads nothing after it', async (_, line, failure) => {
    let closed = false
    server.plays(async (_asked, answer) => {
      answer.on('close', () => (closed = true))
      begins(answer).write(stage(1) + line)
      if (line.endsWith('\n')) answer.write(stage(2))
      else answer.end()
    })
    const { events, end } = await told()
    expect(events).toHaveLength(1)
    expect(end).toMatchObject({ kind: 'stream', ...failure })
    await vi.waitFor(() => expect(closed).toBe(true), { timeout: 15_000 })
  })

  it('by a connection that breaks is cut', async () => {
    server.plays((_, answer) => {
      begins(answer).write(stage(1))
      setTimeout(() => answer.destroy(), 20)
    })
    const { events, end } = await told()
    expect(events).toHaveLength(1)
    expect(end).toMatchObject({ kind: 'stream', message: '连接中断，运行已取消' })
  })

  it.each<[string, (answer: ServerResponse) => unknown, string]>([
    ['after its first event', (answer) => begins(answer).write(stage(1)), '连接中断，运行已取消'],
    ['before its head', () => {}, '网络连接异常:网络连接失败，请检查网络'],
  ])('by 35 s of silence %s', async (_, script, message) => {
    server.plays((_asked, answer) => script(answer))
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const ended = told()
    await vi.waitUntil(() => server.asked.length === 1)
    await new Promise((resolve) => setImmediate(resolve))
    for (let second = 0; second < 36; second++) {
      await vi.advanceTimersByTimeAsync(1_000)
      await new Promise((resolve) => setImmediate(resolve))
    }
    expect((await ended).end).toMatchObject({ kind: 'stream', message })
  })

  it('is not one that a heartbeat comes from, however long it lasts', async () => {
    let line: ServerResponse | undefined
    server.plays((_, answer) => {
      line = answer
      begins(answer).write(stage(1))
    })
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const ended = told()
    await vi.waitUntil(() => server.asked.length === 1)
    for (let beat = 0; beat < 8; beat++) {
      line?.write(': ping\n\n')
      await pause(30)
      await vi.advanceTimersByTimeAsync(10_000)
    }
    line?.end(stage(2))
    expect(await ended).toMatchObject({ events: [{ seq: 1 }, { seq: 2 }], end: 'end' })
  })

  it.each<[string, (answer: ServerResponse) => unknown, object]>([
    ['a server that is not there', (answer) => answer.destroy(), { kind: 'stream', message: '网络连接异常:网络连接失败，请检查网络' }],
    [
      'a gateway’s page, by its status text',
      (answer) => answer.writeHead(502, 'Bad Gateway').end('<html>'),
      { kind: 'stream', message: '网络连接异常:Bad Gateway', status: 502 },
    ],
    [
      'the server’s own sentence',
      (answer) => says(answer, 400, 40000, null, '请求参数有误：settings'),
      { kind: 'stream', message: '请求参数有误：settings', code: 40000, status: 400 },
    ],
    ['403', (answer) => answer.writeHead(403).end(), { kind: 'login', message: '请先登录' }],
  ])('before it begins: %s', async (_, script, failure) => {
    const heard: unknown[] = []
    tab.onFailure(({ error }) => heard.push(error))
    server.plays((_asked, answer) => script(answer))
    const { events, end } = await told()
    expect(events).toEqual([])
    expect(end).toMatchObject(failure)
    expect(heard).toEqual([end])
  })
})

describe('a stream with an ended access token', () => {
  it('is renewed once and opened again', async () => {
    server.plays((asked, answer) => {
      if (asked.method === 'PUT') return says(answer, 200, 0, tokens('new'))
      if (asked.headers['access-token'] !== 'new-access') return says(answer, 401, 40101)
      begins(answer).end(stage(1))
    })
    expect(await told()).toMatchObject({ events: [{ seq: 1 }], end: 'end' })
    expect(server.asked.map(({ method }) => method)).toEqual(['POST', 'PUT', 'POST'])
  })

  it('that cannot be renewed raises the warning', async () => {
    server.plays((_, answer) => says(answer, 401, 40101))
    expect((await told()).end).toMatchObject({ kind: 'login', message: '请先登录' })
    expect(tab.useAuth.getState().refused).toBe(true)
  })
})
