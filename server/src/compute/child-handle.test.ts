import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { type TestDatabase, testDatabase } from '../../test/fixtures/database.ts'
import { publishSmallMarket } from '../../test/fixtures/market/small-market.ts'
import { until } from '../../test/fixtures/processes.ts'
import { parameters, request } from '../../test/fixtures/requests.ts'
import { snapshotPath } from '../market/snapshot.ts'
import { decodeCore } from '../run-core/core-format.ts'
import { type ComputeChild, type ComputeChildOptions, computeChild } from './child-handle.ts'
import type { BacktestInput, DataFiles, Task } from './protocol.ts'
import { residentBytes } from './resident.ts'

let database: TestDatabase
let dataDir: string
let files: DataFiles
let child: ComputeChild | null = null

beforeAll(async () => {
  database = await testDatabase()
  dataDir = mkdtempSync(join(tmpdir(), 's3-child-'))
  const snapshot = await publishSmallMarket(database.db, dataDir, { kind: 'cb', from: '2020-01-02', to: '2023-12-29', securities: 200 })
  files = {
    kind: 'cb',
    snapshotId: snapshot.id,
    indexSnapshotId: null,
    stockSnapshotId: null,
    folder: snapshotPath(dataDir, snapshot),
    indexFolder: null,
    stockFolder: null,
  }
})

afterEach(async () => {
  await child?.close()
  child = null
})

afterAll(async () => {
  await database.drop()
  rmSync(dataDir, { recursive: true, force: true })
})

const log: Record<string, unknown>[] = []
const unheld = (over: Partial<ComputeChildOptions> = {}): ComputeChild => {
  log.length = 0
  return computeChild({
    dataDir,
    threads: 3,
    panelMb: 256,
    headroomMb: 768,
    hungAfterMs: 30_000,
    log: (event, details) => log.push({ event, ...details }),
    ...over,
  })
}
/** Closed at the end of the test. */
const start = (over: Partial<ComputeChildOptions> = {}): ComputeChild => {
  child = unheld(over)
  return child
}
const screenTask = (): Omit<Task, 'id'> => ({
  files,
  work: { call: 'screen', input: { parameters: parameters('cb', 'close', 5, 5) } },
})
const about: BacktestInput['about'] = { factor_versions: {}, params_hash: '', created_at: '' }
const { parameters: rule, settings } = request('cb', { start: '2020-01-02', end: '2023-12-29' })
const backtestTask = (): Omit<Task, 'id'> => ({
  files,
  work: { call: 'backtest', input: { runId: 'a', trials: 1, rule: { parameters: rule }, settings, about } },
})
/** Costs seconds: long windows over every day. */
/** `many`: of its factors, each of which takes its time. */
const slowTask = (many = 20): Omit<Task, 'id'> => {
  const factors = Array.from({ length: many }, (_, i) => ({
    ...rule.rank_factors[0]!,
    factor_key: `formula: ts_rank(close, ${250 - i}) + ts_rank(open, ${230 - i})`,
  }))
  return {
    files,
    work: {
      call: 'backtest',
      input: { runId: 'slow', rule: { parameters: { ...rule, rank_factors: factors } }, settings, about, trials: 1 },
    },
  }
}

/** Holds a hundred securities and trades them every day. */
const largeTask = (end_date = settings.end_date): Omit<Task, 'id'> => {
  const hold_method = { ...rule.hold_method, hold_range_end: 100 }
  const rebalance_method = { rebalance_type: 0, rebalance_value: 1 } as const
  return {
    files,
    work: {
      call: 'backtest',
      input: {
        ...{ runId: 'large', trials: 1, about },
        rule: { parameters: { ...rule, hold_method, rebalance_method } },
        settings: { ...settings, end_date },
      },
    },
  }
}

/** Twelve of them together: the gains of all days of all members are held at once. */
const largeGroupTask = (): Omit<Task, 'id'> => {
  const { work, ...task } = largeTask()
  if (work.call !== 'backtest' || !('parameters' in work.input.rule)) throw new Error('no rule')
  const { parameters } = work.input.rule
  const members = Array.from({ length: 12 }, (_, k) => ({ name: `成员${k}`, weight: 1 / 12, parameters }))
  const group = { members, rebalance: 'never', duplicate: 'merge' } as const
  return { ...task, work: { ...work, input: { ...work.input, rule: { group } } } }
}

const json = (value: unknown) => JSON.parse(new TextDecoder().decode(value as Uint8Array))

