import type { Operation } from '../graph.ts'
import { type FunctionArgument, type FunctionEntry, line, x } from './function.ts'
import { filled, groupStatistic, transformed } from './section.ts'
import * as section from './section-statistics.ts'

// As cross-section.ts, inside each industry, rating, bin … Securities without a group have no value.

const group: FunctionArgument = { name: 'g', label: '分组', kind: 'group' }

const demeaned = transformed('gp_demean', true, section.demean, { kernel: 'demean_in_group', readsListed: true })

/** name, label, doc, example, operation */
type Row = readonly [string, string, string, string, Operation]

const rows: readonly Row[] = [
  ['gp_mean', '组内均值', '同组的均值', 'pb / gp_mean(industry_1, pb)', groupStatistic('gp_mean', true, section.mean)],
  ['gp_median', '组内中位数', '同组的中位数', 'pb / gp_median(industry_1, pb)', groupStatistic('gp_median', true, section.median)],
  ['gp_sum', '组内合计', '同组之和', 'amount / gp_sum(industry_1, amount)', groupStatistic('gp_sum', true, section.sum)],
  ['gp_std', '组内标准差', '同组的标准差（自由度减一）', 'gp_std(industry_1, pb)', groupStatistic('gp_std', true, section.deviation)],
  ['gp_max', '组内最大值', '同组的最大值', 'close / gp_max(rating, close)', groupStatistic('gp_max', true, section.largest)],
  ['gp_min', '组内最小值', '同组的最小值', 'close - gp_min(rating, close)', groupStatistic('gp_min', true, section.smallest)],
  ['gp_count', '组内个数', '同组中不缺失的个数', 'gp_count(industry_1, close)', groupStatistic('gp_count', true, section.count, 0)],
  [
    'gp_rank',
    '组内排名',
    '同组内的百分位排名，最大为 1，相同取平均；不足 3 个时缺失',
    'gp_rank(industry_1, pb)',
    transformed('gp_rank', true, section.rankFrom(3)),
  ],
  ['gp_demean', '组内去均值', '减去同组的均值', 'gp_demean(industry_1, pb)', demeaned],
  [
    'gp_zscore',
    '组内标准分',
    '减去同组均值后除以同组标准差；不足 3 个时缺失',
    'gp_zscore(cs_bin(total_mv, 5), pb)',
    transformed('gp_zscore', true, section.zscore(3)),
  ],
  ['gp_fill', '组内填补', '缺失时取同组的中位数', 'gp_fill(industry_1, pb)', filled('gp_fill', true, section.median)],
]

const winsorized = transformed('cs_winsor 0.025 0.975', false, section.winsor(0.025, 0.975))
const grouped = { category: '分组', args: [group, x], isCrossSection: true } as const

export const groups: readonly FunctionEntry[] = [
  ...rows.map(([name, label, doc, example, operation]) =>
    line({ ...grouped, name, label, doc, example, build: (graph, { series: [g, of] }) => graph.apply(operation, [graph.series(of), g]) }),
  ),
  line({
    ...grouped,
    name: 'gp_neutral',
    label: '组内中性化',
    doc: '先按当日 2.5% 与 97.5% 分位数缩尾，再减去同组的均值',
    example: 'gp_neutral(industry_1, pb)',
    build: (graph, { series: [g, of] }) => graph.apply(demeaned, [graph.apply(winsorized, [graph.series(of)]), g]),
  }),
]
