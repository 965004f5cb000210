import type { MarketId } from '@convexa/contract'
import { errorCodes } from '@convexa/contract/enums/error-code'
import {
  answerOf,
  type BacktestProgress,
  binning,
  coverageOf,
  coveredFactors,
  crossSection,
  factsOnWire,
  glance,
  grid,
  historyScreen,
  IncrementalScreen,
  type Judgeable,
  judged,
  judgedWithGrid,
  listColumns,
  type Market,
  marketFigures,
  markets,
  type Newest,
  namesOf,
  type Panel,
  previewFactor,
  priceRemarks,
  quickBacktest,
  type SharedGridWork,
  sectionsOf,
  securityFactors,
  securityHistory,
  verdictInShort,
  withOwn,
} from '@convexa/engine'
import { closeOf } from '../base/time.ts'
import type { CallName, Calls, Packing } from '../context/compute.ts'
import { packJsonNow } from '../http/packed-json.ts'
import { encodeCore } from '../run-core/core-format.ts'
import { sparkOf } from '../run-core/spark.ts'
import { coreOfReport } from './core-of-report.ts'
import type { KeptRuns } from './kept-runs.ts'
import type { BacktestInput, FinishedRun, Outcome, RunProgress, Work } from './protocol.ts'
import { rejection, rejectionOf, rejectionOfProblem } from './rejection.ts'
import { isHistoryRecent } from './required-data.ts'
import { type Again, dayAgain, ledgerHash, partsAgain, simulating, storedParts, storedReportOf } from './run-again.ts'

/** The market with what the asker has added. */
export const marketOf = (kind: MarketId, work: Work): Market => withOwn(markets[kind], ('custom' in work.input && work.input.custom) || [])

/** Milliseconds since, to a tenth. */
const elapsed = (began: number): number => Math.round((performance.now() - began) * 10) / 10

/** `newest`: two panels where the work reads of some fields the newest days and of others all (`required-data.ts`), else one. */
type Answer<N extends CallName> = (
  newest: Newest,
  market: Market,
  input: Calls[N]['input'],
  available: ReadonlySet<string>,
  host: Host,
) => Outcome<Calls[N]['output']>

/** What a call that takes long asks of its thread. */
export interface Host {
  /** Nobody waits for the answer any more. */
  stopped(): boolean
  /** Says what other threads could do of it. */
  offer(offer: SharedGridWork): void
  /** When the prices of the panels' last day were made: it is not over. */
  readonly quotedAt?: string
  /** Runs that were simulated on this thread, and the key of the panels of this work. */
  readonly kept: { readonly runs: KeptRuns; readonly key: string }
  /** A run of the same engine comes out otherwise than it did. */
  mismatch(runId: string): void
}

/** The time of an answer's data: of its quotes where it is of the day that is not over. */
const timeOf = (date: string, { quotedAt }: Host): string => quotedAt ?? closeOf(date)
const timed = (date: string, host: Host) => ({ data_time: timeOf(date, host), realtime: host.quotedAt !== undefined })

