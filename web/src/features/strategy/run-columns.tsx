import type { BacktestListItem } from '@convexa/contract/backtest'
import { markets } from '@convexa/contract/enums/market'
import { metricLabel } from '@convexa/contract/enums/metric'
import { runStatus } from '@convexa/contract/enums/run-status'
import { dateTime, shortTime } from '../../base/dates.ts'
import { missing } from '../../base/format.ts'
import { Spark } from '../../ui/chart/spark.tsx'
import { Row } from '../../ui/layout.tsx'
import type { TableColumn } from '../../ui/table/table-props.ts'
import { valueColumn } from '../../ui/table/value-column.ts'
import { Chips } from '../report/robustness/verdict-chips.tsx'
import { chipsOf, chipText } from '../report/robustness/verdict-text.ts'
import { runName } from '../run/backtest-run-names.ts'
import styles from './run-columns.module.css'
import { StatusCell } from './status-labels.tsx'

export const reportPath = ({ kind, backtest_id: id }: Pick<BacktestListItem, 'kind' | 'backtest_id'>): string =>
  `${markets[kind].path}/backtest/${id}`

type Run = BacktestListItem

const annual = valueColumn<Run>('return', 'annual', '年化', 64, ({ metrics }) => metrics?.annual_return)

/** A group has four checks, a rule six. */
const chipsOfRun = ({ verdict, group_id: group }: Run) => verdict && chipsOf(verdict, group === null ? 6 : 4)

/** Columns of runs, wherever they are listed; a list takes those that it has room for. */
export const runColumns: readonly TableColumn<Run>[] = [
  {
    key: 'time',
    label: '时间',
    width: 84,
    className: () => 'text-2',
    exact: ({ created_at }) => dateTime(created_at),
    cell: ({ created_at }) => <time dateTime={created_at}>{shortTime(created_at)}</time>,
  },
  {
    key: 'name',
    label: '策略',
    width: 160,
    card: 'title',
    cell: (run) => (
      <Row as="span" gap={4} align="baseline" className={styles.runName}>
        <span className="medium given-name">{runName(run)}</span>{' '}
        <span className="mono text-3" title={`同样的参数、数据与引擎得到同样的编号：${run.params_hash}`}>
          #{run.params_hash.slice(0, 4)}
        </span>
      </Row>
    ),
  },
  {
    key: 'range',
    label: '区间',
    width: 152,
    className: () => 'text-2',
    cell: ({ settings }) => `${settings.start_date} ~ ${settings.end_date}`,
  },
  {
    key: 'spark',
    label: '净值',
    width: 64,
    card: 'none',
    cell: ({ spark }) => (spark ? <Spark values={spark} tone="plain" /> : <span className="text-3">{missing}</span>),
  },
  // A run that gave no number says there why.
  { ...annual, card: 'lead', onCard: (run) => (run.status === runStatus.done ? annual.cell(run) : <StatusCell run={run} />) },
  {
    ...valueColumn<Run>('return', 'drawdown', metricLabel('max_drawdown'), 64, ({ metrics }) => metrics?.max_drawdown),
    className: ({ metrics }) => (metrics?.max_drawdown == null ? 'text-3' : undefined),
  },
  valueColumn('number', 'sharpe', '夏普', 44, ({ metrics }) => metrics?.sharpe),
  valueColumn('number', 'turnover', '换手(倍/年)', 72, ({ metrics }) => metrics?.turnover_annual, { decimals: 1 }),
  {
    key: 'verdict',
    label: '结论',
    title: '跑赢了吗、靠谱吗：与全市场等权及基准中更难跑赢的一个相比',
    width: 172,
    exact: (run) => chipText(chipsOfRun(run) ?? []) || undefined,
    cell: (run) => {
      const chips = chipsOfRun(run)
      return chips ? <Chips chips={chips} /> : <span className="text-3">{missing}</span>
    },
  },
  {
    key: 'trial',
    label: '次第',
    title: '同类规则的第几次回测，网格的每一格也算一次；试得越多，最好的一次越可能是运气',
    width: 56,
    numeric: true,
    cell: ({ trial_no: trial }) => (trial === null ? missing : `第 ${trial} 次`),
  },
  {
    key: 'note',
    label: '备注',
    width: 160,
    className: () => `text-2 ${styles.runNote}`,
    exact: ({ note }) => note,
    cell: ({ note }) => note || <span className="text-3">{missing}</span>,
  },
  { key: 'status', label: '状态', width: 64, cell: (run) => <StatusCell run={run} /> },
]

/** Those columns that say something of these runs: where none has its net value in short, there is none of it. */
export const columnsFor = (runs: readonly Run[]): readonly TableColumn<Run>[] =>
  runs.some(({ spark }) => spark) ? runColumns : runColumns.filter(({ key }) => key !== 'spark')
