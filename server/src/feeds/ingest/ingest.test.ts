import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { doublesOf, placesByCode } from '@convexa/engine'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type TestDatabase, testDatabase } from '../../../test/fixtures/database.ts'
import { tableBefore } from '../../../test/fixtures/market/day-of.ts'
import { publishTable } from '../../../test/fixtures/market/publish-table.ts'
import { marketFeed, scriptedChain } from '../../../test/stand-ins/scripted-feed.ts'
import { tryAdvisoryLock } from '../../db/advisory-lock.ts'
import { locks } from '../../db/locks.ts'
import { checkSnapshot } from '../../market/check-snapshot.ts'
import { addChanges, forgetChange } from '../../market/code-changes.ts'
import { demoTables, simulateDemo } from '../../market/demo.ts'
import { loadPanel } from '../../market/panels.ts'
import { newestSnapshot, readManifest, snapshotPath } from '../../market/snapshot.ts'
import type { MarketTable } from '../../market/store.ts'
import type { Asking } from '../feed.ts'
import { type IngestRequest, ingest } from './ingest.ts'
import type { IngestDeps } from './ingest-day.ts'
import { rollBackDays } from './roll-back-days.ts'

/** A market of 100 stocks and 30 bonds that is taken for real. */
const { dates, stocks, bonds } = simulateDemo({ size: 'small', through: '2026-11-20' })
const [index, stk, cb] = demoTables(dates, stocks, bonds) as [MarketTable, MarketTable, MarketTable]
/** What a source of bars tells and what is joined and worked out of it: the model's own numbers to the last bit. */
const exact = {
  stk: ['open', 'high', 'low', 'close', 'pre_close', 'vol', 'amount', 'adj_factor', 'total_mv', 'circ_mv', 'pb'],
  cb: [
    'close',
    'pre_close',
    'amount',
    'close_stk',
    'pre_close_stk',
    'adj_factor_stk',
    'vol_stk',
    'conv_price',
    'conv_value',
    'conv_prem',
    'left_years',
    'rating',
    'pb',
  ],
} as const
const days = 5
const first = dates.length - days

let database: TestDatabase
let dataDir: string
let today = dates.at(-1)!

beforeAll(async () => {
  database = await testDatabase()
})
afterAll(() => database.drop())
beforeEach(async () => {
  for (const table of ['market_snapshot', 'ingest_step', 'known_fact', 'left_out_statement'] as const)
    await database.db.deleteFrom(table).execute()
  dataDir = await mkdtemp(join(tmpdir(), 'convexa-ingest-'))
  today = dates.at(-1)!
  for (const table of [index, stk, cb]) {
    await publishTable({ db: database.db, dataDir }, tableBefore(table, first))
  }
  return () => rm(dataDir, { recursive: true })
})

const deps = (chain = scriptedChain(marketFeed({ stk, cb, index }, () => today))) => ({
  db: database.db,
  dataDir,
  chain,
  signal: new AbortController().signal,
})
/** Statements have their own test. */
const run = (on: IngestDeps, request: IngestRequest) => ingest(on, { steps: ['quotes', 'events'], ...request })
const panelOf = async (kind: 'cb' | 'stk') => loadPanel(snapshotPath(dataDir, (await newestSnapshot(database.db, kind))!), null, 'all')

