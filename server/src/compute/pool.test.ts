import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Worker as Thread, type Worker } from 'node:worker_threads'
import type { GridAxis, GridResult } from '@convexa/contract'
import { markets, withOwn } from '@convexa/engine'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { type TestDatabase, testDatabase } from '../../test/fixtures/database.ts'
import { publishSmallMarket } from '../../test/fixtures/market/small-market.ts'
import { until } from '../../test/fixtures/processes.ts'
import { binning, parameters, request } from '../../test/fixtures/requests.ts'
import { snapshotPath } from '../market/snapshot.ts'
import { type PanelCache, panelCache } from './panel-cache.ts'
import { type Pool, threadPool } from './pool.ts'
import type { DataFiles, FinishedRun, Outcome, TaskValue, Work } from './protocol.ts'
import { readsOf } from './required-data.ts'

let database: TestDatabase
let dataDir: string
let files: DataFiles
let cache: PanelCache
/** Of the first all is done by one thread: its second is for screens. */
let alone: Pool
let pool: Pool

beforeAll(async () => {
  database = await testDatabase()
  dataDir = mkdtempSync(join(tmpdir(), 's3-pool-'))
  const snapshot = await publishSmallMarket(database.db, dataDir, { kind: 'cb', from: '2020-01-02', to: '2023-12-29', securities: 80 })
  files = {
    kind: 'cb',
    snapshotId: snapshot.id,
    indexSnapshotId: null,
    stockSnapshotId: null,
    folder: snapshotPath(dataDir, snapshot),
    indexFolder: null,
    stockFolder: null,
  }
  cache = panelCache(
    1e9,
    () => {},
    () => {},
  )
  alone = threadPool(2, 512, { cores: 1, isCrowded: () => false })
  // A machine without other work: every idle thread may take part in an evaluation.
  pool = threadPool(3, 512, { cores: 2, isCrowded: () => false })
})

afterAll(async () => {
  await Promise.all([alone.close(), pool.close()])
  await database.drop()
  rmSync(dataDir, { recursive: true, force: true })
})

test('a thread whose code does not load is started again after a wait that grows', async () => {
  const ends: number[] = []
  const watch = (thread: Worker) => thread.once('error', () => ends.push(performance.now()))
  process.on('worker', watch)
  const gone = threadPool(1, 512, undefined, new URL("data:text/javascript,throw new Error('gone')"))
  await until(async () => ends.length === 5, 'it was started five times')
  process.off('worker', watch)
  await gone.close()
  // Loading takes some of it: on a busy machine half a second, never two.
  expect(ends[4]! - ends[3]!).toBeGreaterThan(2_000)
})

type WithData = Exclude<Work, { call: 'storedParts' }>

/** Gives a pool work: when it began to tell, how it ended and what it took, and what stops it. */
async function given(pool: Pool, work: WithData, guest = false, where: { near?: string; away?: string } = {}) {
  const available = await cache.available(files)
  const needs = readsOf(work, withOwn(markets.cb, ('custom' in work.input && work.input.custom) || []), available)
  if (!needs.ok) throw new Error(needs.problem.message)
  const data = await cache.acquire(files, needs.reads)
  let stop = () => {}
  let begins = () => {}
  const begun = new Promise<void>((resolve) => {
    begins = resolve
  })
  const ended = new Promise<{ outcome: Outcome<TaskValue>; ms: number; stack: string | undefined }>((resolve) => {
    stop = pool.run({
      work,
      data,
      available,
      ...(guest && { guest: true as const }),
      ...where,
      onProgress: begins,
      onDone: (outcome, ms, stack) => {
        data.release()
        resolve({ outcome, ms, stack })
      },
    })
  })
  return { begun, ended, stop }
}

