import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Clause, crossSection, markets, type Panel, presumedSince, redeemCounts, resetCount, type Security } from '@convexa/engine'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type TestDatabase, testDatabase } from '../../test/fixtures/database.ts'
import { arrange } from './import/arrange.ts'
import { usualEndsAfter } from './import/mapping.ts'
import { presets } from './import/presets.ts'
import { readRows } from './import/read-rows.ts'
import { openSource, type RawColumn } from './import/source-file.ts'
import { importMarket } from './import.ts'
import { loadPanel } from './panels.ts'
import { indexSnapshotFor, snapshotPath } from './snapshot.ts'

const shared = fileURLToPath(new URL('../../../../shared/data', import.meta.url))
const there = existsSync(shared)
if (!there) console.log(`The real market files are not in ${shared}: their imports are not tested here.`)

describe.runIf(there)('the presets on the real files', () => {
  let database: TestDatabase
  let dataDir: string
  beforeAll(async () => {
    database = await testDatabase()
    dataDir = await mkdtemp(join(tmpdir(), 'convexa-real-'))
    await importMarket({ kind: 'index', paths: [join(shared, 'index_daily')], dataDir, db: database.db })
  })
  afterAll(async () => {
    await database.drop()
    await rm(dataDir, { recursive: true })
  })

  const imported = async (kind: 'cb' | 'stk', path: string) => {
    const report = await importMarket({ kind, paths: [join(shared, path)], dataDir, db: database.db })
    expect(report.text).toMatch(/已导入/)
    const index = await indexSnapshotFor(database.db, report.snapshot!)
    return { report, panel: await loadPanel(snapshotPath(dataDir, report.snapshot!), snapshotPath(dataDir, index!), 'all') }
  }

  let bonds: ReturnType<typeof imported> | undefined
  const bondPanel = () => (bonds ??= imported('cb', 'cb_daily_2017_2023/cb_daily.parquet'))
  /** What a factor says of a bond on a day. */
  const saidOf = (panel: Panel, code: string, key: string, date: string) => {
    const section = crossSection(panel, markets.cb, [key], panel.dates.indexOf(date))
    if (!section.ok) throw new Error(section.problem.message)
    return section.values[0]![section.codes.indexOf(code)]
  }

  it('the bond panel: every listed byte kept, windows and last days found, known points told', async () => {
    const { report, panel } = await bondPanel()
    expect(report.quality).toMatchObject({ rows: 387_115, listedRows: 374_163, securities: 748, quarantined: 0, adjust: 'raw' })
    expect(panel.dates).toHaveLength(1_580)
    expect(report.quality.findings.map((finding) => [finding.check, finding.count])).toEqual([
      ['known', 4],
      ['halted', 691],
      ['swapped', 1],
    ])
    await expectSame(panel, 'cb_daily_2017_2023/cb_daily.parquet', {
      close: ['close', 1],
      conv_prem: ['conv_prem_pct', 100],
      turnover: ['turnover_pct', 100],
      remain_size: ['remain_yi', 1],
      conv_price: ['conv_price', 1],
    })
    // 123004.SZ was listed on 2018-01-26 at 107.63; the file has a close of 100 on days before.
    const day = panel.dates.indexOf('2018-01-26')
    const early = crossSection(panel, markets.cb, ['close', 'formula: ref(close, 5)', 'pct_chg_5', 'bias_5', 'volatility_5'], day)
    const place = early.ok ? early.codes.indexOf('123004.SZ') : -1
    expect(early.ok && early.values.map((column) => column[place])).toEqual([107.63, null, null, null, null])
    // Of 59 early ends that no announcement tells two were no calls, one was unknown before.
    expect(report.text).toContain(
      '181 只按公告日，57 只没有公告来源而退出前 60 个交易日内满足强赎条款、按最后交易日前 10 个交易日推算，13 只到期兑付，1 只规模不足（123029.SZ），2 只退出原因不明（128012.SZ、128100.SZ）',
    )
    // The last day listed and traded; none for a bond that is listed on the file's last day.
    const last = (panel.dates.length - 1) * panel.stride
    panel.securities.forEach((security, i) => {
      const listedAtEnd = panel.listed[last + i] === 1
      let row = panel.dates.length - 1
      while (row >= 0 && !(panel.listed[row * panel.stride + i] === 1 && panel.traded[row * panel.stride + i] === 1)) row--
      expect(security.lastDay, security.code).toBe(listedAtEnd ? null : panel.dates[row])
      // A bond that matures soon behind the end of the file is known to, and still listed.
      if (security.lastDayKnown !== null && !listedAtEnd) expect(security.lastDayKnown <= security.lastDay!, security.code).toBe(true)
    })
    expect([...panel.benchmarks.keys()].slice(0, 3)).toEqual(['cb_ew', '000300', '000832'])
    expect([...panel.securities].map((security) => security.code)).toEqual(panel.securities.map((security) => security.code).sort())
  })

  it('the bond panel: the counts of calls and revisions are those of every day looked at by itself', async () => {
    const { panel } = await bondPanel()
    const rows = presumedSince <= panel.dates.at(-1)! ? panel.dates.findIndex((date) => date >= presumedSince) : panel.dates.length
    // Behind that day silent issuers are presumed to decline, which these days do not know.
    const calls = slowCounts(panel, ({ terms }) => terms?.redeem ?? null, true)
    const revisions = slowCounts(panel, ({ terms }) => terms?.reset ?? null, false)
    const differ = (fast: Float64Array, slow: Float64Array, upTo: number) =>
      fast.subarray(0, upTo * panel.stride).reduce((sum, count, at) => sum + Number(count === count && count !== slow[at]), 0)
    expect(differ(redeemCounts(panel)!.counts, calls, rows)).toBe(0)
    expect(differ(resetCount(panel)!, revisions, panel.dates.length)).toBe(0)
    const met = (counts: Float64Array, clause: 'redeem' | 'reset') =>
      counts.reduce(
        (sum, count, at) => sum + Number(count >= (panel.securities[at % panel.stride]?.terms?.[clause]?.days ?? Number.NaN)),
        0,
      )
    expect([met(calls, 'redeem'), met(resetCount(panel)!, 'reset')]).toEqual([37_925, 132_663])
  })

  it('the bond panel: real bonds by their share’s days of suspension and by revisions in force', async () => {
    const { panel } = await bondPanel()
    const said = (code: string, key: string, ...dates: string[]) => dates.map((date) => saidOf(panel, code, key, date))
    // 维格: suspended days filled its count; it met its clause three days later.
    expect(said('113527.SH', 'redeem_count', '2021-05-24', '2021-05-26', '2021-05-27')).toEqual([12, 14, 15])
    // 万信转2 needs ten days, 龙净 ten, 金农 twenty.
    expect(Math.max(...(said('123021.SZ', 'reset_count', '2019-06-17', '2019-07-05') as number[]))).toBe(9)
    expect(said('110068.SH', 'reset_count', '2022-05-06', '2022-05-26')).toEqual([5, 8])
    expect(said('128036.SZ', 'reset_count', '2018-06-14')).toEqual([21])
    // 赛伍: its revision is in force from 2022-04-22 on, and nothing of before counts.
    const resetTexts = markets.cb.fields.find(({ key }) => key === 'reset_status')!.values!
    const revised = said('113630.SH', 'reset_status', '2022-04-21', '2022-04-22')
    expect(revised.map((value) => resetTexts[value ?? -1])).toEqual(['提议下修', '无'])
    expect(said('113630.SH', 'reset_count', '2022-04-22', '2022-05-10')).toEqual([0, 0])
    // On the panel's last summer silent issuers are presumed to decline.
    const day = crossSection(panel, markets.cb, ['is_call'], panel.dates.indexOf('2023-06-30'))
    const states = day.ok ? day.values[0]! : []
    const state = (label: string) => markets.cb.fields.find(({ key }) => key === 'is_call')!.values!.indexOf(label)
    expect(states.filter((each) => each === state('已满足强赎条件'))).toHaveLength(9)
    expect(states.filter((each) => each === state('公告不强赎（推定）'))).toHaveLength(8)
    // Of 92 proposals 86 were settled by a revision. Three had a bonus issue first, two were never settled; 128012 was cut on rows that are none.
    const proposals = panel.securities.flatMap(({ code, announcements = [] }) =>
      announcements.flatMap(({ kind, date }) => (kind === 'reset_proposal' ? [{ code, date, announcements }] : [])),
    )
    const open = proposals.filter(
      ({ date, announcements }) =>
        !announcements.some(
          ({ kind, effective }) => kind === 'reset' && effective! > date && Date.parse(effective!) - Date.parse(date) <= 60 * 864e5,
        ),
    )
    expect([proposals.length, open.map(({ code }) => code).sort()]).toEqual([
      92,
      ['110043.SH', '113509.SH', '123003.SZ', '127003.SZ', '128012.SZ', '128026.SZ'],
    ])
  })

  it('the stock folder: the two files are not merged, and that is said', async () => {
    const { report, panel } = await imported('stk', 'a_share_qfq_2017_2023')
    expect(report.text).toMatch(/不合并，只导入全市场文件：all_market_2022_2023.parquet/)
    expect(report.quality).toMatchObject({ rows: 1_413_094, securities: 5_120, quarantined: 0, adjust: 'qfq' })
    await expectSame(panel, 'a_share_qfq_2017_2023/all_market_2022_2023.parquet', {
      close: ['close_e4', 10_000],
      pre_close: ['pre_close_e4', 10_000],
      vol: ['vol_share', 1],
    })
    expect(panel.securities.every((security) => security.lastDay === null)).toBe(true)
    // Exact fractions of the file's prices give 60.452: on one of the fourteen days the mean of three prices is what it was.
    const flow = crossSection(panel, markets.stk, ['formula: mfi(14)', 'mfi_14'], panel.dates.indexOf('2022-05-30'))
    const place = flow.ok ? flow.codes.indexOf('000031.SZ') : -1
    expect(flow.ok && flow.values.map((column) => column[place]!.toFixed(3))).toEqual(['60.452', '60.452'])
    let rows = 0
    for (const flag of panel.traded) rows += flag
    expect(rows).toBe(1_413_094)
  })

  it('a year without a list of shares: seven listings, two who only stood still on its first days', async () => {
    const preset = presets.find(({ name }) => name === 'stk-tushare')!
    const file = await openSource(join(shared, 'a_share_2024_raw_adj/daily_raw_adj.parquet'))
    const rows = await readRows('stk', [file], preset.mapping, preset, () => {})
    const dropped = new Uint8Array(rows.count)
    const table = arrange('stk', rows, { inside: null, dropped }, preset, { endsAfter: usualEndsAfter, about: new Map() })
    const codes = (of: (security: Security, i: number) => boolean) => table.securities.filter(of).map(({ code }) => code.slice(0, 6))
    expect(codes(({ listed }) => listed !== null)).toEqual(['001277', '001279', '001359', '001379', '001387', '001389', '001391'])
    expect(codes(({ listed }, i) => listed === null && table.listed[i] === 0)).toEqual(['000657', '000801'])
  })

  it('the CSI 300 set: suspensions, ST, valuations', async () => {
    const { report, panel } = await imported('stk', 'csi300_baostock_2020_2025/daily.parquet')
    expect(report.quality).toMatchObject({ rows: 369_338, securities: 300, adjust: 'raw' })
    expect(report.quality.quarantined).toBeLessThan(5)
    // Its late starters are listings.
    expect(panel.securities.filter(({ listed }) => listed !== null && listed > panel.dates[0]!)).toHaveLength(35)
    expect([...panel.columns.keys()]).toEqual(expect.arrayContaining(['adj_factor', 'pe_ttm', 'pb', 'is_st', 'turnover']))
    expect(panel.columns.get('pe_ttm')!.some((value) => value <= 0)).toBe(false)
    // A company with a loss has no ratio, and not that of its last good year: 21 of the file's rows of the day, 20 of which had one before.
    const day = panel.dates.indexOf('2024-12-31') * panel.stride
    const traded = panel.securities.flatMap((_, i) => (panel.traded[day + i] === 1 ? [day + i] : []))
    expect(traded.filter((at) => Number.isNaN(panel.columns.get('pe_ttm')![at]))).toHaveLength(21)
  })

  it('the indices: 3 and 31 series in one snapshot, missing days told', async () => {
    const report = await importMarket({ kind: 'index', paths: [join(shared, 'index_daily')], dataDir, db: database.db })
    expect(report).toMatchObject({ ok: true, unchanged: true })
    expect(report.quality).toMatchObject({ securities: 34, findings: [{ check: 'missing_days', count: 16 }] })
  })

  /** Every listed cell of the file's columns is the cell of the panel to the last bit; outside listing windows there is none. */
  async function expectSame(panel: Panel, path: string, columns: Record<string, [column: string, divide: number]>): Promise<void> {
    const file = await openSource(join(shared, path))
    const names = Object.values(columns).map(([column]) => column)
    const { rows, columns: raw } = await file.read(['ts_code', 'trade_date', ...names])
    const rowOf = new Map(panel.dates.map((date, t) => [Date.parse(`${date}T00:00:00Z`) / 86_400_000, t]))
    const placeOf = new Map(panel.securities.map((security, i) => [security.code, i]))
    const codes = (raw.get('ts_code') as Extract<RawColumn, { kind: 'text' }>).values
    const days = (raw.get('trade_date') as Extract<RawColumn, { kind: 'number' }>).values
    for (const [key, [column, divide]] of Object.entries(columns)) {
      const cells = panel.columns.get(key)!
      const source = (raw.get(column) as Extract<RawColumn, { kind: 'number' }>).values
      let different = 0
      for (let row = 0; row < rows; row++) {
        if (source[row] !== source[row]) continue
        const at = rowOf.get(days[row]!)! * panel.stride + placeOf.get(codes[row]!)!
        if (!Object.is(cells[at], panel.listed[at] === 1 ? source[row]! / divide : Number.NaN)) different++
      }
      expect(different, key).toBe(0)
    }
  }
})