describe('the days that are missing', () => {
  it('are asked for, judged and published, and are what the sources say', async () => {
    const done = await run(deps(), { through: dates.at(-1)! })
    expect(done.map(({ text }) => text).filter((text) => !/^[^\n]*(已发布|无需更新)。共 \d+ 行。$/.test(text))).toEqual([])
    for (const [kind, table] of [
      ['stk', stk],
      ['cb', cb],
    ] as const) {
      const panel = await panelOf(kind)
      expect(panel.dates).toEqual(dates)
      expect(panel.securities.map(({ code }) => code)).toEqual(table.securities.map(({ code }) => code))
      for (const key of exact[kind]) {
        const [told, found] = [doublesOf(table.columns.get(key)!.cells), panel.columns.get(key)!]
        const rows = (cells: ArrayLike<number>, stride: number) =>
          Array.from({ length: days }, (_, k) =>
            table.securities.map((_security, i) => {
              const t = first + k
              return table.traded[t * table.stride + i] === 1 ? cells[t * stride + i] : null
            }),
          )
        expect([key, rows(found, panel.stride)]).toEqual([key, rows(told, table.stride)])
      }
      for (const mask of ['listed', 'traded'] as const) {
        const row = (cells: Uint8Array, stride: number, t: number) => [...cells.subarray(t * stride, t * stride + table.securities.length)]
        for (let t = first; t < dates.length; t++) expect(row(panel[mask], panel.stride, t)).toEqual(row(table[mask], table.stride, t))
      }
      const code = `${kind}_ew`
      expect([...panel.benchmarks.get(code)!]).toEqual([...table.benchmarks.get(code)!])
    }
  })

  it('asked once more are what they were: no version is published', async () => {
    await run(deps(), { through: dates.at(-1)! })
    const before = await versions()
    expect(await run(deps(), { through: dates.at(-1)! })).toEqual([])
    const again = await run(deps(), { through: dates.at(-1)!, day: dates[first + 2]! })
    expect(again.map(({ kind, state }) => [kind, state])).toEqual([
      ['stk', 'unchanged'],
      ['index', 'unchanged'],
      ['cb', 'unchanged'],
      ['cb', 'unchanged'],
    ])
    expect(await versions()).toEqual(before)
  })

  it('say beside their report what they took and what was left out of them', async () => {
    const feed = marketFeed({ stk, cb, index }, () => today)
    const through = dates[first]!
    const wrong: typeof feed = {
      ...feed,
      'stock-day': async (ask, asking) => {
        const answer = await feed['stock-day'](ask, asking)
        const close = Float64Array.from(answer.columns.get('close')!)
        close[0] = -1
        return { ...answer, columns: new Map([...answer.columns, ['close', close]]) }
      },
    }
    const [done] = await run(deps(scriptedChain(wrong)), { through, kinds: ['stk'] })
    expect(done).toMatchObject({ state: 'published' })
    const row = await database.db.selectFrom('ingest_step').select(['seconds', 'quarantined', 'findings']).executeTakeFirstOrThrow()
    expect(row).toMatchObject({ seconds: expect.closeTo(1, -2), quarantined: 1 })
    expect(row.findings.filter(({ level }) => level === 'quarantine')).toMatchObject([{ count: 1, text: expect.any(String) }])
    expect(JSON.stringify(row.findings)).not.toContain(stk.securities[0]!.code)
  })

  it('that no source has yet are waited for, and come when they are there', async () => {
    const feed = marketFeed({ stk, cb, index }, () => today)
    let isThere = false
    const late = {
      ...feed,
      'stock-day': async (ask: { date: string }, asking: Asking) =>
        isThere || ask.date < dates.at(-1)! ? feed['stock-day'](ask, asking) : { date: ask.date, codes: [], columns: new Map() },
    }
    const through = dates.at(-1)!
    const one = await run(deps(scriptedChain(late)), { through, kinds: ['stk'] })
    expect(one.map(({ state }) => state)).toEqual(['published', 'published', 'published', 'published', 'waiting'])
    expect(one.at(-1)!.text).toBe('股票 2026-11-20 行情：数据源还没有这一天的数据')
    isThere = true
    expect(await run(deps(scriptedChain(late)), { through, kinds: ['stk'] })).toMatchObject([{ day: through, state: 'published' }])
  })

  it('whose answers were kept before a death are published without asking again', async () => {
    const through = dates[first]!
    await run(deps(), { through, kinds: ['stk'] })
    const [row] = await database.db.selectFrom('ingest_step').selectAll().execute()
    // As a death right after the answers leaves it.
    await database.db.deleteFrom('market_snapshot').where('id', '=', row!.snapshot_id!).execute()
    await database.db.updateTable('ingest_step').set({ state: 'asked', snapshot_id: null }).execute()
    expect(await run(deps(scriptedChain({})), { through, kinds: ['stk'] })).toMatchObject([{ state: 'published' }])
    // With an answer that is gone the source is asked.
    await database.db.updateTable('ingest_step').set({ state: 'asked' }).execute()
    await database.db.deleteFrom('market_snapshot').where('kind', '=', 'stk').where('last_date', '=', through).execute()
    await rm(join(dataDir, 'raw'), { recursive: true })
    expect(await run(deps(scriptedChain({})), { through, kinds: ['stk'] })).toMatchObject([{ state: 'waiting' }])
    expect(await run(deps(), { through, kinds: ['stk'] })).toMatchObject([{ state: 'published' }])
  })

  it('are not put behind adjusted prices, and nobody is asked for them', async () => {
    const given = tableBefore(stk, first)
    const table = { ...given, columns: new Map([...given.columns].filter(([key]) => key !== 'adj_factor')) }
    await publishTable({ db: database.db, dataDir }, table, { adjust: 'qfq' })
    const done = await run(deps(scriptedChain({})), { through: dates[first]!, kinds: ['stk'] })
    expect(done).toMatchObject([{ state: 'refused', text: expect.stringContaining('未复权') }])
    expect(await database.db.selectFrom('ingest_step').select(['state', 'report']).execute()).toMatchObject([{ state: 'refused' }])
  })

  it('that the checks refuse leave everything as it was, say why, and are asked again', async () => {
    const feed = marketFeed({ stk, cb, index }, () => today)
    const cents = async (ask: { date: string }, asking: Asking) => {
      const answer = await feed['stock-day'](ask, asking)
      const prices = ['open', 'high', 'low', 'close', 'pre_close']
      return {
        ...answer,
        columns: new Map([...answer.columns].map(([key, cells]) => [key, prices.includes(key) ? cells.map((cell) => cell * 100) : cells])),
      }
    }
    const before = await versions()
    const [done, ...more] = await run(deps(scriptedChain({ ...feed, 'stock-day': cents })), { through: dates.at(-1)!, kinds: ['stk'] })
    expect(more).toEqual([])
    expect(done).toMatchObject({ day: dates[first], state: 'refused', snapshot: null })
    expect(done!.text).toMatch(
      /^股票 .* 行情：未发布，已有数据保持不变。.*\n错误：收盘价整体相差很多倍，数据源可能换了单位，1 处，例如：\n {2}中位数为前一交易日的 \d+/,
    )
    expect(await versions()).toEqual(before)
    expect(await run(deps(), { through: dates[first]!, kinds: ['stk'] })).toMatchObject([{ state: 'published' }])
  })
})