/** The interactive calls by name. */
const answers: { [N in Exclude<CallName, 'storedParts'>]: Answer<N> } = {
  screen({ whole: panel }, market, input, _available, host) {
    const day = dayOf(panel, input.date)
    if (day < 0) return rejection(errorCodes.invalidDates)
    const { section, screen } = standingOn(panel, day)
    const outcome = screen.screen(section(market), input.parameters, input.previous)
    if (!outcome.ok) return rejectionOfProblem(outcome.problem)
    const date = panel.dates[day]!
    const about = { trade_date: date, data_mode: panel.dataMode, data_version: panel.dataVersion }
    const note = input.note === undefined ? {} : { data_note: input.note }
    return { ok: true, value: { ...about, ...answerOf(outcome.parts, input.need), ...note, ...timed(date, host) } }
  },

  historyScreen({ whole: panel }, market, input) {
    const outcome = historyScreen(panel, market, input)
    if (!outcome.ok) return rejectionOfProblem(outcome.problem)
    const results = outcome.results.map((each) => {
      const note = input.notes?.[each.trade_date]
      return { ...each, data_time: closeOf(each.trade_date), realtime: false, ...(note !== undefined && { data_note: note }) }
    })
    return { ok: true, value: { results } }
  },

  binning({ whole: panel }, market, { body }, _available, { stopped }) {
    const steps = binning(panel, market, body)
    let step = steps.next()
    while (!step.done) {
      if (stopped()) return rejection(errorCodes.cancelled)
      step = steps.next()
    }
    return step.value.ok ? { ok: true, value: step.value.result } : rejectionOfProblem(step.value.problem)
  },

  quick({ whole: panel }, market, { parameters, settings }) {
    const began = performance.now()
    const outcome = quickBacktest(panel, market, { parameters, settings })
    return outcome.ok ? { ok: true, value: { ...outcome.result, elapsed_ms: elapsed(began) } } : rejectionOfProblem(outcome.problem)
  },

  grid({ whole: panel }, market, { parameters, settings, axes, oos, budgetMs }, _available, { stopped, offer }) {
    const began = performance.now()
    const steps = grid(panel, market, { parameters, settings }, axes, oos, offer)
    let step = steps.next()
    while (!step.done) {
      if (stopped()) return rejection(errorCodes.cancelled)
      step = steps.next(performance.now() - began > budgetMs)
    }
    return step.value.ok
      ? { ok: true, value: { ...step.value.result, elapsed_ms: elapsed(began) } }
      : rejectionOfProblem(step.value.problem)
  },

  checks({ whole: panel }, market, { parameters, settings, axes, own, trials, report, budgetMs }, _available, { stopped, offer }) {
    const began = performance.now()
    const steps = grid(panel, market, { parameters, settings }, axes, undefined, offer)
    let step = steps.next()
    while (!step.done) {
      if (stopped()) return rejection(errorCodes.cancelled)
      step = steps.next(performance.now() - began > budgetMs)
    }
    if (!step.value.ok) return rejectionOfProblem(step.value.problem)
    const { result } = step.value
    if (result.partial) return rejection(errorCodes.computeTimeout)
    const [rows, columns] = axes
    const sharpe = rows.values.map(() => columns.values.map((): number | null => null))
    for (const { index, metrics } of result.cells) sharpe[index[0]!]![index[1]!] = metrics.sharpe
    const stored = judged(storedReportOf(report) as Judgeable)
    const robustness = judgedWithGrid(stored, {
      trials,
      pbo: result.robustness.pbo,
      neighbourStd: result.stability.find(({ index }) => index.join() === own.join())?.neighbour_std ?? null,
      sharpes: sharpe.flat().filter((value) => value !== null),
    })
    const best = result.best?.index
    const checked = { axes: [...axes], sharpe, best: best ? ([best[0]!, best[1]!] as [number, number]) : null, own }
    const verdict = verdictInShort({ ...stored, robustness })
    return { ok: true, value: { robustness, grid: checked, verdict, elapsed_ms: elapsed(began) } }
  },

  running({ whole: panel }, market, { factors }) {
    const results = factors.map((one): Calls['running']['output'][number] => {
      const began = performance.now()
      const outcome = previewFactor(panel, market, one)
      if (outcome.ok) return { ...outcome.preview, elapsed_ms: Math.round((performance.now() - began) * 10) / 10 }
      return { formula: one.factor, ...rejectionOf(outcome.problem) }
    })
    return { ok: true, value: results }
  },

  crossSection({ whole: panel }, market, input, _available, host) {
    const day = dayOf(panel, input.date)
    if (day < 0) return rejection(errorCodes.invalidDates)
    const outcome = crossSection(panel, market, input.refs, day)
    if (!outcome.ok) return rejectionOfProblem(outcome.problem)
    const { columns, codes, values } = outcome
    const facts = input.facts ? { facts: factsOnWire(market, standingOn(panel, day).section(market).facts) } : {}
    const remarks = input.remarks ? { price_remarks: priceRemarks(panel, market, input.refs) } : {}
    const date = panel.dates[day]!
    return { ok: true, value: { trade_date: date, columns, codes, values, ...remarks, ...facts, data_time: timeOf(date, host) } }
  },

  securityFactors(newest, market, input, available, host) {
    const known = securityFactors(newest, market, input.code)
    if (!known) return { ok: true, value: null }
    const time = { data_time: timeOf(known.trade_date, host) }
    if (input.history === 0) return { ok: true, value: { ...known, ...time } }
    const panel = isHistoryRecent(input, market, available) ? newest.recent : newest.whole
    const refs = input.refs.length > 0 ? input.refs : listColumns(market, available).map(({ ref }) => ref)
    const outcome = securityHistory(panel, market, input.code, refs, Math.max(0, panel.dates.length - input.history))
    return outcome.ok ? { ok: true, value: { ...known, history: outcome.history, ...time } } : rejectionOfProblem(outcome.problem)
  },

  coverage(newest, market, { refs }) {
    const shares = coverageOf(newest, market, refs)
    return { ok: true, value: refs.map((ref) => shares.get(ref) ?? null) }
  },

  figures({ whole: panel }, market, { series, history }, available, host) {
    const day = panel.dates.length - 1
    const items = marketFigures(panel, market, namesOf(market, available), series, day, history)
    const date = panel.dates[day]!
    return {
      ok: true,
      value: { trade_date: date, data_mode: panel.dataMode, data_version: panel.dataVersion, items, ...timed(date, host) },
    }
  },

  glance({ whole: panel }, market, input) {
    const outcome = glance(panel, market, input)
    return outcome.ok ? { ok: true, value: outcome.glance } : rejectionOfProblem(outcome.problem)
  },

  partsAgain: ({ whole }, market, { run, parts }, _available, host) => partsAgain(run, parts, againOn(whole, market, host)),

  dayAgain: ({ whole }, market, { run, date }, _available, host) => dayAgain(run, date, againOn(whole, market, host)),

  coreOfReport: ({ whole }, market, { run, report }, _available, host) => coreOfReport(run, report, againOn(whole, market, host)),

  factors(newest, market, { scope }, available) {
    const { dates } = newest.recent
    return { ok: true, value: { factors: coveredFactors(newest, market, available, scope), trade_date: dates[dates.length - 1] ?? '' } }
  },
}

