/** What an update makes of what is stored beside rows: announcements of bonds, and securities that are there under two codes. */
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Announcement, markets, type Panel, type Security, securityFactors, securityHistory } from '@convexa/engine'
import { afterEach, describe, expect, it } from 'vitest'
import { importing } from '../../test/fixtures/market/importing.ts'
import { bondRows, type FileRow, stockRows } from '../../test/fixtures/market/market-file.ts'
import { putDay } from './append-day.ts'
import { addChanges, forgetChange } from './code-changes.ts'
import type { ImportReport } from './import.ts'
import { readManifest } from './manifest.ts'
import { loadPanel } from './panels.ts'
import { snapshotPath } from './snapshot.ts'

const here = importing()
const { importRows, panelOf } = here
const days = [...new Set(bondRows().map((row) => String(row['trade_date'])))]
const upTo = (rows: readonly FileRow[], t: number) => rows.filter((row) => String(row['trade_date']) < days[t]!)
const from = (rows: readonly FileRow[], t: number) => rows.filter((row) => String(row['trade_date']) >= days[t]!)

describe('a list of calls beside an update', () => {
  const [one, two] = ['123001.SZ', '123002.SZ']
  /** Announcements by bond, as a list beside the file. */
  async function calls(list: Readonly<Record<string, readonly string[]>>) {
    const folder = join(here.dataDir, 'cb_reference')
    await mkdir(folder, { recursive: true })
    const rows = Object.entries(list).flatMap(([code, own]) => own.map((day) => `${code},${day}`))
    await writeFile(join(folder, 'cb_call_announcements.csv'), `${['ts_code,ann_date', ...rows].join('\n')}\n`)
  }
  const announced = async (report: ImportReport, code: string) => {
    const { securities } = await panelOf(report)
    return (securities.find((bond) => bond.code === code)!.announcements ?? []).map(({ date }) => date)
  }
  const updated = async (before: Readonly<Record<string, readonly string[]>>, now: Readonly<Record<string, readonly string[]>>) => {
    await calls(before)
    await importRows('cb', upTo(bondRows(), 60))
    await calls(now)
    return importRows('cb', from(bondRows(), 60), { onto: true })
  }

  it('adds to the announcements of a bond that it names', async () => {
    const report = await updated({ [one]: [days[5]!], [two]: [days[8]!] }, { [one]: [days[62]!] })
    expect([await announced(report, one), await announced(report, two)]).toEqual([[days[5], days[62]], [days[8]]])
  })

  it('states anew what lies on days that it covers', async () => {
    const report = await updated({ [one]: [days[5]!, days[20]!], [two]: [days[8]!] }, { [one]: [days[21]!], '123005.SZ': [days[10]!] })
    // The days before are not in the list; of a bond that it does not name it says nothing.
    expect([await announced(report, one), await announced(report, two)]).toEqual([[days[5], days[21]], [days[8]]])
  })

  it('leaves what a bond is said to be called for as it was: days between two lists are covered by neither', async () => {
    const report = await updated({ [one]: [days[5]!], [two]: [days[8]!] }, { [one]: [days[62]!, days[65]!] })
    const manifest = await readManifest(snapshotPath(here.dataDir, report.snapshot!))
    expect(manifest.call_lists).toEqual([
      [days[5], days[8]],
      [days[62], days[65]],
    ])
    expect(manifest.fields.find(({ key }) => key === 'call_status')!.note).toContain(
      `${days[5]} 至 ${days[8]}、${days[62]} 至 ${days[65]} 有来源，其余日子满足强赎条款`,
    )
  })
})