it('a day that a source corrects is a new version, the same as if it had been right from the start', async () => {
  const feed = marketFeed({ stk, cb, index }, () => today)
  const wrongDay = dates[first + 1]!
  const wrong = async (ask: { date: string }, asking: Asking) => {
    const answer = await feed['stock-day'](ask, asking)
    if (ask.date !== wrongDay) return answer
    const close = answer.columns.get('close')!.map((price, i) => (i === 7 ? Math.round(price * 99) / 100 : price))
    return { ...answer, columns: new Map(answer.columns).set('close', close) }
  }
  const through = dates.at(-1)!
  await run(deps(), { through, kinds: ['stk'] })
  const right = (await newestSnapshot(database.db, 'stk'))!
  await rollBackDays(database.db, dataDir, 'stk', (await versions()).stk[0])
  await database.db.deleteFrom('ingest_step').execute()
  await run(deps(scriptedChain({ ...feed, 'stock-day': wrong })), { through, kinds: ['stk'] })
  const bad = (await newestSnapshot(database.db, 'stk'))!
  expect(bad.dataVersion).not.toBe(right.dataVersion)
  expect(await run(deps(), { through, kinds: ['stk'], day: wrongDay })).toMatchObject([{ state: 'published' }])
  const now = (await newestSnapshot(database.db, 'stk'))!
  expect(now.dataVersion).toBe(right.dataVersion)
  const manifests = [now, right].map(async (each) => ({ ...(await readManifest(snapshotPath(dataDir, each))), source: null }))
  expect(await manifests[0]).toEqual(await manifests[1])
})