const againOn = (panel: Panel, market: Market, { kept, stopped, mismatch }: Host): Again => ({
  ...{ panel, market, stopped, mismatch },
  ...{ kept: kept.runs, key: kept.key },
})

/** The screen that stays on the day last asked for of each panel: columns and orders are made once for all who ask. */
const standing = new WeakMap<Panel, { day: number; section: ReturnType<typeof sectionsOf>; screen: IncrementalScreen }>()

function standingOn(panel: Panel, day: number) {
  const known = standing.get(panel)
  if (known?.day === day) return known
  const made = { day, section: sectionsOf(panel, day), screen: new IncrementalScreen(markets[panel.kind]) }
  standing.set(panel, made)
  return made
}

/** Computes an interactive call; the value is JSON, packed where that was asked for, ready to be sent. */
export function answer(
  work: Exclude<Work, { call: 'backtest' | 'storedParts' }>,
  newest: Newest,
  market: Market,
  available: ReadonlySet<string>,
  host: Host,
): Outcome<Uint8Array> {
  // One line for all calls: the pair of name and input is known to match, which a union of functions cannot say.
  const call = answers[work.call] as (...given: [Newest, Market, unknown, ReadonlySet<string>, Host]) => Outcome<unknown>
  const outcome = call(newest, market, work.input, available, host)
  return outcome.ok ? { ok: true, value: written(outcome.value, work.packing) } : outcome
}

/** The same of what reads no data. */
export const answerAlone = ({ input, packing }: Extract<Work, { call: 'storedParts' }>): Uint8Array =>
  written(storedParts(input.report, input.parts), packing)

