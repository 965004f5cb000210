import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { testSecret } from '../../test/fixtures/code.ts'
import { type TestDatabase, testDatabase } from '../../test/fixtures/database.ts'
import { csv, stockRows } from '../../test/fixtures/market/market-file.ts'
import { startWorkerProcess, type WorkerProcess } from '../../test/fixtures/processes.ts'
import { serverFolder } from '../base/program-files.ts'
import { backtest } from './backtest.ts'
import { doctor } from './doctor.ts'
import { importFiles } from './import.ts'
import { screen } from './screen.ts'

// Every file of `examples/` does what its text says: the market is imported, the requests and the strategies are run by one worker.

const examples = join(serverFolder, '..', 'examples')
let database: TestDatabase
let folder: string
let env: Record<string, string>
let worker: WorkerProcess | null = null
let told: string[]

beforeAll(async () => {
  database = await testDatabase()
  folder = mkdtempSync(join(tmpdir(), 'convexa-examples-'))
  env = { DATABASE_URL: database.url, SECRET_KEY: testSecret, DATA_DIR: join(folder, 'data') }
})
afterAll(async () => {
  await worker?.stop()
  await database.drop()
  rmSync(folder, { recursive: true })
})
beforeEach(() => {
  for (const [name, value] of Object.entries(env)) vi.stubEnv(name, value)
  told = []
  vi.spyOn(console, 'log').mockImplementation((text: string) => void told.push(text))
})
afterEach(() => {
  vi.unstubAllEnvs()
  vi.restoreAllMocks()
})

const said = (): string => told.join('\n')

test('the market is imported with its mapping', async () => {
  await importFiles('cb', join(examples, 'cb.csv'), { mapping: join(examples, 'mapping.json') })
  expect(said()).toContain('20 只')
  const shares = { column: 'vol', unit: '手' }
  const fields = { open: 'open', high: 'high', low: 'low', close: 'close', vol: shares, total_mv: 'total_mv', adj_factor: 'adj_factor' }
  writeFileSync(join(folder, 'stocks.csv'), csv(stockRows().map((row) => ({ ...row, total_mv: 50 + Number(row['close']) }))))
  writeFileSync(join(folder, 'stocks.json'), JSON.stringify({ code: 'ts_code', date: 'trade_date', fields }))
  await importFiles('stk', join(folder, 'stocks.csv'), { mapping: join(folder, 'stocks.json') })
  worker = await startWorkerProcess(env, database.db)
})

test('the request of bonds is screened and run, as are the strategies and the group', async () => {
  const file = (name: string) => join(examples, `${name}.json`)
  await screen('cb', file('request-cb'), {})
  expect(said()).toContain('入选 10 只')
  for (const name of ['request-cb', 'request-group', 'strategies/double-low', 'strategies/low-premium']) {
    told = []
    await backtest('cb', file(name))
    expect(said(), name).toMatch(/2025-12-\d\d 收盘持仓 [1-9]/)
  }
})

test.each(['request-stk', 'strategies/small-cap'])('%s runs on shares', async (name) => {
  // On the days that the test's shares have.
  const given = JSON.parse(readFileSync(join(examples, `${name}.json`), 'utf8'))
  const settings = { ...given.settings, start_date: '2022-09-01', end_date: '2022-11-30' }
  const own = join(folder, 'request.json')
  writeFileSync(own, JSON.stringify({ ...given, settings }))
  await backtest('stk', own)
  expect(said()).toMatch(/收盘持仓 [1-9]/)
})

test('the site is examined: each check says what it found', async () => {
  await doctor({}).catch(() => {})
  const names = ['Node 与系统', '内存与处理器', '设置', '不认识的变量', '数据库', '数据库会话', '数据库升级', '密钥', '时钟', '对象存储']
  for (const name of [...names, '磁盘与缓存', '进程', '行情', '备份'])
    expect(said()).toMatch(new RegExp(`^(正常|注意|错误)  ${name}：`, 'm'))
  expect(said()).toContain('正常  密钥：')
  expect(said()).toContain('14 项检查')
})

test('another key, and a database that is away, are told where they are asked for', async () => {
  vi.stubEnv('SECRET_KEY', 'a key of somebody who mistook the folder')
  await expect(doctor({})).rejects.toMatchObject({ exit: 1 })
  expect(said()).toMatch(/^错误 {2}密钥：/m)
  told = []
  vi.stubEnv('DATABASE_URL', 'postgres://u:geheim@127.0.0.1:1/x')
  await expect(doctor({})).rejects.toMatchObject({ exit: 1 })
  expect(said()).toMatch(/^错误 {2}数据库：连不上数据库/m)
  expect(said()).toMatch(/^注意 {2}时钟：没有检查/m)
  expect(said()).not.toContain('geheim')
})

test('settings with mistakes are told all at once, and the rest is not looked at', async () => {
  vi.stubEnv('PORT', '99999')
  vi.stubEnv('LOG_LEVEL', 'loud')
  await expect(doctor({})).rejects.toMatchObject({ exit: 1 })
  expect(said()).toMatch(/^错误 {2}设置：环境变量 PORT /m)
  expect(said()).toMatch(/^错误 {2}设置：环境变量 LOG_LEVEL /m)
})