it('a code that changes: the days behind the change go on under the new one, days before it are what they were', async () => {
  // The share of a bond that is there on the last day.
  const bond = cb.securities.findIndex((_, i) => cb.traded[(dates.length - 1) * cb.stride + i] === 1)
  const old = cb.securities[bond]!.stockCode!
  const [now, day] = [`899999${old.slice(-3)}`, dates[first + 2]!]
  const through = dates.at(-1)!
  await run(deps(), { through, kinds: ['stk', 'cb'] })
  const unchanged = await panelOf('stk')
  await rollBackDays(database.db, dataDir, 'stk', (await versions()).stk[0])
  await rollBackDays(database.db, dataDir, 'cb', (await versions()).cb[0])
  await database.db.deleteFrom('ingest_step').execute()
  await addChanges(database.db, [[old, now, day]])
  try {
    // The source goes on with the code of before: it means the same share.
    const done = await run(deps(), { through, kinds: ['stk', 'cb'] })
    expect(new Set(done.map(({ state }) => state))).not.toContain('refused')
    const panel = await panelOf('stk')
    const codes = panel.securities.map(({ code }) => code)
    expect(codes).toEqual([...unchanged.securities.map(({ code }) => (code === old ? now : code))].sort())
    const [was, is] = [unchanged.securities.findIndex(({ code }) => code === old), codes.indexOf(now)]
    expect(panel.securities[is]).toMatchObject({ code: now, formerCodes: [old] })
    for (const [key, column] of unchanged.columns)
      for (let t = 0; t < dates.length; t++)
        expect(panel.columns.get(key)![t * panel.stride + is], `${key} ${dates[t]}`).toBe(column[t * unchanged.stride + was])
    expect(placesByCode(panel.securities).get(old)).toBe(is)
    const bonds = await panelOf('cb')
    const its = bonds.securities.findIndex(({ code }) => code === cb.securities[bond]!.code)
    expect(bonds.securities[its]).toMatchObject({ stockCode: now, issuer: now })
    expect(bonds.columns.get('close_stk')![(dates.length - 1) * bonds.stride + its]).toBeGreaterThan(0)
    expect(await run(deps(), { through, kinds: ['stk'], day: dates[first]! })).toMatchObject([{ state: 'unchanged' }])
  } finally {
    await forgetChange(database.db, old)
  }
})

it('what the checks found in a day counts once, however often the day is made, and no more when it was corrected', async () => {
  const feed = marketFeed({ stk, cb, index }, () => today)
  const day = dates[first]!
  /** Rows of the day with a close that is none, and a row that is another than the source's. */
  const told = (faulty: number, other = 1) => {
    const table = async (ask: { date: string }, asking: Asking) => {
      const answer = await feed['stock-day'](ask, asking)
      const close = answer.columns
        .get('close')!
        .map((price, i) => (i < faulty ? -1 : i === 7 ? Math.round(price * other * 100) / 100 : price))
      return { ...answer, columns: new Map(answer.columns).set('close', close) }
    }
    return deps(scriptedChain({ ...feed, 'stock-day': table }))
  }
  const found = async () => {
    const { quarantined, findings } = (await newestSnapshot(database.db, 'stk'))!.quality
    return [quarantined, findings.filter(({ level }) => level === 'quarantine').map(({ count }) => count)]
  }
  const request = { through: day, kinds: ['stk'] } as const
  expect(await run(told(1), request)).toMatchObject([{ state: 'published' }])
  expect(await found()).toEqual([1, [1]])
  // The same day with another cell: a new version.
  expect(await run(told(1, 0.999), { ...request, day })).toMatchObject([{ state: 'published' }])
  expect(await found()).toEqual([1, [1]])
  await run(told(1), { ...request, through: dates[first + 1]! })
  expect(await found()).toEqual([2, [2]])
  expect(await run(told(0), { ...request, day })).toMatchObject([{ state: 'published' }])
  expect(await found()).toEqual([1, [1]])
  expect(await run(told(0), { ...request, through: dates[first + 1]!, day: dates[first + 1]! })).toMatchObject([{ state: 'published' }])
  expect(await found()).toEqual([0, []])
  // Of a market that begins with a day, too.
  await database.db.deleteFrom('market_snapshot').execute()
  await run(told(1), { ...request, from: day })
  await run(told(1, 0.999), { ...request, day })
  expect(await found()).toEqual([1, [1]])
})

