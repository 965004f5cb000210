import { createHash } from 'node:crypto'
import { gunzipSync } from 'node:zlib'
import type { DayDetail, LedgerPart, Report, ReportPart } from '@convexa/contract'
import { errorCodes } from '@convexa/contract/enums/error-code'
import {
  type BacktestProgress,
  ledgerParts,
  type Market,
  type Panel,
  type SimulatedRun,
  type SimulationOutcome,
  simulated,
  simulatedGroup,
  versionUnder,
  withParts,
} from '@convexa/engine'
import type { RunAgain, StoredReport } from '../context/compute.ts'
import { coreReportOf, decodeCore } from '../run-core/core-format.ts'
import type { KeptRun, KeptRuns } from './kept-runs.ts'
import type { BacktestInput, Outcome } from './protocol.ts'
import { rejection, rejectionOfProblem } from './rejection.ts'

/** The steps of a run until it is simulated. */
export const simulating = (
  panel: Panel,
  market: Market,
  { rule, settings, trials }: Pick<BacktestInput, 'rule' | 'settings' | 'trials'>,
): Generator<BacktestProgress, SimulationOutcome> =>
  'group' in rule
    ? simulatedGroup(panel, market, { ...rule.group, settings })
    : simulated(panel, market, { parameters: rule.parameters, settings, trials: { count: trials } })

/** SHA-256 of all that the report of a run follows from. */
export function ledgerHash(run: SimulatedRun): Buffer {
  const hash = createHash('sha256')
  for (const piece of run.ledger()) hash.update(piece)
  return hash.digest()
}

/** Where a run is computed again: its data, and what is kept there. */
export interface Again {
  readonly panel: Panel
  readonly key: string
  readonly market: Market
  readonly kept: KeptRuns
  stopped(): boolean
  /** The same engine has another ledger than it had. */
  mismatch(runId: string): void
}

/** Members of a report of a finished run; all of it where `parts` is null. */
export function partsAgain(run: RunAgain, parts: readonly ReportPart[] | null, again: Again): Outcome<object> {
  const found = simulatedAgain(run, again)
  if (!found.ok) return found
  const { reader } = found.value.run
  const more = differenceOf(run, found.value, again)
  const stored = () => coreReportOf(decodeCore(Buffer.from(run.core, 'base64')))
  if (parts === null) return { ok: true, value: { ...withParts(stored(), reader), ...more } }
  const wanted = ledgerParts.filter((part) => parts.includes(part))
  const members = parts.includes('core')
    ? withParts(stored(), reader, wanted)
    : Object.fromEntries(wanted.map((part) => [part, reader.part(part)]))
  return { ok: true, value: { parts, ...members, ...more } }
}

/** The page of a day; null where the run has no such day. */
export function dayAgain(run: RunAgain, date: string, again: Again): Outcome<DayDetail | null> {
  const found = simulatedAgain(run, again)
  if (!found.ok) return found
  const { dates, reader } = found.value.run
  const day = dates.indexOf(date)
  return { ok: true, value: day < 0 ? null : { ...reader.page(day), ...differenceOf(run, found.value, again) } }
}

/** The run as its data give it now, kept on this thread. */
export function simulatedAgain(
  { id, rule, settings }: Pick<RunAgain, 'id' | 'rule' | 'settings'>,
  { panel, key, market, kept, stopped }: Again,
): Outcome<KeptRun> {
  const known = kept.get(id)
  if (known) return { ok: true, value: known }
  // Nothing of the ledger depends on how often the like was tried.
  const steps = simulating(panel, market, { rule, settings, trials: 1 })
  for (let step = steps.next(); ; step = steps.next()) {
    if (!step.done) {
      if (stopped()) return rejection(errorCodes.cancelled)
      continue
    }
    if (!step.value.ok) return rejectionOfProblem(step.value.problem)
    const value = { run: step.value.run, ledger: ledgerHash(step.value.run) }
    kept.keep(id, key, value)
    return { ok: true, value }
  }
}

function differenceOf(stored: RunAgain, { run, ledger }: KeptRun, { panel, mismatch }: Again): Pick<Report, 'recomputed'> {
  if (ledger.toString('hex') === stored.ledger) return {}
  const engine_version = versionUnder(panel.rules)
  if (engine_version === stored.engineVersion) mismatch(stored.id)
  const { nav } = decodeCore(Buffer.from(stored.core, 'base64')).series
  const nav_difference = nav.reduce((most, value, day) => Math.max(most, Math.abs(value - (run.reader.nav[day] ?? 0))), 0)
  return { recomputed: { engine_version, nav_difference } }
}

/** A stored report as far as it needs no data: of a core all that it gives. */
export function storedReportOf(report: StoredReport): Partial<Report> {
  if ('core' in report) return coreReportOf(decodeCore(Buffer.from(report.core, 'base64')))
  const text = gunzipSync(Buffer.from(report.packed, 'base64')).toString('utf8')
  return JSON.parse(report.headless ? `{${text}` : text) as Report
}

/** Members of a stored report by the names of their parts. */
export function storedParts(report: StoredReport, parts: readonly ReportPart[]): object {
  const left = ledgerParts.filter((part) => !parts.includes(part))
  const stored = storedReportOf(report)
  const isCore = parts.includes('core')
  const members = Object.entries(stored).filter(([name]) => (isOfLedger(name) ? !left.includes(name) : isCore))
  return { parts, ...Object.fromEntries(members) }
}

const isOfLedger = (name: string): name is LedgerPart => (ledgerParts as readonly string[]).includes(name)
