/** Where two files meet, and where a row was put aside: rows are compared as any two days are. */
import { createHash } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { findingOf, importing } from '../../test/fixtures/market/importing.ts'
import { csv } from '../../test/fixtures/market/market-file.ts'
import {
  columns,
  crowded,
  days,
  halved,
  level,
  market,
  quarantined,
  type Story,
  seamImports,
  split,
  volumes,
} from '../../test/fixtures/market/seam-days.ts'
import { startOperatorWarnings } from '../system/operator-warnings.ts'
import type { ImportReport } from './import.ts'
import { importer } from './manifest.ts'
import { olderOf, readManifest, snapshotPath } from './snapshot.ts'

const here = importing()
const { readAs, imported, cutAt, adjusted } = seamImports(here)
const unmoved: Story = (t) => ({ ...halved(t), adj: 1 })

describe('the previous close of a split', () => {
  it.each([split - 3, split, split + 1, split + 5])(
    'is believed where the factor does not move, in one file and cut at day %i',
    async (cut) => {
      const rows = market(unmoved)
      const whole = await imported(rows)
      expect(findingOf(whole, 'factor_unmoved')).toMatchObject({ level: 'warning', count: 1, examples: [`600001.SH ${days[split]}`] })
      expect(quarantined(whole)).toEqual({})
      expect(new Set(level(await adjusted(whole)))).toEqual(new Set([1]))
      await here.db.deleteFrom('market_snapshot').execute()
      const [first, second] = await cutAt(cut, rows)
      expect(second.snapshot?.dataVersion).toBe(whole.snapshot!.dataVersion)
      expect([first, second].map((report) => findingOf(report, 'factor_unmoved')?.count ?? 0)).toEqual(cut > split ? [1, 0] : [0, 1])
    },
  )

  const empty: readonly [where: string, isEmpty: (t: number) => boolean][] = [
    ['on the day itself', (t) => t === split],
    ['but for the first day and the day itself', (t) => t !== 0 && t !== split],
    ['from ten days before on', (t) => t >= split - 10],
    ['up to the day', (t) => t <= split],
    ['on all days', () => true],
  ]
  it.each(empty)('tells the factor where its cell is empty %s', async (_where, isEmpty) => {
    const report = await imported(market((t) => ({ ...halved(t), adj: isEmpty(t) ? null : halved(t)!.adj! })))
    expect(quarantined(report)).toEqual({})
    expect(new Set(level(await adjusted(report)))).toEqual(new Set([1]))
    // All shares stand still, and so does the mean of them.
    const { benchmarks } = await here.panelOf(report)
    expect(new Set([...benchmarks.get('stk_ew')!].map((value) => Number(value.toFixed(9)))).size).toBe(1)
  })

  it('is no step where the row before it has a code that nobody can read', async () => {
    const rows = market((t) => ({ close: 10 + (t % 5) / 10 })).map((row) =>
      row['code'] === '600001.SH' && row['date'] === days[20] ? { ...row, code: '某股份' } : row,
    )
    const report = await imported(rows, { without: ['adj_factor'] })
    expect(quarantined(report)).toEqual({ bad_code: 1 })
    const { stride, columns: all } = await here.panelOf(report)
    expect(new Set(days.map((_, t) => all.get('adj_factor')![t * stride]))).toEqual(new Set([1]))
  })

  describe('that is the raw close before where the factor moves', () => {
    const onDay =
      (day: number): Story =>
      (t) => ({ close: t < day ? 10 : 9.5, adj: t < day ? 1 : 10 / 9.5 })
    const note = '文件的前收盘价在除权除息日等于上一日的收盘价，不是交易所公布的前收盘价，未使用。'

    it('on three ex-days is no exchange’s: it is not used, by updates neither, and that is told', async () => {
      const rows = market(onDay(split), onDay(split + 1), onDay(split + 2), onDay(38))
      const whole = await imported(rows)
      expect(quarantined(whole)).toEqual({})
      expect(whole.text).toContain(note)
      expect((await here.panelOf(whole)).columns.has('pre_close')).toBe(false)
      expect(new Set(level(await adjusted(whole)))).toEqual(new Set([1]))
      await here.db.deleteFrom('market_snapshot').execute()
      const [, second] = await cutAt(35, rows)
      expect(second.snapshot?.dataVersion).toBe(whole.snapshot!.dataVersion)
    })

    it.each([
      ['on two alone', [onDay(38), onDay(39)]],
      [
        'but on one day the exchange’s',
        [onDay(37), onDay(38), onDay(39), (t: number) => ({ ...onDay(36)(t), ...(t === 36 && { pre: 9.5 }) })],
      ],
    ] as [string, Story[]][])('%s is believed: those rows are put aside', async (_what, stories) => {
      const report = await imported(crowded(market(...stories)))
      expect(report.text).not.toContain(note)
      expect(quarantined(report)).toEqual({ adjust: stories.length === 2 ? 2 : 3 })
    })
  })

  it('gives a file without factors its factors, and that is told', async () => {
    const report = await imported(market(halved), { without: ['adj_factor'] })
    expect(new Set(level(await adjusted(report)))).toEqual(new Set([1]))
    expect(report.text).toContain('文件没有复权因子，已按前收盘价推算')
  })
})

