import { z } from 'zod'
import { BacktestAsked, BacktestEvent, BacktestListItem, BacktestListQuery, RunQuestion, RunRetention } from './backtest.ts'
import { BinningBody, BinningResult } from './binning.ts'
import { callTable } from './call-table.ts'
import { DataSheet, DataSheetQuery, DataSources, DataSourcesQuery } from './data-sheet.ts'
import { endpoint } from './endpoint.ts'
import { byMarket, type MarketId, type MarketSegment, marketIds, markets } from './enums/market.ts'
import { page } from './envelope.ts'
import {
  CustomizedFactor,
  CustomizedFactorBody,
  FactorMeta,
  FactorRunningBody,
  FactorRunningResult,
  FactorVersions,
  RealtimeFactors,
  RealtimeFactorsQuery,
  SecurityFactors,
  SecurityFactorsQuery,
} from './factor.ts'
import { GridBody, GridResult, QuickBacktestBody, QuickBacktestResult } from './grid.ts'
import { MarketFigures, MarketFiguresQuery, SecurityOption } from './market.ts'
import { DayDetail, Report, ReportParts, ReportQuery } from './report.ts'
import { Checks } from './robustness.ts'
import { strategyCalls } from './saved-strategy.ts'
import { Id, lines } from './scalars.ts'
import { HistoryScreenBody, HistoryScreenResult, RealtimeScreenBody, ScreenResult } from './screen.ts'
import { shareCalls } from './share.ts'
import { groupCalls } from './strategy-group.ts'

/** The twin endpoints of the specification, written once. */
function quant(id: MarketId) {
  const calls = callTable[id]
  const { label, detailParam } = markets[id]
  return {
    options: endpoint(calls.options, {
      summary: `${label}列表`,
      data: z.array(SecurityOption),
    }),
    factors: endpoint(calls.factors, {
      summary: `${label}因子，按范围或代码`,
      params: z.object({ id: z.string().min(1).max(20) }),
      query: SecurityFactorsQuery,
      data: z.union([z.array(FactorMeta), SecurityFactors]),
    }),
    realtimeFactors: endpoint(calls.realtimeFactors, {
      summary: `${label}实时因子`,
      query: RealtimeFactorsQuery,
      data: RealtimeFactors,
    }),
    addFactor: endpoint(calls.addFactor, {
      summary: `新建${label}自定义因子`,
      body: CustomizedFactorBody,
      data: CustomizedFactor,
    }),
    changeFactor: endpoint(calls.changeFactor, {
      summary: `修改${label}自定义因子`,
      params: z.object({ id: Id }),
      body: CustomizedFactorBody,
      data: CustomizedFactor,
    }),
    factorVersions: endpoint(calls.factorVersions, {
      summary: `${label}自定义因子的历次公式`,
      params: z.object({ id: Id }),
      data: FactorVersions,
    }),
    removeFactor: endpoint(calls.removeFactor, {
      summary: `删除${label}自定义因子`,
      params: z.object({ id: Id }),
      query: z.object({ force: z.enum(['0', '1']).optional() }),
      data: z.object({}),
    }),
    market: endpoint(calls.market, {
      summary: `${label}市场概况`,
      query: MarketFiguresQuery,
      data: MarketFigures,
    }),
    dataSheet: endpoint(calls.dataSheet, {
      summary: `${label}数据说明：来源、版本、覆盖率`,
      query: DataSheetQuery,
      data: DataSheet,
    }),
    dataSources: endpoint(calls.dataSources, {
      summary: `${label}某一数据版本的来源`,
      query: DataSourcesQuery,
      data: DataSources,
    }),
    realtimeScreen: endpoint(calls.realtimeScreen, {
      summary: `${label}实时筛选`,
      body: RealtimeScreenBody,
      data: ScreenResult,
    }),
    historyScreen: endpoint(calls.historyScreen, {
      summary: `${label}历史筛选`,
      body: HistoryScreenBody,
      data: HistoryScreenResult,
    }),
    binning: endpoint(calls.binning, {
      summary: `${label}分箱分析`,
      body: BinningBody,
      data: BinningResult,
    }),
    quickBacktest: endpoint(calls.quickBacktest, {
      summary: `${label}速览回测`,
      body: QuickBacktestBody,
      data: QuickBacktestResult,
    }),
    backtest: endpoint(calls.backtest, {
      summary: `${label}回测（流）`,
      body: BacktestAsked,
      data: BacktestEvent,
    }),
    backtestDetail: endpoint(calls.backtestDetail, {
      summary: `${label}回测某日明细，或 report`,
      params: z.object({ id: Id, [detailParam]: z.string().max(20) } as { id: typeof Id; id2: z.ZodString; date: z.ZodString }),
      query: ReportQuery,
      data: z.union([DayDetail, Report, ReportParts]),
    }),
    checks: endpoint(calls.checks, {
      summary: `${label}回测补查：用参数网格补算检查`,
      params: z.object({ id: Id }),
      data: Checks,
    }),
    ...strategyCalls(id),
    ...groupCalls(id),
  }
}

const segments = marketIds.map((id) => markets[id].segment) as [MarketSegment, ...MarketSegment[]]

export const quantShared = {
  /** Bonds only, as the specification has it. */
  gridBacktest: endpoint(callTable.quant.gridBacktest, {
    summary: '参数网格',
    body: GridBody,
    data: GridResult,
  }),
  factorRunning: endpoint(callTable.quant.factorRunning, {
    summary: '试算因子',
    params: z.object({ id: z.enum(segments) }),
    body: FactorRunningBody,
    data: FactorRunningResult,
  }),
  backtestList: endpoint(callTable.quant.backtestList, {
    summary: '回测历史',
    query: BacktestListQuery,
    data: page(BacktestListItem),
  }),
  noteBacktest: endpoint(callTable.quant.noteBacktest, {
    summary: '回测备注',
    params: z.object({ id: Id }),
    body: z.strictObject({ note: lines(200) }),
    data: z.object({}),
  }),
  /** 21005 beyond the number that the plan allows. */
  favouriteBacktest: endpoint(callTable.quant.favouriteBacktest, {
    summary: '收藏回测，或取消收藏',
    params: z.object({ id: Id }),
    body: z.strictObject({ on: z.boolean() }),
    data: z.object({}),
  }),
  backtestQuestion: endpoint(callTable.quant.backtestQuestion, {
    summary: '回测的参数与指标',
    params: z.object({ id: Id }),
    data: RunQuestion,
  }),
  retention: endpoint(callTable.quant.retention, { summary: '回测结果的保留期限', data: RunRetention }),
  removeBacktest: endpoint(callTable.quant.removeBacktest, {
    summary: '删除回测',
    params: z.object({ id: Id }),
    data: z.object({}),
  }),
  ...shareCalls,
}

/** The endpoints of both markets by kind. */
export const quantOf = byMarket(quant)