/**
 * Days of a clause at or above (calls) or below its trigger price, of the last days on which the share traded, every day counted anew. NaN where
 * nothing is known. What was announced in between is a revision in force, which ends the count of revisions.
 */
function slowCounts(
  { dates, securities, stride, listed, traded, columns }: Panel,
  clauseOf: (security: Security) => Clause | null,
  isAbove: boolean,
) {
  const [stock, price] = [columns.get('close_stk')!, columns.get('conv_price')!]
  const counts = new Float64Array(dates.length * stride).fill(Number.NaN)
  const units = (value: number) => Math.round(value * 10_000)
  securities.forEach((security, i) => {
    const clause = clauseOf(security)
    if (clause === null) return
    const { announcements = [], terms } = security
    const start = isAbove ? (terms?.conversionStart ?? '') : ''
    const resets = isAbove ? [] : announcements.filter(({ kind }) => kind === 'reset')
    const days: { t: number; counts: boolean }[] = []
    for (let t = 0; t < dates.length; t++) {
      const at = t * stride + i
      if (listed[at] === 0) continue
      const isHalted = traded[at] === 0 && t > 0 && listed[at - stride] === 1 && stock[at] === stock[at - stride]
      const isKnown = stock[at] === stock[at] && price[at] === price[at]
      const isAt = units(stock[at]!) * 10_000 >= units(price[at]!) * units(clause.trigger)
      if (!isHalted) days.push({ t, counts: isKnown && dates[t]! >= start && isAt === isAbove })
      const since = resets.flatMap(({ date, effective }) => {
        const day = effective! > date ? effective! : (dates.find((each) => each > date) ?? '9')
        return date < dates[t]! && day <= dates[t]! ? [day] : []
      })
      const from = since.sort().at(-1) ?? ''
      if (isKnown) counts[at] = days.slice(-clause.window).filter((day) => day.counts && dates[day.t]! >= from).length
    }
  })
  return counts
}