describe('one that nobody harms', () => {
  let compute: ComputeChild
  beforeAll(() => {
    compute = unheld()
  })
  afterAll(() => compute.close())

  test('a screen is computed in a thread and comes back as JSON', async () => {
    const outcome = await compute.run(screenTask())
    expect(outcome).toMatchObject({ ok: true })
    if (!outcome.ok) return
    const result = json(outcome.value)
    expect(result.trade_date).toBe('2023-12-29')
    expect(result.selected).toBe(5)
    expect(result.list_items).toHaveLength(200)
  })

  test('what the asker got wrong is a refusal with its sentence', async () => {
    const task = screenTask()
    const outcome = await compute.run({
      ...task,
      work: { call: 'screen', input: { parameters: parameters('cb', 'formula: nonsense(', 5, 5) } },
    })
    expect(outcome).toMatchObject({ ok: false, code: 22002 })
  })

  test('a snapshot whose files are gone says that there is no usable data', async () => {
    const outcome = await compute.run({ ...screenTask(), files: { ...files, snapshotId: 'gone', folder: join(dataDir, 'gone') } })
    expect(outcome).toMatchObject({ ok: false, code: 21008 })
  })

  test('a backtest tells its progress and ends with a stored form', async () => {
    const told: string[] = []
    let percent = 0
    const since = performance.now()
    const outcome = await compute.run(backtestTask(), undefined, (items) => {
      for (const item of items) {
        told.push(item.type === 'stage' ? item.stage : item.type)
        if (item.type !== 'progress') continue
        expect(item.percent).toBeGreaterThanOrEqual(percent)
        percent = item.percent
      }
    })
    expect(outcome.ok).toBe(true)
    expect(told.slice(0, 2)).toEqual(['load', 'factors'])
    expect(told).toContain('curve')
    // Five a second at most, and the last one of all.
    const steps = told.filter((one) => one === 'progress').length
    expect(steps).toBeGreaterThan(0)
    expect(steps).toBeLessThanOrEqual(2 + (performance.now() - since) / 200)
    if (!outcome.ok || !('core' in outcome.value)) throw new Error('no core')
    const { dates } = decodeCore(outcome.value.core).series
    expect([dates[0], dates.at(-1)]).toEqual(['2020-01-02', '2023-12-29'])
    expect(outcome.value.ledger).toHaveLength(32)
  })

  test('run after run, what each needed is given back', async () => {
    const heldMb = () => Math.round(residentBytes(compute.pid!)! / 1024 / 1024)
    const before = heldMb()
    for (let run = 1; run <= 2; run++) {
      // It needs some 200 MB on its way.
      expect(await compute.run(largeTask('2021-12-31'))).toMatchObject({ ok: true })
      await until(async () => heldMb() - before < 100, `after run ${run} no more than 100 MB more than before`, 60_000)
    }
  })

  test('the child ends when its parent lets go of it', async () => {
    const { pid } = compute
    if (pid === undefined) throw new Error('it has not been there')
    await compute.close()
    expect(() => process.kill(pid, 0)).toThrow()
  })
})

test('it knows the calendar that its worker knows: who leaves on the next trading day is not listed', async () => {
  const given = { kind: 'cb', from: '2026-12-01', to: '2026-12-31', securities: 3, lastDay: '2027-01-05' } as const
  const snapshot = await publishSmallMarket(database.db, dataDir, given)
  const leaving = {
    kind: 'cb',
    snapshotId: snapshot.id,
    indexSnapshotId: null,
    stockSnapshotId: null,
    folder: snapshotPath(dataDir, snapshot),
    indexFolder: null,
    stockFolder: null,
  } as const
  const listed = async (years: ReadonlyMap<number, string>) => {
    const asked = start()
    asked.learn(years)
    const outcome = await asked.run({ ...screenTask(), files: leaving })
    await asked.close()
    if (!outcome.ok) throw new Error(outcome.message)
    const { list_items } = JSON.parse(new TextDecoder().decode(outcome.value as Uint8Array)) as { list_items: { code: string }[] }
    return list_items.map(({ code }) => code).sort()
  }
  // New Year is a Friday. Where the closed days of a year are not known, the Monday after it counts as a trading day.
  expect(await listed(new Map())).toEqual(['900001.DM', '900002.DM', '900003.DM'])
  expect(await listed(new Map([[2027, '0101 0104']]))).toEqual(['900002.DM', '900003.DM'])
})

