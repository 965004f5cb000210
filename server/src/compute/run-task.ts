import { gunzipSync } from 'node:zlib'
import type { DayDetail, MarketId, Report } from '@convexa/contract'
import { errorCodes } from '@convexa/contract/enums/error-code'
import {
  answerOf,
  type BacktestProgress,
  backtest,
  backtestGroup,
  binning,
  coverageOf,
  coveredFactors,
  crossSection,
  type EngineReport,
  factsOnWire,
  glance,
  grid,
  historyScreen,
  IncrementalScreen,
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
import type { CallName, Calls } from '../context/compute.ts'
import { packJson, packJsonNow } from '../http/packed-json.ts'
import type { BacktestInput, FinishedRun, Outcome, RunProgress, Work } from './protocol.ts'
import { rejection, rejectionOf, rejectionOfProblem } from './rejection.ts'
import { isHistoryRecent } from './required-data.ts'

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
}

/** The time of an answer's data: of its quotes where it is of the day that is not over. */
const timeOf = (date: string, { quotedAt }: Host): string => quotedAt ?? closeOf(date)
const timed = (date: string, host: Host) => ({ data_time: timeOf(date, host), realtime: host.quotedAt !== undefined })

/** The interactive calls by name. */
const answers: { [N in CallName]: Answer<N> } = {
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
    const stored = judged(unpacked(report))
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

  factors(newest, market, { scope }, available) {
    const { dates } = newest.recent
    return { ok: true, value: { factors: coveredFactors(newest, market, available, scope), trade_date: dates[dates.length - 1] ?? '' } }
  },
}

/** A report as it is stored. */
function unpacked({ packed, headless }: Calls['checks']['input']['report']): Report {
  const text = gunzipSync(Buffer.from(packed, 'base64')).toString('utf8')
  return JSON.parse(headless ? `{${text}` : text) as Report
}

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
  work: Exclude<Work, { call: 'backtest' }>,
  newest: Newest,
  market: Market,
  available: ReadonlySet<string>,
  host: Host,
): Outcome<Uint8Array> {
  // One line for all calls: the pair of name and input is known to match, which a union of functions cannot say.
  const call = answers[work.call] as (...given: [Newest, Market, unknown, ReadonlySet<string>, Host]) => Outcome<unknown>
  const outcome = call(newest, market, work.input, available, host)
  if (!outcome.ok) return outcome
  const { packing } = work
  // Bytes of their own: they change threads with their memory.
  const bytes = packing ? new Uint8Array(packJsonNow(outcome.value, packing)) : new TextEncoder().encode(JSON.stringify(outcome.value))
  return { ok: true, value: bytes }
}

/** The day of a date: the last trading day on or before it, −1 before the first. Without a date the last day. */
function dayOf(panel: Panel, date: string | null | undefined): number {
  const { dates } = panel
  let day = dates.length - 1
  if (date) while (day >= 0 && dates[day]! > date) day--
  return day
}

/** Days of detail in one stored chunk: small enough to be opened for one day, large enough to compress. */
const chunkDays = 60
const curvePoints = 400
/** Most warnings sent with the result; the report holds all of them. */
const toldWarnings = 20

/**
 * Computes a run. `tell` gets its progress, at most every `every` milliseconds of `clock`; `stopped` is asked between two steps.
 * null = stopped on the way. All is computed before this returns; what is waited for is that it is written and packed.
 */
export async function compute(
  panel: Panel,
  market: Market,
  input: BacktestInput,
  to: { tell(items: RunProgress[]): void; stopped(): boolean; clock(): number; every: number },
): Promise<Outcome<FinishedRun> | null> {
  const { rule, settings, trials } = input
  const steps =
    'group' in rule
      ? backtestGroup(panel, market, { ...rule.group, settings })
      : backtest(panel, market, { parameters: rule.parameters, settings, trials: { count: trials } })
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
      return step.value.ok
        ? { ok: true, value: await finished(step.value.report, step.value.days, input) }
        : rejectionOfProblem(step.value.problem)
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

/** The report and its days as they are stored. */
async function finished(report: EngineReport, days: readonly DayDetail[], { about }: BacktestInput): Promise<FinishedRun> {
  const [packed, pages] = await Promise.all([packJson({ ...about, ...report, partial: false }, 'members'), pagesOf(days)])
  return { metrics: report.metrics, verdict: verdictInShort(report), report: packed, days: pages }
}

/** While one page is packed beside, the next is written; of no more at once, since the texts of a long run are a hundred megabytes. */
async function pagesOf(days: readonly DayDetail[]): Promise<FinishedRun['days']> {
  const count = Math.ceil(days.length / chunkDays)
  const parts = Array.from({ length: count }, (_, k) => days.slice(k * chunkDays, (k + 1) * chunkDays))
  const pages: FinishedRun['days'][number][] = []
  const left = parts.entries()
  const packing = async () => {
    for (const [k, part] of left) pages[k] = { first: part[0]!.trade_date, last: part.at(-1)!.trade_date, bytes: await packJson(part) }
  }
  await Promise.all([packing(), packing()])
  return pages
}