const asked = request('cb', { start: '2020-01-02', end: '2023-12-29' })
const axis = (path: string, label: string, values: number[]): GridAxis => ({ path: `parameters.${path}`, label, values })
const holds = Array.from({ length: 20 }, (_, k) => 5 + k)
/** Of a realistic run, a hundred cells each, in one group or in five. */
const axesOf = {
  weights: [axis('rank_factors.0.weight', '价格权重', [1, 2, 3, 4, 5]), axis('hold_method.hold_range_end', '持有数量', holds)],
  periods: [axis('rebalance_method.rebalance_value', '轮动周期', [3, 5, 7, 10, 20]), axis('hold_method.hold_range_end', '持有数量', holds)],
}
const gridOf = (axes: readonly GridAxis[], budgetMs = 60_000): WithData => {
  const two = [...asked.parameters.rank_factors, { ...asked.parameters.rank_factors[0]!, factor_key: 'remain_size' }]
  const settings = { ...asked.settings, execution: 'realistic' as const }
  return { call: 'grid', input: { parameters: { ...asked.parameters, rank_factors: two }, settings, axes: [...axes], budgetMs } }
}
const backtest: WithData = {
  call: 'backtest',
  input: {
    runId: 'a',
    trials: 1,
    rule: { parameters: asked.parameters },
    settings: asked.settings,
    about: { factor_versions: {}, params_hash: '', created_at: '' },
  },
}
const screen: WithData = { call: 'screen', input: { parameters: parameters('cb', 'close', 5, 5) } }

/** The answer of a grid without its time. */
function told(outcome: Outcome<TaskValue>): Omit<GridResult, 'elapsed_ms'> {
  if (!outcome.ok) throw new Error(outcome.message)
  const { elapsed_ms: _ms, ...result } = JSON.parse(new TextDecoder().decode(outcome.value as Uint8Array)) as GridResult
  return result
}

test.each(['weights', 'periods'] as const)('a grid over %s has the same bytes on one thread and on two', async (varied) => {
  const work = gridOf(axesOf[varied])
  const one = await (await given(alone, work)).ended
  const both = await given(pool, work)
  await until(async () => pool.helping() === 1, 'another thread helps')
  const two = await both.ended
  expect(two.stack).toBeUndefined()
  expect(JSON.stringify(told(two.outcome))).toBe(JSON.stringify(told(one.outcome)))
  expect(told(one.outcome)).toMatchObject({ done: 100, total: 100, partial: false })
  await until(async () => pool.helping() === 0, 'it is free again')
})

test('a run gets the thread that helps; a grid that is stopped stops who helps, and costs the time of both', async () => {
  const many = axis('rank_factors.1.weight', '规模权重', holds)
  const grid = await given(pool, gridOf([...axesOf.weights, many]))
  await until(async () => pool.helping() === 1, 'another thread helps')
  const [run, one] = [await given(pool, backtest), await given(pool, screen)]
  await run.begun
  expect(pool.helping()).toBe(0)
  expect((await one.ended).outcome.ok).toBe(true)
  expect((await run.ended).outcome.ok).toBe(true)
  await until(async () => pool.helping() === 1, 'it helps again')
  grid.stop()
  const { outcome, ms } = await grid.ended
  expect(outcome).toMatchObject({ ok: false, code: 23024 })
  expect(ms).toBeGreaterThan(0)
  await until(async () => pool.helping() === 0, 'it is free again')
})

test('at its deadline a grid tells what has been done', async () => {
  const whole = told((await (await given(alone, gridOf(axesOf.weights))).ended).outcome)
  const { ended } = await given(pool, gridOf(axesOf.weights, 1))
  const part = told((await ended).outcome)
  expect(part).toMatchObject({ partial: true, total: 100, done: part.cells.length })
  const same = new Map(whole.cells.map(({ index, metrics }) => [index.join(), metrics]))
  expect(part.cells.map(({ index }) => same.get(index.join()))).toEqual(part.cells.map(({ metrics }) => metrics))
})

// Tens of millions of values are read: a second thread is called.
const long = 'ts_corr(cs_rank(close), ts_rank(open, 240), 250) + cs_rank(ts_std(close, 240)) + ts_corr(close, open, 245)'
const custom = [{ key: 'custom_1', label: '自己的', formula: `cs_zscore(${long})` }] as const
const bins: WithData = {
  call: 'binning',
  input: {
    body: binning('cb', { factor: 'custom_1', settings: { start_date: '2021-02-01', end_date: '2023-12-29', benchmark: 'cb_ew' } }),
    custom,
  },
}
const quick: WithData = {
  call: 'quick',
  input: request('cb', { factor: `formula: ${long}`, every: 1, start: '2020-01-02', end: '2023-12-29' }),
}

