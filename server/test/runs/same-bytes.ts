import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { MarketId, ReportPart } from '@convexa/contract'
import { type BacktestOutcome, backtest, backtestGroup, markets, type Panel, withOwn } from '@convexa/engine'
import { type ComputeChild, computeChild } from '../../src/compute/child-handle.ts'
import type { BacktestInput, DataFiles, FinishedRun, Outcome, TaskValue, Work } from '../../src/compute/protocol.ts'
import type { RunAgain } from '../../src/context/compute.ts'
import { loadPanel } from '../../src/market/panels.ts'
import { writeStore } from '../../src/market/store.ts'
import { engineFixtures } from './engine-fixtures.ts'

const { anyRequest, randomMarket } = await engineFixtures()

/** What was compared, and the first difference; null: there was none. */
export interface Compared {
  readonly runs: number
  /** Runs that the engine refused, by both in the same words. */
  readonly refused: number
  readonly wrong: string | null
}

const about: BacktestInput['about'] = { params_hash: 'hash', factor_versions: {}, created_at: '2026-11-20T12:00:00+08:00' }
const perMarket = 20

/**
 * Random runs of both markets, stored by one compute child and computed again by it and by another of one thread, which is started anew for
 * each market: the whole report, each of its parts and some of its days must be the engine's own, byte for byte.
 */
export async function compareRuns(count: number, seed: number, tell: (line: string) => void = () => {}): Promise<Compared> {
  let [runs, refused] = [0, 0]
  for (let at = 0; at < count; at += perMarket) {
    const kind: MarketId = (at / perMarket) % 2 === 0 ? 'cb' : 'stk'
    const dataDir = mkdtempSync(join(tmpdir(), 'convexa-bytes-'))
    const [first, second] = [childOf(dataDir, 4), childOf(dataDir, 1)]
    try {
      const { files, panel } = await stored(dataDir, kind, seed + at)
      for (let k = at; k < Math.min(count, at + perMarket); k++) {
        const wrong = await compareRun({ files, panel, first, second }, requestOf(kind, seed + k, panel.dates))
        if (wrong === 'refused') refused++
        else if (wrong !== null) return { runs, refused, wrong: `${kind}, seed ${seed + k}: ${wrong}` }
        runs++
      }
    } finally {
      await Promise.all([first.close(), second.close()])
      rmSync(dataDir, { recursive: true, force: true })
    }
    tell(`${runs} of ${count} runs the same, ${refused} of them refused`)
  }
  return { runs, refused, wrong: null }
}

interface Ground {
  readonly files: DataFiles
  readonly panel: Panel
  readonly first: ComputeChild
  readonly second: ComputeChild
}

const childOf = (dataDir: string, threads: number): ComputeChild =>
  computeChild({ dataDir, threads, panelMb: 256, headroomMb: 768, hungAfterMs: 60_000, log() {} })

async function stored(dataDir: string, kind: MarketId, seed: number): Promise<{ files: DataFiles; panel: Panel }> {
  const made = randomMarket(kind, { seed, days: 160, securities: 40, from: '2023-07-03', terms: true })
  const folder = join(dataDir, 'market')
  const columns = new Map([...made.columns].map(([key, cells]) => [key, { store: 'f64' as const, cells, origin: 'file' as const }]))
  mkdirSync(folder)
  await writeStore(folder, { ...made, columns }, { mode: 'imported', adjust: 'raw', source: { preset: 'test', files: [] } })
  const ids = { kind, snapshotId: `${kind}-${seed}`, indexSnapshotId: null, stockSnapshotId: null }
  return { files: { ...ids, folder, indexFolder: null, stockFolder: null }, panel: await loadPanel(folder, null, 'all') }
}