it('a bar that has not come stays missing until a file has its row', async () => {
  const t = 60
  const [lost, late] = ['123001.SZ', '123002.SZ']
  const day = days[t]!
  const without = (...codes: string[]) =>
    upTo(bondRows(), t + 1).filter((row) => row['trade_date'] !== day || !codes.includes(String(row['ts_code'])))
  const { snapshot } = await importRows('cb', without(lost, late))
  const panel = await loadPanel(snapshotPath(here.dataDir, snapshot!), null, 'all')
  const row = (cells: ArrayLike<number>) => Array.from(panel.securities, (_, i) => cells[t * panel.stride + i]!)
  const { fields } = await readManifest(snapshotPath(here.dataDir, snapshot!))
  const traded = Uint8Array.from(row(panel.traded))
  await putDay({ db: here.db, dataDir: here.dataDir }, 'cb', {
    ...{ date: day, securities: panel.securities, benchmarks: new Map(), missingBars: [lost, late] },
    columns: new Map(fields.map(({ key }) => [key, row(panel.columns.get(key)!).map((cell, i) => (traded[i] === 1 ? cell : Number.NaN))])),
    ...{ listed: Uint8Array.from(row(panel.listed)), traded },
  })
  const updated = async (rows: readonly FileRow[]) => (await panelOf(await importRows('cb', rows, { onto: true }))).missingBars
  expect(await updated(from(bondRows(), t + 1))).toEqual(new Map([[day, new Set([lost, late])]]))
  expect(await updated(bondRows().filter((one) => one['trade_date'] === day && one['ts_code'] === late))).toEqual(
    new Map([[day, new Set([lost])]]),
  )
  // A file of everything knows nothing of what sources owed.
  expect((await panelOf(await importRows('cb', without(lost, late)))).missingBars).toBeUndefined()
})

describe('what sources told of bonds before an update', () => {
  const [one, two] = ['123001.SZ', '123002.SZ']
  const told: readonly Announcement[] = [
    { date: days[10]!, kind: 'reset_proposal' },
    { date: days[19]!, kind: 'reset', effective: days[20]! },
    { date: days[30]!, kind: 'no_redeem', until: '2023-06-30' },
    { date: days[40]!, kind: 'no_reset' },
    { date: days[50]!, kind: 'redeem', price: 100.5, registration: '2022-12-30', lastTrading: '2022-12-27' },
    { date: days[55]!, kind: 'maturity' },
  ]
  const lastDays = [
    { known: days[51]!, day: '2022-12-23' },
    { known: days[53]!, day: '2022-12-27' },
  ]
  /** The file's first days, with what sources say of two bonds by the last of them. */
  async function told60(more: Partial<Security> = {}) {
    // The revision's cut stands in the file.
    const rows = bondRows()
      .filter((row) => !(more.lastDay && row['ts_code'] === two && String(row['trade_date']) > more.lastDay))
      .map((row) => (row['ts_code'] === one && String(row['trade_date']) >= days[20]! ? cut(row) : row))
    const { snapshot } = await importRows('cb', upTo(rows, 60))
    const panel = await loadPanel(snapshotPath(here.dataDir, snapshot!), null, 'all')
    const last = (panel.dates.length - 1) * panel.stride
    const row = <C extends Float64Array | Uint8Array>(cells: C) => cells.slice(last, last + panel.securities.length) as C
    const securities = panel.securities.map((bond) =>
      bond.code === one
        ? { ...bond, announcements: told, lastDayKnown: lastDays[0]!.known, lastDays }
        : bond.code === two
          ? { ...bond, ...more }
          : bond,
    )
    const put = await putDay(here, 'cb', {
      ...{ date: panel.dates.at(-1)!, securities, listed: row(panel.listed), traded: row(panel.traded), benchmarks: new Map() },
      columns: new Map([...panel.columns].map(([key, cells]) => [key, row(cells)])),
    })
    expect(put).toMatchObject({ ok: true, how: 'revised' })
    return rows
  }
  const cut = (row: FileRow): FileRow => {
    const price = Number(row['conv_price']) * 0.8
    const value = (100 / price) * Number(row['stock_price'])
    return { ...row, conv_price: price, conv_value: value, conv_prem_pct: (Number(row['close']) / value - 1) * 100 }
  }
  const bondIn = async (report: ImportReport, code: string) => (await panelOf(report)).securities.find((bond) => bond.code === code)!

  it('stays: promises, revisions and what is known of the last day, each with its day', async () => {
    const rows = await told60()
    const bond = await bondIn(await importRows('cb', from(rows, 60), { onto: true }), one)
    expect(bond.announcements).toEqual(told)
    expect(bond).toMatchObject({ lastDayKnown: days[51], lastDays })
  })

  it('goes with a revision whose cut the update takes back', async () => {
    const rows = await told60()
    const whole = bondRows().filter((row) => row['ts_code'] !== one || String(row['trade_date']) < days[20]!)
    const back = bondRows().filter((row) => row['ts_code'] === one && String(row['trade_date']) >= days[20]!)
    const update = [...back, ...from(whole, 60)]
    expect(rows).toHaveLength(bondRows().length)
    const bond = await bondIn(await importRows('cb', update, { onto: true }), one)
    expect(bond.announcements?.map(({ kind }) => kind)).toEqual(['reset_proposal', 'no_redeem', 'no_reset', 'redeem', 'maturity'])
  })

  it('a bond whose last day had passed stays ended though it is not delisted yet', async () => {
    const end = { delisted: null, lastDay: days[57]!, lastDayKnown: days[51]!, exitReason: 'called' as const }
    const rows = await told60(end)
    const panel = await panelOf(await importRows('cb', from(rows, 60), { onto: true }))
    const i = panel.securities.findIndex(({ code }) => code === two)
    const { delisted: _, ...stays } = end
    expect(panel.securities[i]).toMatchObject(stays)
    expect(panel.listed[(panel.dates.length - 1) * panel.stride + i]).toBe(0)
  })
})

