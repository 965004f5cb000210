import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Report, ScreenResult } from '@convexa/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { claimDataDir } from '../../src/base/data-dir.ts'
import { connect } from '../../src/db/connect.ts'
import { openEmbedded } from '../../src/db/embedded.ts'
import { migrate } from '../../src/db/migrate.ts'
import { convexa, type Ran, start } from '../fixtures/command-line.ts'
import { publishSmallMarket } from '../fixtures/market/small-market.ts'
import { startWorkerProcess, until } from '../fixtures/processes.ts'
import { request, slowRequest } from '../fixtures/requests.ts'

// `convexa …` on a data directory of its own: nothing runs before, nothing stays after.

let dataDir: string
let folder: string
let env: Record<string, string>
const dates = { start: '2021-01-04', end: '2022-12-30' }

beforeAll(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 's3-cli-'))
  folder = mkdtempSync(join(tmpdir(), 's3-requests-'))
  env = { DATA_DIR: dataDir }
  claimDataDir(dataDir)
  file('quick.json', { ...request('cb', { factor: 'dblow', ...dates }), kind: 'cb', expected: {} })
  file('slow.json', slowRequest('cb', dates))
  file('wrong.json', { ...request('cb', dates), parameters: { ...request('cb', dates).parameters, hold_days: -1 } })
  file('formula.json', request('cb', { factor: 'formula: close +', ...dates }))
  await withDatabase(async (db) => {
    await publishSmallMarket(db, dataDir, { kind: 'cb', from: '2021-01-04', to: '2022-12-30', securities: 200 })
  })
})

afterAll(async () => {
  expect(leftOvers()).toEqual([])
  for (const path of [dataDir, folder]) rmSync(path, { recursive: true, force: true })
})

const file = (name: string, value: unknown) => writeFileSync(join(folder, name), JSON.stringify(value))
const path = (name: string) => join(folder, name)
const run = (...args: string[]): Promise<Ran> => convexa(env, ...args)

async function withDatabase(use: (db: ReturnType<typeof connect>['db'], url: string) => Promise<void>): Promise<void> {
  const embedded = await openEmbedded(dataDir, 'command')
  const { db, close } = connect(embedded.connectionString)
  try {
    await migrate(db)
    await use(db, embedded.connectionString)
  } finally {
    await close()
    await embedded.close()
  }
}

/** Command lines of processes that still name our data directory. */
function leftOvers(): string[] {
  const { stdout } = spawnSync('ps', ['-eo', 'args'], { encoding: 'utf8' })
  return stdout.split('\n').filter((line) => line.includes(dataDir))
}

test('market lists loaded and missing data', async () => {
  const { exit, out } = await run('market')
  expect(exit).toBe(0)
  expect(out).toContain('可转债：演示数据（模拟生成，非真实行情）')
  expect(out).toContain('200 只，2021-01-04 至 2022-12-30')
  expect(out).toContain('股票：还没有行情')
  expect(leftOvers()).toEqual([])
})

test('a backtest prints a summary, with --json its report without progress lines', async () => {
  const first = await run('backtest', 'cb', path('quick.json'))
  expect(first).toMatchObject({ exit: 0 })
  for (const text of ['演示数据', '累计收益', '最大回撤', '2022-12-30 收盘持仓 5 只']) expect(first.out).toContain(text)
  expect(first.err).toMatch(/100% 2022-12-30 净值/)
  const second = await run('backtest', 'cb', path('quick.json'), '--json')
  const report: Report = JSON.parse(second.out)
  expect(report.curves.dates.at(-1)).toBe('2022-12-30')
  expect(leftOvers()).toEqual([])
})

test('a screen of the last day and of a given day', async () => {
  const { out } = await run('screen', 'cb', path('quick.json'))
  expect(out).toContain('2022-12-30 收盘')
  const json = await run('screen', 'cb', path('quick.json'), '--date', '2022-10-05', '--json')
  const result: ScreenResult = JSON.parse(json.out)
  expect([result.trade_date, result.selected, result.total]).toEqual(['2022-09-30', 5, 200])
})