/** One rule, or every fourth time a group of two; every third with a factor of the user's own. */
function requestOf(kind: MarketId, seed: number, dates: readonly string[]): Pick<BacktestInput, 'rule' | 'settings' | 'custom' | 'runId'> {
  const { parameters, settings } = anyRequest(kind, seed, dates)
  const own = { key: 'custom_abc123', label: '自定', formula: 'close/ref(close,3)', prefer: 'small' } as const
  const custom = seed % 3 === 0 ? [own] : []
  const [rank, ...others] = parameters.rank_factors
  const rule = custom.length > 0 && rank ? { ...parameters, rank_factors: [{ ...rank, factor_key: own.key }, ...others] } : parameters
  const members = [
    { name: '甲', weight: 0.6, parameters: rule },
    { name: '乙', weight: 0.4, parameters: anyRequest(kind, seed + 5_000, dates).parameters },
  ]
  const group = { members, rebalance: seed % 8 < 4 ? 'monthly' : 'never', duplicate: seed % 16 < 8 ? 'merge' : 'separate' } as const
  return { runId: `${kind}-${seed}`, rule: seed % 4 === 1 ? { group } : { parameters: rule }, settings, custom }
}

/** null: the same; `refused`: by all of them. */
async function compareRun(
  { files, panel, first, second }: Ground,
  request: Pick<BacktestInput, 'rule' | 'settings' | 'custom' | 'runId'>,
): Promise<string | null> {
  const { rule, settings, custom = [], runId } = request
  const market = withOwn(markets[files.kind], custom)
  const whole = finish(
    'group' in rule
      ? backtestGroup(panel, market, { ...rule.group, settings })
      : backtest(panel, market, { parameters: rule.parameters, settings, trials: { count: 2 } }),
  )
  const finished = await first.run({ files, work: { call: 'backtest', input: { ...request, trials: 2, about } } })
  if (!whole.ok || !finished.ok) {
    const messages = [whole.ok ? null : whole.problem.message, finished.ok ? null : finished.message]
    return messages[0] === messages[1] ? 'refused' : `refused otherwise: ${messages.join(' / ')}`
  }
  const { core, ledger } = finished.value as FinishedRun
  const run: RunAgain = {
    ...{ id: runId, rule, settings, engineVersion: whole.report.engine_version },
    ledger: Buffer.from(ledger).toString('hex'),
    core: Buffer.from(core).toString('base64'),
  }
  const expected = { ...about, ...whole.report, partial: false }
  for (const [name, child] of [['the child that stored it', first] as const, ['another child', second] as const]) {
    const ask = async (work: Work): Promise<string> => textOf(await child.run({ files: work.call === 'storedParts' ? null : files, work }))
    const again = (parts: readonly ReportPart[] | null) => ask({ call: 'partsAgain', input: { run, custom, parts } })
    if ((await again(null)) !== JSON.stringify(expected)) return `the report of ${name}`
    const { daily_contribution, holdings, trades, ...rest } = expected
    const alone = await ask({ call: 'storedParts', input: { report: { core: run.core }, parts: ['core'] } })
    if (alone !== JSON.stringify({ parts: ['core'], ...rest })) return `the core of ${name}`
    for (const [part, value] of Object.entries({ daily_contribution, holdings, trades })) {
      if ((await again([part as ReportPart])) !== JSON.stringify({ parts: [part], [part]: value })) return `${part} of ${name}`
    }
    // The last first: a page does not depend on what was asked before it.
    for (let day = whole.days.length - 1; day >= 0; day -= 7) {
      const page = whole.days[day]
      if (!page) continue
      const asked = await ask({ call: 'dayAgain', input: { run, custom, date: page.trade_date } })
      if (asked !== JSON.stringify(page)) return `${page.trade_date} of ${name}`
    }
  }
  return first.mismatches() + second.mismatches() > 0 ? 'a ledger of another hash' : null
}

function finish(steps: Generator<unknown, BacktestOutcome>): BacktestOutcome {
  for (;;) {
    const step = steps.next()
    if (step.done) return step.value
  }
}

const textOf = (outcome: Outcome<TaskValue>): string =>
  outcome.ok ? new TextDecoder().decode(outcome.value as Uint8Array) : `${outcome.code} ${outcome.message}`