describe('a factor without previous closes', () => {
  const bare = { without: ['pre_close'] }
  const withGap = (t: number) => ({ ...halved(t), adj: t > split - 4 && t < split + 2 ? null : halved(t)!.adj! })

  it('is unknown between two that differ, and named', async () => {
    const report = await imported(
      market((t) => ({ ...withGap(t), close: 10 })),
      bare,
    )
    expect(findingOf(report, 'factor_unknown')).toMatchObject({
      level: 'warning',
      count: 5,
      examples: expect.arrayContaining([`600001.SH ${days[split]}`]),
    })
    const { stride, columns: all } = await here.panelOf(report)
    const cells = [split - 4, split - 3, split + 1, split + 2].map((t) => all.get('adj_factor')![t * stride])
    expect([cells[0], cells[3]]).toEqual([1, 2])
    expect(cells.slice(1, 3)).toEqual([Number.NaN, Number.NaN])
  })

  it('stays as long as a file that gives it on days of change says', async () => {
    const sparse = market((t) => ({ close: t < split ? 10 : 5, adj: t === 0 ? 1 : t === split ? 2 : null }))
    const { pre_close: _, ...others } = columns
    const report = await imported(sparse, { fields: { ...others, ...volumes, adj_factor: { column: 'adj', holds: 250 } } })
    expect(quarantined(report)).toEqual({})
    expect(new Set(level(await adjusted(report)))).toEqual(new Set([1]))
  })

  it('is the same between two that are, and stays behind the last, which is told', async () => {
    const report = await imported(
      market((t) => ({ adj: t === 0 || t === 20 ? 1.5 : null })),
      bare,
    )
    const { stride, columns: all, dates } = await here.panelOf(report)
    expect(new Set(dates.map((_, t) => all.get('adj_factor')![t * stride]))).toEqual(new Set([1.5]))
    expect(findingOf(report, 'factor_ends')).toMatchObject({ level: 'warning', count: 1, examples: [`600001.SH 自 ${days[21]}`] })
  })

  it('explains a split: the reference of the limit is the last close over its step, to the cent', async () => {
    const ex = (t: number, before: number, after: number) => ({ close: t < split ? before : after, adj: t < split ? 1 : 2 })
    const report = await imported(
      market(
        (t) => ex(t, 20, 11),
        (t) => ex(t, 20, 9),
        (t) => ex(t, 20, 10.5),
        // 9.65 less 0.006 is 9.644, so the reference is 9.64 and 10.60 its limit.
        (t) => ({ close: t < split ? 9.65 : 10.6, adj: t < split ? 1 : 9.65 / 9.644 }),
      ),
      bare,
    )
    expect(report.quality.findings).toEqual([])
    const beyond = await imported(
      market((t) => ex(t, 20, 11.3)),
      bare,
    )
    expect(beyond.text).toContain('涨跌幅超出涨跌停限制且没有除权等说明')
  })
})

