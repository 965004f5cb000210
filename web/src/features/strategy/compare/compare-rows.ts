import { markets } from '@convexa/contract/enums/market'
import { metricLabel, metrics as metricTable, type MetricRow as RunMetric } from '@convexa/contract/enums/metric'
import type { MetricKey, Metrics } from '@convexa/contract/metrics'
import type { Report } from '@convexa/contract/report'
import { ruleLabels } from '@convexa/contract/rule-labels'
import type { RankFactor } from '@convexa/contract/strategy'
import { missing, plain } from '../../../base/format.ts'
import { writeMetric } from '../../report/metric-rows.ts'
import { otherwise, ruleRows, type Said, saidBy, unusualOf } from '../../rule/backtest-run-difference.ts'
import type { Factors } from '../../rule/factors.ts'
import { interestWords } from '../../rule/interest-text.ts'
import { costWords } from '../../rule/rule-text.ts'
import { filterText } from '../../rule/summary.ts'

interface Cell {
  text: string
  value: number | null
  /** Its colour, where it is a return. */
  signed: boolean
  best: boolean
}

export interface CompareRow {
  key: string
  label: string
  /** Of a metric: its definition can be opened. */
  metric?: MetricKey
  cells: (Cell | null)[]
}

const groups: readonly { title: string; keys: readonly MetricKey[] }[] = [
  {
    title: '收益与风险',
    keys: ['annual_return', 'total_return', 'max_drawdown', 'sharpe', 'recent_1y', 'volatility', 'month_win_rate', 'excess_annual'],
  },
  {
    title: '稳健与交易',
    keys: ['calmar', 'longest_drawdown_days', 'turnover_annual', 'avg_holding_days', 'avg_holdings', 'win_rate'],
  },
]
const outOfSample: readonly (readonly [key: 'sharpe' | 'annual_return', label: string])[] = [
  ['sharpe', '样本外夏普'],
  ['annual_return', '样本外年化'],
]

/** The best of a row, as it is written: equals are all best; of one alone, or where all are alike, none is. */
export function bestOf(texts: readonly (string | null)[], values: readonly (number | null)[], better: RunMetric['better']): boolean[] {
  const there = values.filter((value): value is number => value !== null)
  if (better === null || there.length < 2) return values.map(() => false)
  const top = better === 'high' ? Math.max(...there) : Math.min(...there)
  const written = texts[values.indexOf(top)]
  const best = values.map((value, i) => value !== null && texts[i] === written)
  return best.every((one, i) => one || values[i] === null) ? values.map(() => false) : best
}

function rowOf(metric: MetricKey, label: string, values: readonly (number | null | undefined)[], key: string): CompareRow {
  const given = values.map((value) => value ?? null)
  const texts = given.map((value) => writeMetric(metric, value))
  const best = bestOf(texts, given, metricTable[metric].better)
  // A fall is no return to be coloured.
  const signed = metricTable[metric].signed && metric !== 'max_drawdown'
  return {
    key,
    label,
    metric,
    cells: given.map((value, i) => ({ text: texts[i] ?? missing, value, signed, best: best[i] ?? false })),
  }
}

/** Metrics in groups; a column that is not there yet has null cells. */
export function metricRows(columns: readonly (Metrics | null)[]): { title: string; rows: CompareRow[] }[] {
  const sections = groups.map(({ title, keys }) => ({
    title,
    rows: keys.map((key) =>
      rowOf(
        key,
        metricLabel(key),
        columns.map((metrics) => metrics?.[key]),
        key,
      ),
    ),
  }))
  if (!columns.some((metrics) => metrics?.oos)) return sections
  const more = outOfSample.map(([key, label]) =>
    rowOf(
      key,
      label,
      columns.map((metrics) => metrics?.oos?.[key]),
      `oos ${key}`,
    ),
  )
  return sections.map((group, i) => (i === 1 ? { ...group, rows: [...more, ...group.rows] } : group))
}

type Ruled = Pick<Report, 'kind' | 'parameters' | 'settings' | 'group' | 'left_out_interest'>

