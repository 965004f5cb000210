import { isSynthetic } from '@convexa/contract/enums/data-mode'
import { metricLabel } from '@convexa/contract/enums/metric'
import type { Report, ReportCore } from '@convexa/contract/report'
import type { SheetCell } from '../../../ui/table/sheet.ts'
import type { WorkbookSheet } from '../../../ui/table/xlsx.ts'
import { sourcesOfRun } from '../../data-status/source-text.ts'
import { asPercent, demoNotice, riskNotice } from '../files.ts'
import { isFractional, metricGroups, shownMetrics } from '../metric-rows.ts'
import { reasonWords } from '../reasons.ts'
import { trialWords } from '../robustness/check-text.ts'
import { chipsOfReport, chipText, firstLine, robustnessTitle, secondLine, trustLine } from '../robustness/verdict-text.ts'
import { neverBought, plainText } from '../sentences.ts'
import { relative } from '../series.ts'
import { shownTrades } from '../trade-text.ts'

/** A report as tables for a spreadsheet: what it is first, then every table of the page, numbers as numbers. */
export function workbookOf(report: ReportCore & Pick<Report, 'trades'>, benchName: string, unit: string): WorkbookSheet[] {
  const { curves, benchmark_metrics: bench } = report
  const { metrics, oos } = shownMetrics(report)
  const idle = neverBought(report)
  const ratio = relative(curves.nav, curves.bench)
  const metricRows = metricGroups.flatMap(({ keys, ofBench }) =>
    keys.map((key): SheetCell[] => {
      const percent = isFractional(key)
      const cell = (value: number | null | undefined) => (percent ? asPercent(value) : (value ?? null))
      const name = report.metric_meta[key]?.label ?? metricLabel(key)
      return [
        percent ? `${name}(%)` : name,
        cell(metrics[key]),
        ofBench ? cell(bench[key]) : null,
        cell(oos?.[key]),
        report.metric_meta[key]?.formula ?? '',
      ]
    }),
  )
  const periods = (rows: Report['yearly']): SheetCell[][] =>
    rows.map((row) => [
      row.period,
      row.start,
      row.end,
      asPercent(row.nav_return),
      asPercent(row.bench_return),
      asPercent(row.excess),
      asPercent(row.max_drawdown),
      asPercent(row.volatility),
      asPercent(row.win_rate),
      row.turnover,
      row.partial ? '不完整' : '',
    ])
  const periodHeads = ['周期', '开始', '结束', '策略(%)', '基准(%)', '超额(%)', '最大回撤(%)', '波动(%)', '胜率(%)', '换手(倍)', '说明']
  return [
    {
      name: '摘要',
      rows: [
        ['项目', '内容'],
        ['名称', report.name],
        ['区间', `${report.metrics.start_date} ~ ${report.metrics.end_date}`],
        ['基准', benchName],
        ['数据来源', sourcesOfRun(report).join('、')],
        ['数据版本', report.data_version],
        ['引擎版本', report.engine_version],
        ['参数哈希', report.params_hash],
        ...answerRows(report),
        ['尝试次数', trialWords(report)],
        ...(report.trades.length < report.trades_total ? [['交易', shownTrades(report)]] : []),
        ...(isSynthetic(report.data_mode) ? [['数据', demoNotice]] : []),
        ['声明', riskNotice],
        ...report.assumptions.map(({ label, text }) => [label, text]),
      ],
    },
    { name: '指标', rows: [['指标', '策略', '基准', '样本外', '公式'], ...metricRows] },
    {
      name: '每日净值',
      rows: [
        ['日期', '策略净值', '基准净值', '策略÷基准', '回撤(%)', '不扣成本净值', '持仓(只)', '仓位(%)', '换手(%)', '成本(元)'],
        ...curves.dates.map((date, i): SheetCell[] => [
          date,
          curves.nav[i],
          curves.bench[i],
          ratio[i],
          asPercent(curves.drawdown[i]),
          report.gross_nav[i],
          curves.hold_count[i],
          asPercent(curves.exposure[i]),
          asPercent(curves.turnover[i]),
          curves.cost[i],
        ]),
      ],
    },
    { name: '年度', rows: [periodHeads, ...periods(report.yearly)] },
    { name: '月度', rows: [periodHeads, ...periods(report.monthly)] },
    {
      name: '回撤',
      rows: [
        ['峰', '谷', '恢复', '幅度(%)', '下跌(日)', '恢复(日)', '当时基准(%)'],
        ...report.drawdowns.map((one): SheetCell[] => [
          one.peak,
          one.trough,
          one.end ?? '未恢复',
          asPercent(one.depth),
          one.down_days,
          one.recover_days,
          asPercent(one.bench_return),
        ]),
      ],
    },
    {
      name: '交易',
      rows: [
        [
          '日期',
          '代码',
          '名称',
          '方向',
          `数量(${unit})`,
          '成交价(元)',
          '金额(元)',
          '费用(元)',
          '收益(元)',
          '收益率(%)',
          '持有(日)',
          '原因',
          '说明',
        ],
        ...report.trades.map((row): SheetCell[] => [
          row.date,
          row.code,
          row.name,
          row.side === 'buy' ? '买入' : '卖出',
          row.volume,
          row.price,
          row.amount,
          row.fee,
          row.pnl,
          asPercent(row.return_),
          row.days_held,
          reasonWords[row.reason],
          row.reason_text,
        ]),
      ],
    },
    {
      name: '贡献',
      rows: [
        ['代码', '名称', '贡献(%)', '盈亏(元)', '持有(日)', '成交(笔)', '行业', '评级'],
        ...report.contributions.map((one): SheetCell[] => [
          one.code,
          one.name,
          asPercent(one.share),
          one.pnl,
          one.days,
          one.trades,
          one.industry ?? '',
          one.rating ?? '',
        ]),
      ],
    },
    {
      // A sheet's name holds no colon.
      name: '靠谱吗',
      rows: [
        ['检查', '数值', '标准', '结果', '说明'],
        ...(idle ? [] : report.robustness.checks).map((one): SheetCell[] => [
          one.label,
          one.value,
          one.threshold,
          one.ok === null ? '没查' : one.ok ? '通过' : '没通过',
          one.sentence,
        ]),
      ],
    },
  ]
}

/** Both answers: what the market would have given, and whether the figures can be believed; the states never one alone. */
function answerRows(report: ReportCore): SheetCell[][] {
  const { worth, settings, metrics } = report
  const chips = report.partial || neverBought(report) ? null : chipsOfReport(report)
  if (!worth || !chips) return []
  return [
    ['结论', chipText(chips)],
    ['跑赢了吗', plainText(firstLine(worth, settings.capital, metrics.days))],
    ['', plainText(secondLine(worth, settings.capital, metrics.days))],
    [robustnessTitle(report), trustLine(report)],
  ]
}