it('one day alone is put behind no gap, before no beginning, and begins no market', async () => {
  const before = await versions()
  const alone = (day: string) => run(deps(), { through: dates.at(-1)!, day, kinds: ['stk'] })
  expect(await alone(dates[first + 2]!)).toEqual([
    {
      ...{ kind: 'stk', day: dates[first + 2], step: 'quotes', state: 'refused', snapshot: null },
      text: `股票 ${dates[first + 2]}：数据到 ${dates[first - 1]}，须先采集 ${dates[first]}，中间不能空缺`,
    },
  ])
  expect(await alone('2010-01-05')).toMatchObject([{ state: 'refused', text: expect.stringContaining('不能在它之前补') }])
  expect(await versions()).toEqual(before)
  expect(await database.db.selectFrom('ingest_step').selectAll().execute()).toEqual([])
  expect(await alone(dates[first]!)).toMatchObject([{ state: 'published' }])
  await database.db.deleteFrom('market_snapshot').where('kind', '=', 'stk').execute()
  expect(await alone(dates[first]!)).toEqual([])
})

it('what was published is taken back by one word, and not published again by itself', async () => {
  const through = dates.at(-1)!
  await run(deps(), { through, kinds: ['stk'] })
  const all = (await versions()).stk
  const done = await rollBackDays(database.db, dataDir, 'stk')
  expect(done).toMatchObject({ ok: true, to: { dataVersion: all.at(-2) }, rolledBackDays: [through] })
  const panel = await panelOf('stk')
  expect(panel.dates).toEqual(dates.slice(0, -1))
  expect(await run(deps(), { through, kinds: ['stk'] })).toEqual([])
  // Once more goes one further back; by name to any that is kept.
  expect(await rollBackDays(database.db, dataDir, 'stk')).toMatchObject({ ok: true, to: { dataVersion: all.at(-3) } })
  const held = async () => {
    const rows = await database.db.selectFrom('ingest_step').select('day').distinct().where('state', '=', 'held').orderBy('day').execute()
    return rows.map(({ day }) => day)
  }
  expect(await held()).toEqual([dates.at(-2), through])
  // A day that is back waits for nobody: its evening's steps are done by themselves.
  expect(await rollBackDays(database.db, dataDir, 'stk', all.at(-2))).toMatchObject({ ok: true, rolledBackDays: [through] })
  expect(await held()).toEqual([through])
  expect(await rollBackDays(database.db, dataDir, 'stk', all.at(-1))).toMatchObject({ ok: true, rolledBackDays: [] })
  expect(await held()).toEqual([])
  expect(await rollBackDays(database.db, dataDir, 'stk', all.at(-2))).toMatchObject({ ok: true, rolledBackDays: [through] })
  expect(await rollBackDays(database.db, dataDir, 'stk', 'stk-20200101-00000000')).toEqual({
    ok: false,
    refused: '没有保留版本 stk-20200101-00000000',
  })
  expect(await run(deps(), { through, kinds: ['stk'], day: through })).toMatchObject([{ state: 'published' }])
  expect((await newestSnapshot(database.db, 'stk'))!.dataVersion).toBe(all.at(-1))
})

it('a day that is asked anew in vain stays what it is, and its evening is done', async () => {
  const day = dates[first]!
  const feed = marketFeed({ stk, cb, index }, () => today)
  await run(deps(), { through: day, steps: ['quotes'] })
  const rowOf = () =>
    database.db
      .selectFrom('ingest_step')
      .select(['state', 'answers', 'snapshot_id'])
      .where('market', '=', 'cb')
      .where('step', '=', 'quotes')
      .executeTakeFirstOrThrow()
  const before = await rowOf()
  const none = async ({ date }: { date: string }) => ({ date, codes: [], columns: new Map<string, Float64Array>() })
  const cents = async (ask: { date: string }, asking: Asking) => {
    const answer = await feed['bond-day'](ask, asking)
    return {
      ...answer,
      columns: new Map(answer.columns).set(
        'close',
        answer.columns.get('close')!.map((price) => price * 100),
      ),
    }
  }
  for (const [table, state] of [
    [none, 'waiting'],
    [cents, 'refused'],
  ] as const) {
    const again = deps(scriptedChain({ ...feed, 'bond-day': table }))
    expect(await run(again, { through: day, day, kinds: ['cb'], steps: ['quotes'] })).toMatchObject([{ state }])
    expect(await rowOf()).toEqual(before)
  }
  expect(await run(deps(), { through: day, kinds: ['cb'], steps: ['events'] })).toMatchObject([{ day, step: 'events', state: 'unchanged' }])
})