/** What a rule says, a line each; of a group its members, and what all share. */
export function rulesOf(report: Ruled, factors: Factors, benchOf: (code: string) => string, dutied: boolean): Map<string, Said> {
  const { parameters, settings, group } = report
  const said = new Map<string, Said>()
  const tell = (label: string, text: string) => said.set(label, { text, content: text })
  if (group) tell('成员', group.members.map(({ name, weight }) => `${name} ${plain(weight * 100)}%`).join('、'))
  if (parameters) {
    const ranks = parameters.rank_factors.filter(({ enable, weight }) => enable && weight > 0)
    tell(ruleLabels.rank_factors, ranks.map((row) => rankName(row, factors)).join('、') || missing)
    tell('方向', ranks.map((row) => (row.prefer === 'small' ? '越小越好' : '越大越好')).join('、') || missing)
    const filters = parameters.filter_factors.filter(({ enable }) => enable)
    tell('条件', filters.map((row) => `${row.action === 'keep' ? '仅保留' : '剔除'} ${filterText(row, factors)}`).join('；') || missing)
    for (const row of ruleRows) said.set(row[0], saidBy(row, { kind: report.kind, parameters, settings }, factors.nameOf))
  }
  tell('区间', `${settings.start_date} ~ ${settings.end_date}`)
  tell('基准', benchOf(settings.benchmark))
  tell('成本', costWords(settings, dutied))
  if (markets[report.kind].redeemed) tell('利息', interestWords(report.left_out_interest) ?? '已计入')
  // Said by those.
  for (const one of ['开始', '结束', ruleLabels.buy_rate, ruleLabels.sell_rate, '滑点', ruleLabels.min_fee]) said.delete(one)
  return said
}

/** `双低 ×2`, `转股溢价率（按行业中性化）` */
function rankName(row: RankFactor, factors: Factors): string {
  const unusual = unusualOf(row)
  return `${factors.nameOf(row.factor_key)}${row.weight === 1 ? '' : ` ×${plain(row.weight)}`}${unusual.length > 0 ? `（${unusual.join('，')}）` : ''}`
}

const nothing: Said = { text: missing, content: '' }

/** One line per thing that any of them says; `different` alone, or all. */
export function ruleRowsOf(columns: readonly (Map<string, Said> | null)[], different: boolean): { rows: CompareRow[]; hidden: number } {
  const there = columns.filter((one) => one !== null)
  const labels = [...new Set(there.flatMap((one) => [...one.keys()]))]
  const rows = labels.map((label): CompareRow => {
    const first = there[0]?.get(label) ?? nothing
    const textIn = (one: Map<string, Said>) => otherwise(one.get(label) ?? nothing, first)
    return { key: label, label, cells: columns.map((one) => one && { text: textIn(one), value: null, signed: false, best: false }) }
  })
  const differ = rows.filter(({ cells }) => new Set(cells.flatMap((cell) => (cell ? [cell.text] : []))).size > 1)
  return different ? { rows: differ, hidden: rows.length - differ.length } : { rows, hidden: 0 }
}

/** What makes the numbers of several runs not comparable, in a word each. */
export function unlike(
  reports: readonly Pick<Report, 'settings' | 'metrics' | 'data_version' | 'engine_version' | 'kind' | 'left_out_interest'>[],
): string[] {
  const differ = (tell: (report: (typeof reports)[number]) => string) => new Set(reports.map(tell)).size > 1
  return [
    differ(({ metrics }) => `${metrics.start_date} ${metrics.end_date}`) && '区间',
    differ(({ settings }) =>
      JSON.stringify([settings.cost.buy_rate, settings.cost.sell_rate, settings.cost.slippage ?? 0, settings.cost.min_fee ?? 0]),
    ) && '成本',
    differ(({ left_out_interest: leftOut }) => String(leftOut === undefined)) && '是否计息',
    differ(({ settings }) => `${settings.fill} ${settings.execution}`) && '成交',
    differ(({ kind }) => kind) && '市场',
    // Two markets have a data version each.
    !differ(({ kind }) => kind) && differ(({ data_version: version }) => version) && '数据版本',
    differ(({ engine_version: version }) => version) && '引擎版本',
  ].filter((one) => one !== false)
}
