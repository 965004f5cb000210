import { z } from 'zod'
import { BacktestAsked, BacktestEvent, BacktestListItem, BacktestListQuery } from './backtest.ts'
import { BinningBody, BinningResult } from './binning.ts'
import { DataSheet, DataSheetQuery, DataSources, DataSourcesQuery } from './data-sheet.ts'
import { endpoint } from './endpoint.ts'
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
import { MarketFigures, MarketFiguresQuery, SecurityOption, type WireMarket, wireMarkets } from './market.ts'
import { DayDetail, Report } from './report.ts'
import { Checks } from './robustness.ts'
import { strategyCalls } from './saved-strategy.ts'
import { Id, lines } from './scalars.ts'
import { HistoryScreenBody, HistoryScreenResult, RealtimeScreenBody, ScreenResult } from './screen.ts'
import { shareCalls } from './share.ts'
import { groupCalls } from './strategy-group.ts'

/** The twin endpoints of the specification, written once. */
function quant(market: WireMarket) {
  const at = (path: string) => `/v1/quant/${market.segment}${path}`
  return {
    options: endpoint({
      method: 'GET',
      path: at('/options'),
      summary: `${market.label}列表`,
      auth: market.optionsNeedLogin,
      data: z.array(SecurityOption),
    }),
    factors: endpoint({
      method: 'GET',
      path: at('/factors/{id}'),
      summary: `${market.label}因子，按范围或代码`,
      params: z.object({ id: z.string().min(1).max(20) }),
      query: SecurityFactorsQuery,
      data: z.union([z.array(FactorMeta), SecurityFactors]),
    }),
    realtimeFactors: endpoint({
      method: 'GET',
      path: at('/realtime-factors'),
      summary: `${market.label}实时因子`,
      query: RealtimeFactorsQuery,
      data: RealtimeFactors,
    }),
    addFactor: endpoint({
      method: 'POST',
      path: at('/customized-factors'),
      summary: `新建${market.label}自定义因子`,
      body: CustomizedFactorBody,
      data: CustomizedFactor,
    }),
    changeFactor: endpoint({
      method: 'PUT',
      path: at('/customized-factors/{id}'),
      summary: `修改${market.label}自定义因子`,
      params: z.object({ id: Id }),
      body: CustomizedFactorBody,
      data: CustomizedFactor,
    }),
    factorVersions: endpoint({
      method: 'GET',
      path: at('/customized-factors/{id}/versions'),
      summary: `${market.label}自定义因子的历次公式`,
      params: z.object({ id: Id }),
      data: FactorVersions,
    }),
    removeFactor: endpoint({
      method: 'DELETE',
      path: at('/customized-factors/{id}'),
      summary: `删除${market.label}自定义因子`,
      params: z.object({ id: Id }),
      query: z.object({ force: z.enum(['0', '1']).optional() }),
      data: z.object({}),
    }),
    market: endpoint({
      method: 'GET',
      path: at('/market'),
      summary: `${market.label}市场概况`,
      query: MarketFiguresQuery,
      data: MarketFigures,
    }),
    dataSheet: endpoint({
      method: 'GET',
      path: at('/data'),
      summary: `${market.label}数据说明：来源、版本、覆盖率`,
      query: DataSheetQuery,
      data: DataSheet,
    }),
    dataSources: endpoint({
      method: 'GET',
      path: at('/data/sources'),
      summary: `${market.label}某一数据版本的来源`,
      query: DataSourcesQuery,
      data: DataSources,
    }),
    realtimeScreen: endpoint({
      method: 'POST',
      path: at('/realtime-screen'),
      summary: `${market.label}实时筛选`,
      timeout: 60,
      body: RealtimeScreenBody,
      data: ScreenResult,
    }),
    historyScreen: endpoint({
      method: 'POST',
      path: at('/history-screen'),
      summary: `${market.label}历史筛选`,
      timeout: 60,
      body: HistoryScreenBody,
      data: HistoryScreenResult,
    }),
    binning: endpoint({
      method: 'POST',
      path: at('/binning'),
      summary: `${market.label}分箱分析`,
      timeout: 60,
      body: BinningBody,
      data: BinningResult,
    }),
    quickBacktest: endpoint({
      method: 'POST',
      path: at('/quick-backtest'),
      summary: `${market.label}速览回测`,
      body: QuickBacktestBody,
      data: QuickBacktestResult,
    }),
    backtest: endpoint({
      method: 'POST',
      path: at(`/${market.backtestPath}`),
      summary: `${market.label}回测（流）`,
      stream: true,
      body: BacktestAsked,
      data: BacktestEvent,
    }),
    backtestDetail: endpoint({
      method: 'GET',
      path: at(`/backtest/{id}/detail/{${market.detailParam}}`),
      summary: `${market.label}回测某日明细，或 report`,
      params: z.object({ id: Id, [market.detailParam]: z.string().max(20) } as { id: typeof Id; id2: z.ZodString; date: z.ZodString }),
      data: z.union([DayDetail, Report]),
    }),
    checks: endpoint({
      method: 'POST',
      path: at('/backtest/{id}/checks'),
      summary: `${market.label}回测补查：用参数网格补算检查`,
      timeout: 60,
      params: z.object({ id: Id }),
      data: Checks,
    }),
    ...strategyCalls(market),
    ...groupCalls(market),
  }
}

export const quantShared = {
  /** Bonds only, as the specification has it. */
  gridBacktest: endpoint({
    method: 'POST',
    path: '/v1/quant/convertible-bond/grid-backtest',
    summary: '参数网格',
    timeout: 60,
    body: GridBody,
    data: GridResult,
  }),
  factorRunning: endpoint({
    method: 'POST',
    path: '/v1/quant/{id}/customized-factor/running',
    summary: '试算因子',
    timeout: 60,
    params: z.object({ id: z.enum(['convertible-bond', 'stock']) }),
    body: FactorRunningBody,
    data: FactorRunningResult,
  }),
  backtestList: endpoint({
    method: 'GET',
    path: '/v1/quant/backtest/list',
    summary: '回测历史',
    query: BacktestListQuery,
    data: page(BacktestListItem),
  }),
  noteBacktest: endpoint({
    method: 'PUT',
    path: '/v1/quant/backtest/{id}/note',
    summary: '回测备注',
    params: z.object({ id: Id }),
    body: z.strictObject({ note: lines(200) }),
    data: z.object({}),
  }),
  removeBacktest: endpoint({
    method: 'DELETE',
    path: '/v1/quant/backtest/{id}',
    summary: '删除回测',
    params: z.object({ id: Id }),
    data: z.object({}),
  }),
  ...shareCalls,
}

/** The endpoints of both markets by kind. */
export const quantOf = { cb: quant(wireMarkets.cb), stk: quant(wireMarkets.stk) }