it('how a call stands is told each evening and known from the first', async () => {
  const feed = marketFeed({ stk, cb, index }, () => today)
  const { code } = cb.securities.find((_, i) => cb.listed[(dates.length - 1) * cb.stride + i] === 1)!
  const calls = async ({ to }: { to: string }) => [
    { code, announced: to, standing: true, status: 'called' as const, callDate: null, price: Number.NaN, registerDate: null },
  ]
  await run(deps(scriptedChain({ ...feed, calls })), { through: dates[first + 2]! })
  const panel = await panelOf('cb')
  const told = panel.securities.find((each) => each.code === code)?.announcements ?? []
  expect(told.filter(({ kind, date }) => kind === 'redeem' && date >= dates[first]!).map(({ date }) => date)).toEqual([dates[first]])
  // Evenings on which a list was answered are days of which it is known who published nothing.
  const [[, until] = []] = panel.callLists ?? []
  expect(panel.callLists).toHaveLength(1)
  expect(dates.slice(first + 1, first + 3)).toContain(until)
})

it('while a market is ingested nothing of it is taken back', async () => {
  await run(deps(), { through: dates.at(-1)!, kinds: ['stk'] })
  const all = await versions()
  let refused: unknown = null
  await tryAdvisoryLock(database.db, locks.ingest, async () => {
    refused = await rollBackDays(database.db, dataDir, 'stk')
  })
  expect(refused).toMatchObject({ ok: false, refused: expect.stringContaining('正在由另一个进程采集') })
  expect(await versions()).toEqual(all)
})

it('a market begins with the first day that is asked for', async () => {
  await database.db.deleteFrom('market_snapshot').execute()
  expect(await run(deps(), { through: dates.at(-1)! })).toEqual([])
  await run(deps(), { through: dates[first + 2]!, from: dates[first]! })
  for (const kind of ['stk', 'cb'] as const) {
    const panel = await panelOf(kind)
    expect(panel.dates).toEqual(dates.slice(first, first + 3))
    expect(panel.benchmarks.get(`${kind}_ew`)![0]).toBe(1000)
  }
})

it('a demo market is nothing to put a day behind', async () => {
  await database.db.updateTable('market_snapshot').set({ data_mode: 'demo' }).execute()
  expect(await run(deps(), { through: dates.at(-1)! })).toEqual([])
})

it('every published version passes the full check; a file that was changed does not', async () => {
  await run(deps(), { through: dates.at(-1)! })
  for (const kind of ['stk', 'cb'] as const) {
    const snapshot = (await newestSnapshot(database.db, kind))!
    const checked = await checkSnapshot(dataDir, snapshot)
    expect(checked.findings).toEqual([])
    expect(checked.days).toBe(dates.length)
    expect(checked.rows).toBeGreaterThan(5_000)
    const file = join(snapshotPath(dataDir, snapshot), `close.${dates.at(-1)!.slice(0, 4)}.f64`)
    const bytes = await readFile(file)
    await writeFile(file, bytes.fill(1, 800, 808))
    expect((await checkSnapshot(dataDir, snapshot)).findings).toMatchObject([{ check: 'broken', level: 'fault' }])
  }
})

async function versions(): Promise<Record<'stk' | 'cb' | 'index', string[]>> {
  const rows = await database.db.selectFrom('market_snapshot').select(['kind', 'data_version']).orderBy('published_at').execute()
  const of = (kind: string) => rows.filter((row) => row.kind === kind).map((row) => row.data_version)
  return { stk: of('stk'), cb: of('cb'), index: of('index') }
}