test.each([
  ['bins of an own factor', bins],
  ['a quick run', quick],
])('%s have the same bytes on one thread and on two', { timeout: 90_000 }, async (_, work) => {
  const answerOf = async (of: Pool) => {
    const { outcome, stack } = await (await given(of, work)).ended
    if (!outcome.ok) throw new Error(stack ?? outcome.message)
    return new TextDecoder().decode(outcome.value as Uint8Array).replace(/"elapsed_ms":[\d.]+/, '')
  }
  const one = await answerOf(alone)
  const before = pool.joined()
  // A second thread that must be started, or is late, comes the next time.
  for (let k = 0; k < 50 && pool.joined() === before; k++) {
    expect(await answerOf(pool)).toBe(one)
    await until(async () => pool.helping() === 0, 'it is free again')
  }
  expect(pool.joined()).toBeGreaterThan(before)
  expect(alone.joined()).toBe(0)
})

test('guests have one thread while others compute, and wait behind them', async () => {
  const order: string[] = []
  const said = async (name: string, work: WithData, guest: boolean) => {
    const piece = await given(pool, work, guest)
    return { ...piece, ended: piece.ended.then(({ outcome }) => void order.push(outcome.ok ? name : `${name} stopped`)) }
  }
  const first = await said('first guest', backtest, true)
  await first.begun
  // Heavy work of theirs goes one by one, whatever is free.
  const second = await said('second guest', backtest, true)
  await (await said('screen of a guest', screen, true)).ended
  const member = await said('member', backtest, false)
  await member.begun
  const waiting = await said('screen of another guest', screen, true)
  await (await said('screen of a member', screen, false)).ended
  expect(order).toEqual(['screen of a guest', 'screen of a member'])
  first.stop()
  second.stop()
  await waiting.ended
  expect(order.slice(2).toSorted()).toEqual(['first guest stopped', 'screen of another guest', 'second guest stopped'])
  member.stop()
  await member.ended
})

test('what is asked of one run waits for the thread that keeps it; its check grid leaves that thread free', async () => {
  const runId = '01890000-0000-7000-8000-000000000001'
  const asked = request('cb', { factor: 'dblow', start: '2021-01-04', end: '2023-12-29' })
  const rule = { parameters: asked.parameters }
  const about = { params_hash: '', factor_versions: {}, created_at: '' }
  const posted = vi.spyOn(Thread.prototype, 'postMessage')
  /** Which threads took such work since the last time. */
  const threadsOf = (name: string) => {
    const taken = posted.mock.calls.flatMap(([message], k) => (message?.work?.call === name ? [posted.mock.contexts[k]] : []))
    posted.mockClear()
    return new Set(taken)
  }
  try {
    const input = { runId, rule, settings: asked.settings, trials: 1, about }
    const { outcome } = await (await given(pool, { call: 'backtest', input }, false, { near: runId })).ended
    if (!outcome.ok) throw new Error(outcome.message)
    const [keeper] = threadsOf('backtest')
    const { core, ledger } = outcome.value as FinishedRun
    const [hash, kept] = [Buffer.from(ledger).toString('hex'), Buffer.from(core).toString('base64')]
    const run = { id: runId, rule, settings: asked.settings, ledger: hash, engineVersion: '', core: kept }
    const days = ['2022-06-01', '2022-06-02', '2022-06-06', '2022-06-07'].map(async (date) => {
      const piece = await given(pool, { call: 'dayAgain', input: { run, date } }, false, { near: runId })
      return (await piece.ended).outcome.ok
    })
    expect(await Promise.all(days)).toEqual([true, true, true, true])
    expect(threadsOf('dayAgain')).toEqual(new Set([keeper]))
    await (await given(pool, backtest, false, { away: runId })).ended
    expect(threadsOf('backtest').has(keeper)).toBe(false)
  } finally {
    posted.mockRestore()
  }
})
