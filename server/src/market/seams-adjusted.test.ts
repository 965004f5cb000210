import { describe, expect, it } from 'vitest'
import { findingOf, importing } from '../../test/fixtures/market/importing.ts'
import { csv, type FileRow } from '../../test/fixtures/market/market-file.ts'
import { crowded, days, halved, level, market, quarantined, type Story, seamImports, split } from '../../test/fixtures/market/seam-days.ts'
import { newestSnapshot, readManifest, snapshotPath } from './snapshot.ts'

const here = importing()
const { readAs, imported, cutAt, adjusted } = seamImports(here)
describe('adjusted prices', () => {
  const qfq = { adjust: 'qfq', without: ['pre_close', 'adj_factor'] }
  // A yuan of ten is paid on the twenty-fifth day: as of now all days stand at nine.
  const before: Story = () => ({ close: 10 })
  const after: Story = () => ({ close: 9 })
  const up = (from: number, to: number, rows: readonly FileRow[]) =>
    rows.filter((row) => String(row['date']) >= days[from]! && String(row['date']) < (days[to] ?? '2025'))
  const put = async (rows: readonly FileRow[], mapping: object) =>
    here.importText('stk', csv(rows), { ...(await readAs(mapping)), onto: true })

  it.each<[what: string, rows: FileRow[], mapping: object, said: RegExp]>([
    ['with no day in common and no previous close', up(split, 40, market(after)), qfq, /没有相同的交易日，也没有前收盘价.*请导入整份文件/],
    ['whose common days say another price', up(split - 5, 40, market(after)), qfq, /不在同一基准上（600001\.SH）.*请导入整份文件/],
    [
      'whose previous close is not the stored close',
      up(
        split,
        40,
        market(() => ({ close: 9, pre: 9 })),
      ),
      { ...qfq, without: ['adj_factor'] },
      /不在同一基准上（600001\.SH）.*请导入整份文件/,
    ],
  ])('are not joined by a file %s', async (_what, rows, mapping, said) => {
    const old = await imported(up(0, split, market(before)), mapping)
    const report = await put(rows, mapping)
    expect(report).toMatchObject({ ok: false })
    expect(report.text).toMatch(said)
    expect(report.text).toContain('现有数据保持不变')
    expect((await newestSnapshot(here.db, 'stk'))!.id).toBe(old.snapshot!.id)
  })

  it.each([
    ['a day in common', split - 1, qfq],
    ['previous closes', split, { ...qfq, without: ['adj_factor'] }],
  ] as const)('that agree by %s are joined, and are what one file would be', async (_how, from, mapping) => {
    const rows = market((t) => ({ close: 9 + (t % 3) / 10 }))
    const whole = await imported(rows, mapping)
    await here.db.deleteFrom('market_snapshot').execute()
    await imported(up(0, split, rows), mapping)
    expect(await put(up(from, 40, rows), mapping)).toMatchObject({ ok: true, snapshot: { dataVersion: whole.snapshot!.dataVersion } })
  })

  it('of a share that stood still over the common days wait, and it is named', async () => {
    const rows = crowded(market((t) => (t >= split - 2 && t < 38 ? null : { close: 9 })))
    await imported(up(0, split, rows), qfq)
    const report = await put(up(split - 2, 40, rows), qfq)
    expect(findingOf(report, 'base')).toMatchObject({
      level: 'quarantine',
      count: 2,
      examples: [expect.stringContaining('600001.SH'), expect.anything()],
    })
  })

  it('of which rows are not listed or cannot be read become raw all the same', async () => {
    const rows = crowded(market()).map((row) => ({ ...row, listed: 1 }))
    const idle = {
      ...rows[0]!,
      code: '600002.SH',
      date: days[0]!,
      close: 99.999,
      high: 99.999,
      low: 99.999,
      open: 99.999,
      adj: null,
      listed: 0,
    }
    const broken = { ...rows[5]!, date: '2024-13-45', close: 7.777 }
    const kept = rows.filter((row: FileRow) => !(row['code'] === '600002.SH' && row['date'] === days[0]))
    const report = await imported([...kept, idle, broken], { adjust: 'hfq', listed: 'listed' })
    expect([report.quality.adjust, report.quality.quarantined]).toEqual(['raw', 1])
  })

  // A share at ten whose factor goes from 2.5 to 3 as two of twelve go out.
  const factor = (t: number) => (t < split ? 2.5 : 3)
  const raw = (t: number) => (t < split ? 12 : 10) + (t % 4) / 100
  const written = (level: (t: number) => number, decimals: number): FileRow[] =>
    market((t) => {
      const at = (price: number) => Number((price * level(t)).toFixed(decimals))
      return { close: at(raw(t)), pre: at(t === split ? 10.03 : raw(Math.max(0, t - 1))), adj: factor(t) }
    }).map((row) => (row['code'] === '600001.SH' ? { ...row, amount: Number(row['vol']) * raw(days.indexOf(String(row['date']))) } : row))

  it.each<[form: string, adjust: string, rows: FileRow[]]>([
    ['back-adjusted in cents', 'hfq', written(factor, 2)],
    ['back-adjusted in all digits', 'hfq', written(factor, 12)],
    ['forward-adjusted in four decimals', 'qfq', written((t) => factor(t) / 3, 4)],
  ])('%s become raw by their factor, and an update does too', async (_form, adjust, rows) => {
    const report = await imported(rows, { adjust })
    expect(report.quality).toMatchObject({ adjust: 'raw', quarantined: 0, findings: [] })
    expect(report.text).toContain('还原为未复权价')
    const { stride, columns: all } = await here.panelOf(report)
    const cells = (key: string) => days.map((_, t) => all.get(key)![t * stride]!)
    expect(cells('close')).toEqual(days.map((_, t) => Math.round(raw(t) * 100) / 100))
    expect(cells('pre_close')[split]).toBe(10.03)
    await here.db.deleteFrom('market_snapshot').execute()
    if (adjust === 'qfq') return
    const [, second] = await cutAt(split, rows, { adjust })
    expect(second).toMatchObject({ ok: true, snapshot: { dataVersion: report.snapshot!.dataVersion } })
  })

  it('forward-adjusted in cents stay so, without their factor, and that is told', async () => {
    const report = await imported(
      written((t) => factor(t) / 3, 2),
      { adjust: 'qfq' },
    )
    expect(report.quality.adjust).toBe('qfq')
    expect(report.text).toContain('前复权价不能按复权因子逐价还原到分')
    const { columns: all } = await here.panelOf(report)
    expect(all.has('adj_factor')).toBe(false)
  })

  it.each([
    ['whole', null],
    ['cut before they begin', 27],
    ['cut on their first day', 30],
    ['cut behind it', 33],
  ])('tell by their factor who was listed, %s', async (_how, cut) => {
    const old: Story = (t) => {
      const at = (price: number) => Number(((price * factor(t)) / 3).toFixed(2))
      return { close: at(raw(t)), pre: at(t === split ? 10.03 : raw(Math.max(0, t - 1))), adj: factor(t) }
    }
    const from =
      (first: number, adj: number | null): Story =>
      (t) =>
        t < first ? null : { close: 12, pre: 12, adj }
    const rows = market(old, old, old, old, old, from(30, 1), from(30, 2.5), from(31, null))
    const reports = cut === null ? [await imported(rows, { adjust: 'qfq' })] : await cutAt(cut, rows, { adjust: 'qfq' })
    expect(reports.map(({ ok, quality }) => [ok, quality.adjust])).toEqual(reports.map(() => [true, 'qfq']))
    const { securities } = await here.panelOf(reports.at(-1)!)
    expect(securities.slice(5).map(({ listed }) => listed)).toEqual([days[30], null, null])
    // Said once more from their first day on, without factors: what was known of them stays.
    const again = await here.importText('stk', csv(rows.filter((row) => String(row['date']) >= days[30]!)), {
      ...(await readAs({ adjust: 'qfq', without: ['adj_factor'] })),
      onto: true,
    })
    const { factors } = await readManifest(snapshotPath(here.dataDir, again.snapshot!))
    expect(factors).toMatchObject({ '600001.SH': { first: 2.5 }, '600006.SH': { first: 1 }, '600007.SH': { first: 2.5 } })
  })
})

describe('factors of a file that joins', () => {
  // Normalised to the newest day of each file: 1 on its last, less before.
  const story =
    (newest: number): Story =>
    (t) => ({ ...halved(t), adj: (t < split ? 1 : 2) / newest })

  it('stand on the base of what is stored, by common rows or by the previous close', async () => {
    const first = market(story(1)).filter((row) => String(row['date']) < days[split - 3]!)
    for (const from of [split - 6, split - 3]) {
      await here.db.deleteFrom('market_snapshot').execute()
      await imported(first)
      const report = await here.importText('stk', csv(market(story(2)).filter((row) => String(row['date']) >= days[from]!)), {
        ...(await readAs()),
        onto: true,
      })
      expect(quarantined(report)).toEqual({})
      expect(new Set(level(await adjusted(report)))).toEqual(new Set([1]))
    }
  })

  it('on another base without anything to compare are refused', async () => {
    const all: Story[] = Array.from({ length: 8 }, () => (t) => ({ close: 10, adj: t < split ? 2 : 1 }))
    const [, second] = await cutAt(split, market(...all), { without: ['pre_close'] })
    expect(second).toMatchObject({ ok: false })
    expect(second.text).toContain('复权因子与已有行情不在同一基准上')
  })
})