test('errors are one sentence with the exit code of their kind', async () => {
  writeFileSync(path('days.csv'), 'code,date,close\n600001,1/2/2024,10\n600001,1/3/2024,10\n')
  writeFileSync(path('days.json'), JSON.stringify({ code: 'code', date: 'date', fields: { close: 'close' } }))
  const refusals: [string, string[], number, RegExp][] = [
    ['no such command', ['buy'], 2, /没有命令“buy”/],
    ['a missing argument', ['backtest', 'cb'], 2, /缺少参数/],
    ['an unknown market', ['backtest', 'us', 'quick.json'], 2, /市场“us”不存在/],
    ['a date that is none', ['screen', 'cb', 'quick.json', '--date', 'May'], 2, /YYYY-MM-DD/],
    ['a file that is not there', ['backtest', 'cb', 'nobody.json'], 3, /无法读取/],
    ['a request against the schema', ['backtest', 'cb', 'wrong.json'], 3, /parameters\.hold_days/],
    ['a request of the other market', ['backtest', 'stk', 'quick.json'], 3, /不是 stk/],
    ['a formula that cannot be read', ['backtest', 'cb', 'formula.json'], 3, /\[22002\]/],
    ['a market without data', ['screen', 'stk', 'slow.json'], 3, /\[21008\]/],
    [
      'an import without a readable day',
      ['import', 'stk', path('days.csv'), '--mapping', 'days.json'],
      3,
      /date 列没有一个能识别的日期，例如/,
    ],
    ['an import of a file that is not there', ['import', 'cb', '/nobody.parquet'], 3, /找不到/],
  ]
  const told = await Promise.all(refusals.map(([, args]) => run(...args.map((one) => (one.endsWith('.json') ? path(one) : one)))))
  for (const [i, [name, , exit, sentence]] of refusals.entries())
    expect({ name, ...told[i] }).toEqual({ name, exit, out: '', err: expect.stringMatching(sentence) })
  // To a program a failure is one object, and people still read the sentence.
  const asked: [string[], number, object][] = [
    [['backtset', '--json'], 2, { code: 2 }],
    [
      ['backtest', 'cb', path('wrong.json'), '--json'],
      3,
      { code: 3, issues: [{ path: 'parameters.hold_days', expected: '过小，最小为 0' }] },
    ],
    [['screen', 'cb', path('formula.json'), '--json'], 3, { code: 22002 }],
  ]
  const failures = await Promise.all(asked.map(([args]) => run(...args)))
  for (const [i, [, exit, error]] of asked.entries()) {
    const { out, err, exit: ended } = failures[i]!
    expect([ended, JSON.parse(out)]).toEqual([exit, { error: { message: err.trimEnd(), ...error } }])
  }
  expect(leftOvers()).toEqual([])
})

test('every command has a help text', async () => {
  const commands = [[], ['import'], ['update'], ['demo'], ['backtest'], ['screen'], ['market']]
  const helps = await Promise.all(commands.map(async (args) => ({ args, ...(await run(...args, '--help')) })))
  for (const { args, exit, out } of helps) {
    expect([args, exit]).toEqual([args, 0])
    expect(out).toContain('用法：')
    expect(out).toContain('退出码：')
  }
})

test('while a worker runs, the command line uses it and leaves it running', async () => {
  await withDatabase(async (db, url) => {
    const worker = await startWorkerProcess(
      { DATABASE_URL: url, DATA_DIR: dataDir, SECRET_KEY: '', SECRET_KEY_FILE: join(dataDir, 'secret.key') },
      db,
    )
    const { exit } = await run('backtest', 'cb', path('quick.json'))
    expect(exit).toBe(0)
    const rows = await db.selectFrom('process').select(['id', 'role']).where('role', '=', 'worker').orderBy('started_at', 'desc').execute()
    expect(rows[0]!.id).toBe(worker.processId)
    await worker.stop()
  })
})

test('Ctrl-C aborts an import: nothing is published, no process or file is left', async () => {
  const { child, ended } = start(env, 'demo')
  let told = ''
  child.stderr!.on('data', (text) => {
    told += text
  })
  await until(async () => told.includes('正在'), 'the import is under way')
  child.kill('SIGINT')
  expect((await ended).exit).toBe(130)
  expect(leftOvers()).toEqual([])
  expect((await run('market')).out).toContain('股票：还没有行情')
})

test('Ctrl-C cancels the run and leaves no process', async () => {
  const { child, ended } = start(env, 'backtest', 'cb', path('slow.json'))
  let told = ''
  child.stderr!.on('data', (text) => {
    told += text
  })
  await until(async () => told.includes('加载数据'), 'the run is under way')
  child.kill('SIGINT')
  const { exit, err } = await ended
  expect([exit, /已取消/.test(err)]).toEqual([130, true])
  expect(leftOvers()).toEqual([])
  await withDatabase(async (db) => {
    const runs = await db.selectFrom('backtest_run').select('status').where('status', 'in', [0, 1, 4]).execute()
    expect(runs).toEqual([{ status: 4 }])
  })
})