it('a bond that is new in an update has the clause that an import gives it, where no table tells any', async () => {
  const last = '123020.SZ'
  await importRows(
    'cb',
    upTo(bondRows(), 60).filter((row) => row['ts_code'] !== last),
  )
  const { securities } = await panelOf(await importRows('cb', from(bondRows(), 60), { onto: true }))
  expect(securities.find(({ code }) => code === last)!.terms!.redeem).toEqual({ days: 15, window: 30, trigger: 1.3 })
})

describe('statements of the companies of bonds', () => {
  const income = (code: string) =>
    `ts_code,ann_date,f_ann_date,end_date,report_type,revenue\n${code},20220829,20220829,20220630,1,100\n${code},20220429,20220429,20220331,1,40\n`
  const versionsOf = async (report: ImportReport, code: string) => {
    const { securities, reports } = await panelOf(report)
    const i = securities.findIndex((bond) => bond.code === code)
    return reports!.starts[i + 1]! - reports!.starts[i]!
  }
  const write = async (code: string) => {
    await mkdir(here.file('statements'), { recursive: true })
    await writeFile(here.file('statements/income.csv'), income(code))
  }

  it('belong to a later bond of a company too, though the update says nothing of them', async () => {
    const rows = bondRows().map((row) => (row['ts_code'] === '123002.SZ' ? { ...row, stk_cd: '300001.SZ' } : row))
    await write('300001.SZ')
    await importRows(
      'cb',
      upTo(rows, 60).filter((row) => row['ts_code'] !== '123002.SZ'),
    )
    await rm(here.file('statements'), { recursive: true })
    const report = await importRows('cb', from(rows, 60), { onto: true })
    expect([await versionsOf(report, '123001.SZ'), await versionsOf(report, '123002.SZ')]).toEqual([2, 2])
  })

  it('are found where the bond names its share by the former code and the statements by the later one, and the other way round', async () => {
    await addChanges(here.db, [['300002.SZ', '300902.SZ', days[40]!]])
    try {
      for (const code of ['300902.SZ', '300002.SZ']) {
        await write(code)
        await here.db.deleteFrom('market_snapshot').execute()
        expect(await versionsOf(await importRows('cb', bondRows()), '123002.SZ')).toBe(2)
      }
      await write('300902.SZ')
      await here.db.deleteFrom('market_snapshot').execute()
      const turned = bondRows().map((row) => (row['ts_code'] === '123002.SZ' ? { ...row, stk_cd: '300902.SZ' } : row))
      expect(await versionsOf(await importRows('cb', turned), '123002.SZ')).toBe(2)
    } finally {
      await forgetChange(here.db, '300002.SZ')
    }
  })
})