describe('one that says nothing for some seconds', () => {
  // Longer than a busy machine lets a child wait for its turn.
  const hungAfterMs = 5_000
  let compute: ComputeChild
  beforeAll(() => {
    compute = unheld({ hungAfterMs })
  })
  afterAll(() => compute.close())

  test('a worker that was frozen together with its child does not take the child for hung', async () => {
    await compute.run(screenTask())
    const { pid } = compute
    process.kill(pid!, 'SIGSTOP')
    // Nothing of this process runs either, as when a container is paused.
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, hungAfterMs + 1_000)
    await sleep(300)
    process.kill(pid!, 'SIGCONT')
    expect(await compute.run(screenTask())).toMatchObject({ ok: true })
    expect(compute.pid).toBe(pid)
  })

  test('a hung child is ended with 23021', async () => {
    log.length = 0
    await compute.run(screenTask())
    process.kill(compute.pid!, 'SIGSTOP')
    expect(await compute.run(screenTask())).toMatchObject({ ok: false, code: 23021 })
    expect(log.map(({ event }) => event)).toContain('compute child hangs')
  })
})

test('kill -9 of the child ends its tasks with 23020, and the next task finds another child', async () => {
  const compute = start()
  await compute.run(screenTask())
  const { pid } = compute
  const running = compute.run(slowTask())
  await until(async () => compute.load() === 1, 'the task runs')
  process.kill(pid!, 'SIGKILL')
  expect(await running).toMatchObject({ ok: false, code: 23020 })
  expect(await compute.run(screenTask())).toMatchObject({ ok: true })
  expect(compute.pid).not.toBe(pid)
})

test('a child that cannot be started is started once it can', async () => {
  const { execPath } = process
  process.execPath = join(dataDir, 'no such program')
  try {
    const compute = start()
    await until(async () => log.some(({ event }) => event === 'compute child cannot start'), 'it has been tried')
    process.execPath = execPath
    expect(await compute.run(screenTask())).toMatchObject({ ok: true })
  } finally {
    process.execPath = execPath
  }
})

test('a run that needs more heap than a thread may have ends with a sentence, and the child lives on', async () => {
  const compute = start({ headroomMb: 60, threads: 12 })
  await compute.run(screenTask())
  const { pid } = compute
  expect(await compute.run(largeGroupTask())).toMatchObject({ ok: false, code: 23001, message: expect.stringContaining('结果超出内存') })
  expect(await compute.run(backtestTask())).toMatchObject({ ok: true })
  expect(compute.pid).toBe(pid)
})

test('a child that holds more than its panels and the headroom of its threads is ended; only the run is blamed', async () => {
  const compute = start({ headroomMb: 30 })
  const tasks = [slowTask(), screenTask(), screenTask()].map((task) => compute.run(task))
  const [run, ...calls] = await Promise.all(tasks)
  expect(run).toMatchObject({ ok: false, code: 23001, message: expect.stringContaining('结果超出内存') })
  for (const call of calls) if (!call.ok) expect(call.code).toBe(23020)
  expect(log.map(({ event }) => event)).toContain('compute child holds too much memory')
})

test('an abort ends the task at once and frees its thread', async () => {
  const compute = start()
  await compute.run(screenTask())
  const aborts = Array.from({ length: 4 }, () => new AbortController())
  const ended: number[] = []
  let begun = (_task: number) => {}
  const running = aborts.map(async ({ signal }, task) => {
    // Longer than what a busy machine takes for the steps below.
    const outcome = await compute.run(slowTask(80), signal, () => begun(task))
    ended.push(task)
    return outcome
  })
  // Two compute, two wait; the third thread is for screens.
  expect(await compute.run(screenTask())).toMatchObject({ ok: true })
  const thirdBegins = new Promise<void>((resolve) => {
    begun = (task) => task === 2 && resolve()
  })
  aborts[0]?.abort()
  expect(await running[0]).toMatchObject({ ok: false, code: 23024 })
  // It takes the place of the first while the second, which began with it, still computes.
  await thirdBegins
  expect(ended).toEqual([0])
  // Nobody waits for the child to say so: one that is stopped cannot.
  process.kill(compute.pid!, 'SIGSTOP')
  for (const abort of aborts) abort.abort()
  for (const outcome of await Promise.all(running)) expect(outcome).toMatchObject({ ok: false, code: 23024 })
  process.kill(compute.pid!, 'SIGCONT')
  expect(await compute.run(backtestTask())).toMatchObject({ ok: true })
})
