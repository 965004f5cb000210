import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { MarketId, Metrics, Report } from '@convexa/contract'
import { markets } from '@convexa/contract/enums/market'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { convexa } from '../fixtures/command-line.ts'
import { type TestDatabase, testDatabase } from '../fixtures/database.ts'
import { type Api, call, newUser, openStream, startApiProcess, startWorkerProcess, type WorkerProcess } from '../fixtures/processes.ts'

// The reference cases on real data, imported by the command line, then over HTTP and on the command line (../shared/reference).

const shared = fileURLToPath(new URL('../../../../shared/', import.meta.url))
const cases = ['cb_double_low_20_5d', 'cb_double_low_10_5d_buffer10', 'stk_reversal_5_top50_5d']
const imports: Record<MarketId, string> = {
  cb: 'data/cb_daily_2017_2023/cb_daily.parquet',
  stk: 'data/a_share_qfq_2017_2023/all_market_2022_2023.parquet',
}

interface Case {
  kind: MarketId
  parameters: unknown
  settings: unknown
  expected: Partial<Metrics>
  dates: string[]
  nav: number[]
}

const why = existsSync(shared) ? '' : ' (skipped: ../shared is not beside the repository)'
describe.skipIf(!existsSync(shared))(`the reference cases${why}`, () => {
  let database: TestDatabase
  let dataDir: string
  let env: Record<string, string>
  let api: Api
  let worker: WorkerProcess

  beforeAll(async () => {
    database = await testDatabase()
    dataDir = mkdtempSync(join(tmpdir(), 's3-reference-'))
    env = { DATABASE_URL: database.url, DATA_DIR: dataDir }
    for (const [kind, file] of Object.entries(imports)) {
      const { exit, out, err } = await convexa(env, 'import', kind, join(shared, file))
      expect({ exit, err: exit === 0 ? '' : err }).toEqual({ exit: 0, err: '' })
      expect(out).toContain('已导入')
    }
    ;[api, worker] = await Promise.all([startApiProcess(env), startWorkerProcess(env, database.db)])
  })

  afterAll(async () => {
    await Promise.all([api?.stop(), worker?.stop()])
    await database.drop()
    rmSync(dataDir, { recursive: true, force: true })
  })

  test.each(cases)('%s: the expected numbers over HTTP', async (name) => {
    const given = caseOf(name)
    const { segment, backtestPath } = markets[given.kind]
    const user = await newUser(database.db)
    const { parameters, settings } = given
    const last = await openStream(api, user, `/v1/quant/${segment}/${backtestPath}`, { parameters, settings }).ended
    if (last.kind !== 'event') throw new Error(JSON.stringify(last))
    const path = `/v1/quant/${segment}/backtest/${last.event['backtest_id']}/detail/report`
    expectCase((await call<Report>(api, user, 'GET', path)).data, given)
  })

  test('the expected numbers on the command line', async () => {
    const [name] = cases as [string]
    const given = caseOf(name)
    const ran = await convexa(env, 'backtest', given.kind, fileOf(name), '--json')
    expect(ran.exit).toBe(0)
    expectCase(JSON.parse(ran.out), given)
  })

  const fileOf = (name: string) => join(shared, 'reference', `${name}.json`)
  const caseOf = (name: string): Case => JSON.parse(readFileSync(fileOf(name), 'utf8'))

  function expectCase({ curves, metrics }: Report, { dates, nav, expected }: Case): void {
    expect(curves.dates).toEqual(dates)
    const off = nav.map((value, i) => Math.abs(value - (curves.nav[i] ?? Number.NaN)))
    expect(Math.max(...off)).toBeLessThan(1e-9)
    for (const [key, value] of Object.entries(expected)) {
      const digits = String(value).split('.')[1]?.length ?? 0
      expect([key, Number(Number(metrics[key as keyof Metrics]).toFixed(digits))]).toEqual([key, value])
    }
  }
})