describe('a row put aside', () => {
  it('costs one row where the next agree with the last kept one, whatever the day of the cut', async () => {
    const rows = crowded(market((t) => ({ close: t === 30 ? 15 : 10 + (t > 30 ? 0.5 : 0) })))
    const bare = { without: ['pre_close', 'adj_factor'] }
    const whole = await imported(rows, bare)
    expect(quarantined(whole)).toEqual({ jump: 1 })
    for (const cut of [30, 31, 32]) {
      await here.db.deleteFrom('market_snapshot').execute()
      const reports = await cutAt(cut, rows, bare)
      expect([reports[1].snapshot?.dataVersion, quarantined(...reports)]).toEqual([whole.snapshot!.dataVersion, { jump: 1 }])
    }
  })

  it.each([{}, { listed: 'on' }])(
    'leaves the factors behind it as they were worked out, when an update works them out anew: %j',
    async (flags) => {
      // The day put aside moved the price: the previous close of the next row is that of the row that is gone, and no step.
      const slipped: Story = (t) => ({
        close: t === 20 ? 15 : t < 20 ? 10 : 10.1,
        pre: t === 21 ? 10.2 : t < 21 ? 10 : 10.1,
        adj: t < 20 || t === 28 ? 1.5 : null,
      })
      const rows = crowded(market(slipped)).map((row) => ({ ...row, on: 1 }))
      const whole = await imported(rows, flags)
      expect(quarantined(whole)).toEqual({ jump: 1 })
      for (const cut of [21, 22, 25, 30]) {
        await here.db.deleteFrom('market_snapshot').execute()
        const [, second] = await cutAt(cut, rows, flags)
        const { stride, columns: all, dates } = await here.panelOf(second)
        expect(new Set(dates.flatMap((_, t) => (t === 20 ? [] : [all.get('adj_factor')![t * stride]])))).toEqual(new Set([1.5]))
      }
    },
  )

  it('that was never there, on a day on which the share is listed, leaves the factors behind it known', async () => {
    const suspended: Story = (t) =>
      t === 20 ? null : { close: t < 30 ? 10 : 5, pre: t < 30 ? 10 : 5, adj: t === 0 ? 1.5 : t === 30 ? 3 : null }
    const rows = market(suspended).map((row) => ({ ...row, on: 1 }))
    for (const cut of [22, 25]) {
      await here.db.deleteFrom('market_snapshot').execute()
      const [, second] = await cutAt(cut, rows, { listed: 'on' })
      expect(new Set(level(await adjusted(second)))).toEqual(new Set([1]))
      expect(findingOf(second, 'factor_unknown')).toBeUndefined()
    }
  })

  it('does not take a step of level away: the rows behind it are put aside too, over a seam as well', async () => {
    const fallen: Story = (t) => ({ close: t < 38 ? 10 : 5, pre: null, adj: null })
    const bare = { without: ['pre_close', 'adj_factor'] }
    expect(await imported(market(fallen), bare)).toMatchObject({ ok: false })
    const rows = crowded(market(fallen))
    const whole = await imported(rows, bare)
    expect(quarantined(whole)).toEqual({ jump: 2 })
    await here.db.deleteFrom('market_snapshot').execute()
    const reports = await cutAt(39, rows, bare)
    expect(reports[0].snapshot).not.toBeNull()
    const manifest = await readManifest(snapshotPath(here.dataDir, reports[0].snapshot!))
    expect(manifest.aside).toEqual({ '600001.SH': { since: days[38], days: 1, level: true } })
    expect(quarantined(...reports)).toEqual({ jump: 2 })
  })
})