/** Bytes of their own: they change threads with their memory. */
const written = (value: unknown, packing: Packing | undefined): Uint8Array =>
  packing ? new Uint8Array(packJsonNow(value, packing)) : new TextEncoder().encode(JSON.stringify(value))

/** The day of a date: the last trading day on or before it, −1 before the first. Without a date the last day. */
function dayOf(panel: Panel, date: string | null | undefined): number {
  const { dates } = panel
  let day = dates.length - 1
  if (date) while (day >= 0 && dates[day]! > date) day--
  return day
}

const curvePoints = 400
/** Most warnings sent with the result; the report holds all of them. */
const toldWarnings = 20

/**
 * Computes a run. `tell` gets its progress, at most every `every` milliseconds of `clock`; `stopped` is asked between two steps.
 * null = stopped on the way. The run is kept for what is asked of it next.
 */
export function compute(
  panel: Panel,
  market: Market,
  input: BacktestInput,
  to: { tell(items: RunProgress[]): void; stopped(): boolean; clock(): number; every: number; kept: Host['kept'] },
): Outcome<FinishedRun> | null {
  const steps = toStored(panel, market, input, to.kept)
  let last: Extract<RunProgress, { type: 'progress' }> | null = null
  let curve: Extract<RunProgress, { type: 'curve' }> = emptyCurve()
  let lastSent = to.clock()
  let warnings = 0
  // The engine names its stage at every step; each stage is sent once.
  let stage: Extract<BacktestProgress, { stage: string }>['stage'] | null = null
  const flush = () => {
    if (!last) return
    const items: RunProgress[] = [last]
    for (let at = 0; at < curve.dates.length; at += curvePoints) {
      const part = <T>(values: T[]) => values.slice(at, at + curvePoints)
      items.push({ type: 'curve', dates: part(curve.dates), nav: part(curve.nav), bench: part(curve.bench) })
    }
    to.tell(items)
    last = null
    curve = emptyCurve()
    lastSent = to.clock()
  }

  for (;;) {
    if (to.stopped()) {
      steps.return(undefined as never)
      return null
    }
    const step = steps.next()
    if (step.done) {
      flush()
      return step.value
    }
    const progress = step.value
    if ('warning' in progress) {
      if (warnings++ < toldWarnings) to.tell([{ type: 'warning', message: progress.warning }])
      continue
    }
    if (progress.stage !== stage) {
      flush()
      stage = progress.stage
      to.tell([{ type: 'stage', stage }])
    }
    if (progress.stage !== 'simulate') continue
    const { percent, date, nav, bench, hold, trades } = progress
    last = { type: 'progress', percent, date, nav, bench, hold, trades }
    curve.dates.push(...progress.curve.dates)
    curve.nav.push(...progress.curve.nav)
    curve.bench.push(...progress.curve.bench)
    if (to.clock() - lastSent >= to.every) flush()
  }
}

const emptyCurve = (): Extract<RunProgress, { type: 'curve' }> => ({ type: 'curve', dates: [], nav: [], bench: [] })

/** The steps of a run to what is stored of it. */
function* toStored(
  panel: Panel,
  market: Market,
  input: BacktestInput,
  kept: Host['kept'],
): Generator<BacktestProgress, Outcome<FinishedRun>> {
  const simulation = yield* simulating(panel, market, input)
  if (!simulation.ok) return rejectionOfProblem(simulation.problem)
  const { run } = simulation
  const making = run.core()
  let made = making.next()
  while (!made.done) {
    yield { stage: 'report' }
    made = making.next()
  }
  const { core: report, series } = made.value
  const ledger = ledgerHash(run)
  kept.runs.keep(input.runId, kept.key, { run, ledger })
  const core = encodeCore({ ...input.about, ...report, partial: false }, series)
  const stored = { core: new Uint8Array(core), ledger: new Uint8Array(ledger), spark: sparkOf(series.nav) }
  return { ok: true, value: { metrics: report.metrics, verdict: verdictInShort(report), ...stored } }
}
