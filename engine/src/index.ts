export { type BacktestOutcome, type BacktestProgress, backtest, type SimulationOutcome, simulated } from './backtest/backtest.ts'
export { backtestGroup, simulatedGroup } from './backtest/group.ts'
export { quickBacktest } from './backtest/quick.ts'
export type { SimulatedRun } from './backtest/simulated-run.ts'
export { dayNumber, monthsLater } from './base/calendar.ts'
export { roundHalfUp, type TradingRules, usualRules } from './base/dated-rules.ts'
export { namedList } from './base/named-list.ts'
export { engineVersion, versionUnder } from './base/version.ts'
export { binning } from './binning/binning.ts'
export { binningNeeds } from './binning/pool.ts'
export { cashFlows, yieldAt } from './bond/cash-flows.ts'
export { type Counted, presumedSince, redeemCounts, resetCount } from './bond/counters.ts'
export { noticeAhead, noticeOfEnd } from './bond/notices-of-end.ts'
export { isRate } from './bond/rating-yields.ts'
export { redemptionOf } from './bond/redemption.ts'
export { callState, callStatus } from './bond/status.ts'
export {
  compile,
  compileRef,
  type Expression,
  evaluate,
  type FunctionArgument,
  formulaOf,
  functionTable,
  limits as formulaLimits,
  type Names,
  namesOf,
  type Problem,
  statedKeys,
} from './expression/index.ts'
export { changed, cornersOf, type GridRequest } from './grid/axes.ts'
export { type CheckAxes, checkAxes } from './grid/check-grid.ts'
export { grid } from './grid/grid.ts'
export { helpGrid, type SharedGridWork } from './grid/grid-helper.ts'
export { askedToLeave, atWork, maxHelpers, nobody } from './grid/shared-grid.ts'
export { doublesOf, Singles } from './kernels/single.ts'
export { storedFor } from './market/derived-columns.ts'
export { exitsOf } from './market/exit-dates.ts'
export { markets, withOwn } from './market/index.ts'
export {
  type CustomFactor,
  callStatuses,
  type Field,
  type Market,
  type QuoteNumber,
  quoteNumbers,
  ratings,
} from './market/market.ts'
export { needsOf } from './needs/needs.ts'
export type { Announcement, AnnouncementKind, BondTerms, Clause } from './panel/bond-terms.ts'
export { lapseDays, supersedes, unknownTerms } from './panel/bond-terms.ts'
export { bears, placesByCode } from './panel/codes.ts'
export { datedKeys, textOn, textsOf } from './panel/dated.ts'
export type { DatedFact } from './panel/dated-fact.ts'
export { type ExPrices, exTradeOf, fitsPayments } from './panel/ex-days.ts'
export { type KnownLastDay, lastDayOn, lastDaysOf, withLastDay } from './panel/last-day.ts'

export {
  carryForward,
  carryThrough,
  clearUnlisted,
  type ExDay,
  equalWeight,
  equalWeightChange,
  fillUntraded,
  idleCells,
  type MissingBars,
  type Panel,
  type Security,
  type Trading,
} from './panel/panel.ts'
export {
  isQuarterEnd,
  joinStatements,
  noReports,
  pickStatements,
  quarterOf,
  type Statement,
  type StatementHistory,
  statementHistoryOf,
} from './panel/statements.ts'
export { availableIn, factsOf } from './panel-views/available.ts'
export { isRecent, type Newest, panelFrom, reachBack, recentDays } from './panel-views/recent.ts'
export { layToday, type Quotes, todayReads, withToday } from './panel-views/today.ts'
export { type DailySeries, dailyMembers, withDailyFigures } from './report/daily-figures.ts'
export { type ComputedSummary, type GlanceRequest, glance, glanceFields, type OutOfSampleTrack } from './report/glance.ts'
export { ledgerParts, withParts } from './report/ledger-parts.ts'
export type { CoreMembers, CoreReport, EngineReport } from './report/report.ts'
export { type Judgeable, judged, verdictInShort } from './report/robustness/judged.ts'
export { judgedWithGrid } from './report/robustness/robustness.ts'
export { type Ruled, ruleName } from './report/rule-name.ts'
export type { CrossSection } from './screen/cross-section.ts'
export { type FactorPreviewRequest, previewColumns, previewFactor } from './screen/factor-preview.ts'
export { coverageOf, coveredFactors, crossSection, factorList, securityFactors, securityHistory } from './screen/factors.ts'
export { figuresOf, marketFigures } from './screen/figures.ts'
export { type HistoryRequest, historyScreen, returnPrice } from './screen/history.ts'
export { IncrementalScreen } from './screen/incremental-screen.ts'
export { listColumns } from './screen/list-columns.ts'
export { sectionsOf } from './screen/panel-section.ts'
export { priceRemarks } from './screen/price-levels.ts'
export { screen } from './screen/screen.ts'
export { answerOf } from './screen/screened.ts'
export { weigh } from './screen/weigh.ts'
export { factsOnWire, judgedFields } from './screen/wire-section.ts'
// The inner steps of a backtest, for what runs many on one ranking and for measuring.
export type { Ledger } from './simulation/ledger.ts'
export { prepare } from './simulation/prepare.ts'
export type { BacktestRequest, GroupRequest } from './simulation/request.ts'
export { simulate } from './simulation/simulate.ts'