describe('a market that has a security under its former code and under the later one', () => {
  const change = 40
  afterEach(async () => {
    for (const old of ['600002.SH', '123002.SZ']) await forgetChange(here.db, old)
  })
  const renamed = (rows: readonly FileRow[], old: string, now: string, t: number) =>
    rows.map((row) => (row['ts_code'] === old && String(row['trade_date']) >= days[t]! ? { ...row, ts_code: now } : row))
  /** Everything in which two panels differ. */
  const differences = (one: Panel, other: Panel) => {
    const about = ({ columns, dataVersion: _, benchmarks: __, ...rest }: Panel) => ({ ...rest, fields: [...columns.keys()].sort() })
    expect(about(one)).toEqual(about(other))
    return [...one.columns].flatMap(([key, cells]) => {
      const at = cells.findIndex((cell, k) => !(Math.abs(cell - other.columns.get(key)![k]!) <= 1e-9 * Math.abs(cell)) && cell === cell)
      return at < 0 ? [] : [`${key} ${one.dates[Math.floor(at / one.stride)]} ${at % one.stride}`]
    })
  }

  it.each([
    { kind: 'stk', rows: stockRows(), old: '600002.SH', now: '600902.SH', field: 'close' },
    { kind: 'cb', rows: bondRows(), old: '123002.SZ', now: '123902.SZ', field: 'conv_value' },
  ] as const)(
    '$kind: has it once after an update, as one file would have it, and answers under both',
    async ({ kind, rows, old, now, field }) => {
      const lines = renamed(rows, old, now, change)
      const twice = await panelOf(await importRows(kind, upTo(lines, 60)))
      expect(twice.securities.filter(({ code }) => code === old || code === now)).toHaveLength(2)
      await addChanges(here.db, [[old, now, days[change]!]])
      const report = await importRows(kind, from(lines, 60), { onto: true })
      expect(report.quality.findings).toContainEqual(
        expect.objectContaining({ check: 'codes_joined', level: 'warning', count: 1, examples: [`${old} → ${now}`] }),
      )
      const panel = await panelOf(report)
      await here.db.deleteFrom('market_snapshot').execute()
      const whole = await importRows(kind, lines)
      expect(whole.quality.findings).toContainEqual(expect.objectContaining({ check: 'codes_joined', examples: [`${old} → ${now}`] }))
      expect(differences(await panelOf(whole), panel)).toEqual([])

      const asked = [old, now].map((code) => [
        securityFactors({ recent: panel, whole: panel }, markets[kind], code)?.code,
        securityHistory(panel, markets[kind], code, [field], 0),
      ])
      expect(asked[0]).toEqual(asked[1])
      expect(asked[0]).toMatchObject([now, { ok: true, history: { series: { [field]: expect.not.arrayContaining([null]) } } }])
    },
  )

  it('counts equal rows of a day once, and leaves out those that differ, which is told with their day', async () => {
    const lines = renamed(stockRows(), '600002.SH', '600902.SH', change)
    const again = lines.flatMap((row): FileRow[] => {
      const day = String(row['trade_date'])
      if (row['ts_code'] !== '600002.SH' || day < days[30]!) return []
      return [{ ...row, ts_code: '600902.SH', ...(day === days[35] && { vol: 5_000.5, amount: Number(row['amount']) / 2 }) }]
    })
    await importRows('stk', upTo([...lines, ...again], 60))
    await addChanges(here.db, [['600002.SH', '600902.SH', days[change]!]])
    const report = await importRows('stk', from(lines, 60), { onto: true })
    expect(report.text).toContain(`600002.SH → 600902.SH（同一天两行不同、都未使用的有 1 天，例如 ${days[35]}）`)
    const { securities, stride, columns, traded } = await panelOf(report)
    const at = securities.findIndex(({ code }) => code === '600902.SH')
    expect(days.flatMap((day, t) => (traded[t * stride + at] === 0 ? [day] : []))).toEqual([days[35]])
    expect(days.every((_, t) => columns.get('adj_factor')![t * stride + at] === 1.5)).toBe(true)
  })
})
