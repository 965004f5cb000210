import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { MarketId, Parameters, Report, Settings } from '@convexa/contract'
import { marketIds } from '@convexa/contract/enums/market'
import { backtest, type EngineReport, markets, type Panel } from '@convexa/engine'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeDemo } from '../../src/market/demo.ts'
import { loadPanel } from '../../src/market/panels.ts'
import { snapshotPath } from '../../src/market/snapshot.ts'
import { templatesOf } from '../../src/reference/templates.ts'
import { type TestDatabase, testDatabase } from '../fixtures/database.ts'

/**
 * Every template of both markets, run whole on a small demo market of a fixed seed and end, against files that are looked at when they
 * change. They pin the demo model and the realistic engine together, as a newcomer meets them.
 */
const through = '2025-06-30'
const folder = mkdtempSync(join(tmpdir(), 'convexa-golden-'))
const panels = new Map<MarketId, Panel>()
let database: TestDatabase

beforeAll(async () => {
  database = await testDatabase()
  const made = await makeDemo({ db: database.db, dataDir: folder, through, size: 'small' })
  for (const kind of marketIds) panels.set(kind, await loadPanel(snapshotPath(folder, made[kind]), snapshotPath(folder, made.index), 'all'))
})

afterAll(async () => {
  await database.drop()
  rmSync(folder, { recursive: true, force: true })
})

const usual: Record<MarketId, Pick<Settings, 'benchmark' | 'cost'>> = {
  cb: { benchmark: 'cb_ew', cost: { buy_rate: 0.001, sell_rate: 0.001 } },
  stk: { benchmark: '000300', cost: { buy_rate: 0.00025, sell_rate: 0.00025, slippage: 0.001, min_fee: 5 } },
}

function report(kind: MarketId, parameters: Parameters): EngineReport {
  const panel = panels.get(kind)!
  const settings: Settings = {
    ...usual[kind],
    start_date: '2023-09-01',
    end_date: through,
    capital: 50,
    execution: 'realistic',
    fill: 'close',
    call_handling: 't_minus_1_close',
    delisting: 'last_price',
    adjust: 'raw',
  }
  const run = backtest(panel, markets[kind], { parameters, settings })
  for (let step = run.next(); ; step = run.next()) {
    if (!step.done) continue
    if (!step.value.ok) throw new Error(step.value.problem.message)
    return step.value.report
  }
}

const six = (value: number | null | undefined) => (value == null ? null : Number(value.toPrecision(10)))

/** What 跑赢了吗 and 靠谱吗 say of it (experience.md 1), before the check grid. */
function verdictOf({ worth, robustness }: Pick<Report, 'worth' | 'robustness'>) {
  const checks = robustness.checks.map(
    ({ key, value, ok, lack }) => `${key} ${value === null ? value : Number(value.toFixed(9))} ${lack ?? ok}`,
  )
  if (!worth) return { worth: null, trust: robustness.verdict, checks }
  const { state, against, end_nav, end_ref, excess_annual, share_above, t } = worth
  return {
    worth: `${state}: ${six(end_nav)} against ${against.key} ${six(end_ref)}, ${six(excess_annual)} a year, p ${six(share_above)}, t ${six(t)}`,
    trust: robustness.verdict,
    checks,
  }
}

/** What a reader of the difference wants to see: the figures, the curve by months, how it traded and why. */
function digest(
  name: string,
  made: Pick<Report, 'metrics' | 'curves' | 'monthly' | 'trades' | 'trades_total' | 'holdings' | 'warnings' | 'worth' | 'robustness'>,
) {
  const { metrics, curves, monthly, trades, holdings, warnings } = made
  const last = holdings.days.at(-1)
  return {
    name,
    metrics: Object.fromEntries(Object.entries(metrics).map(([key, value]) => [key, typeof value === 'number' ? six(value) : value])),
    nav: monthly.map(({ period, end }) => `${period} ${six(curves.nav[curves.dates.indexOf(end)])}`),
    trades: made.trades_total,
    latest: trades.slice(-5).map((row) => `${row.date} ${row.code} ${row.side} ${row.volume} × ${row.price} ${row.reason_text}`),
    verdict: verdictOf(made),
    held: last ? last.code_index.map((at) => holdings.codes[at]).sort() : [],
    warnings,
  }
}

describe('the templates on the demo market', () => {
  it.each(marketIds)('%s: every report is as it was', (kind) => {
    const fields = new Set(panels.get(kind)!.columns.keys())
    const now = `${JSON.stringify(
      templatesOf(kind, fields)
        // A set of exclusions ranks nobody: there is nothing to run.
        .filter(({ parameters }) => parameters.rank_factors.length > 0)
        .map(({ name, parameters }) => digest(name, report(kind, parameters))),
      null,
      1,
    )}\n`
    const path = new URL(`demo-${kind}.json`, import.meta.url)
    const changed = new URL(`demo-${kind}.changed.json`, import.meta.url)
    if (existsSync(path) && readFileSync(path, 'utf8') === now) return rmSync(changed, { force: true })
    writeFileSync(changed, now)
    expect.fail(`golden/demo-${kind}.json is not what the engine answers now: see golden/demo-${kind}.changed.json`)
  })
})