describe('a market of an older importer', () => {
  const older = async ({ snapshot }: ImportReport) => {
    const path = join(snapshotPath(here.dataDir, snapshot!), 'manifest.json')
    const { importer: _, mapping: __, ...manifest } = JSON.parse(await readFile(path, 'utf8'))
    const text = JSON.stringify(manifest)
    await writeFile(path, text)
    const manifest_sha256 = createHash('sha256').update(text).digest('hex')
    await here.db.updateTable('market_snapshot').set({ manifest_sha256 }).where('id', '=', snapshot!.id).execute()
  }
  const told = '行情由旧版本导入，建议重新导入：./convexa import stk <文件或文件夹>'
  const manifestOf = ({ snapshot }: ImportReport) => readManifest(snapshotPath(here.dataDir, snapshot!))

  it('goes on by updates, which say so, until it is imported again', async () => {
    const rows = market(halved)
    const first = await imported(rows.filter((row) => String(row['date']) < days[30]!))
    await older(first)
    expect(await olderOf(here.dataDir, first.snapshot!)).toBe(told)
    const second = await here.importText('stk', csv(rows.filter((row) => String(row['date']) >= days[30]!)), {
      ...(await readAs()),
      onto: true,
    })
    expect(second.text).toContain(told)
    expect((await manifestOf(second)).importer).toBeUndefined()
    const again = await imported(rows)
    expect([again.unchanged, again.snapshot!.dataVersion]).toEqual([false, second.snapshot!.dataVersion])
    expect((await manifestOf(again)).importer).toBe(importer)
    expect(await olderOf(here.dataDir, again.snapshot!)).toBeNull()
  })

  it('is told with its command once, not each minute', async () => {
    await older(await imported(market()))
    const lines: string[] = []
    const log = (event: string, { text }: Record<string, unknown>) => void lines.push(`${event}: ${text}`)
    const config = { dataDir: here.dataDir, isSingleMachine: false }
    const warnings = startOperatorWarnings({ db: here.db, config, log, everyMs: 5 })
    await expect.poll(() => lines.length).toBeGreaterThan(0)
    await warnings.close()
    expect(lines).toEqual([`market of an older importer: ${told}`])
  })

  it('is told when its mapping is another', async () => {
    const rows = market(halved)
    const [, second] = await cutAt(30, rows)
    expect(second.text).not.toContain('本次的映射与导入时不同')
    const other = await here.importText('stk', csv(rows.filter((row) => String(row['date']) >= days[38]!)), {
      ...(await readAs({ ends_after: 40 })),
      onto: true,
    })
    expect(other.text).toContain('本次的映射与导入时不同')
  })
})

describe('random markets', () => {
  /** Shares with splits, dividends, suspensions, slips, empty cells and untold steps; prices to the cent, whole cents of limits kept. */
  function randomStories(random: () => number): Story[] {
    const whole = (low: number, high: number) => low + Math.floor(random() * (high - low + 1))
    return Array.from({ length: 8 }, (): Story => {
      let close = whole(800, 3_000) / 100
      let adj = [1, 1, 2.5][whole(0, 2)]!
      const isBlind = random() < 0.2
      const told = days.map((_, t) => {
        if (t > 6 && random() < 0.03) return null
        const before = close
        // Two for one, or some cents, that the factor or the previous close alone may tell.
        const out = t > 6 && random() < 0.08 ? (random() < 0.5 ? before / 2 : whole(5, 60) / 100) : 0
        const pre = Math.round((before - out) * 100) / 100
        const step = out > 0 ? before / pre : 1
        adj *= isBlind ? 1 : step
        close = Math.round(pre * (1 + (random() - 0.5) * 0.1) * 100) / 100
        const isSlip = t > 8 && random() < 0.004
        return { close: isSlip ? close * 3 : close, pre, adj: random() < 0.15 ? null : adj }
      })
      return (t) => told[t]!
    })
  }

  it.each(Array.from({ length: 12 }, (_, k) => k + 1))('are the same imported at once and cut anywhere, number %i', async (seed) => {
    const random = generator(seed)
    const rows = crowded(market(...randomStories(random)))
    const mapping = [{}, { without: ['pre_close'] }, { without: ['adj_factor'] }][seed % 3]!
    const whole = await imported(rows, mapping)
    const wanted = whole.ok ? await here.panelOf(whole) : null
    const cut = 8 + Math.floor(random() * 30)
    await here.db.deleteFrom('market_snapshot').execute()
    const parts = await cutAt(cut, rows, mapping)
    if (!wanted || parts.some(({ ok }) => !ok)) return
    expect(quarantined(...parts)).toEqual(quarantined(whole))
    const panel = await here.panelOf(parts[1])
    expect([panel.dates, panel.securities, panel.listed, panel.traded]).toEqual([
      wanted.dates,
      wanted.securities,
      wanted.listed,
      wanted.traded,
    ])
    for (const [key, column] of wanted.columns) expect([key, panel.columns.get(key)]).toEqual([key, column])
    expect(panel.benchmarks).toEqual(wanted.benchmarks)
  })
})

/** Numbers from 0 to 1 by a seed: a linear congruence, good enough to choose by. */
function generator(seed: number): () => number {
  let state = seed * 7_919
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    return state / 2_147_483_648
  }
}
