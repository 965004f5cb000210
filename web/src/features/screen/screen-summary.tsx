import type { ScreenResult, ScreenRow } from '@convexa/contract/screen'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useMemo } from 'react'
import { securitiesQuery } from '../../api/queries.ts'
import { fixed, missing, signedPercent, tone } from '../../base/format.ts'
import { useMarket } from '../../market/market-context.tsx'
import { marketViews } from '../../market/market-views.ts'
import { usePreferences } from '../../state/preferences.ts'
import { Checkbox } from '../../ui/controls.tsx'
import { Row } from '../../ui/layout.tsx'
import { SelectionBar } from '../../ui/table/selection-bar.tsx'
import type { Change } from '../current-list/held-change.ts'
import type { Factors } from '../rule/factors.ts'
import { countsOf, meanOf } from './screen-columns.ts'
import { useCells } from './screen-run.ts'

/** The bar below: averages of the list, and what the colours mean; of the ticked rows once there are some. */
export function ScreenSummary({
  result,
  factors,
  changes = null,
  ticked,
  onClear,
  actions,
}: {
  result: ScreenResult
  factors: Factors
  changes?: ReadonlyMap<string, { change: Change }> | null
  ticked: readonly ScreenRow[]
  onClear: () => void
  /** What can be done with the ticked rows. */
  actions: ReactNode
}) {
  const { heat, set } = usePreferences()
  const listed = useMemo(() => result.list_items.filter((row) => row.selected), [result])
  if (ticked.length > 0)
    return (
      <SelectionBar count={ticked.length} noun="只" onClear={onClear}>
        <Averages result={result} factors={factors} rows={ticked} />
        <Industries rows={ticked} />
        {actions}
      </SelectionBar>
    )
  return (
    <Row gap={20} className="screen-summary">
      <span>
        入选 <b>{result.selected}</b> 只
      </span>
      <Averages result={result} factors={factors} rows={listed} />
      {changes && <Overlap changes={changes} />}
      <span className="grow" />
      <span className="text-3">◆ 参与打分</span>
      <Checkbox checked={heat} onChange={(on) => set('heat', on)}>
        着色
      </Checkbox>
      {heat && (
        <>
          <Legend
            label="涨跌"
            title="一日：0.5% 与 1.5% 分三档；多日按天数的平方根放宽"
            classes={['heat-down-2', 'heat-down-1', 'heat-up-1', 'heat-up-2']}
          />
          <Legend label="更优" title="全部排名中最好的 10%、30%、50%" classes={['seq-1', 'seq-2', 'seq-3']} />
        </>
      )}
    </Row>
  )
}

/** How much of the list that is held is still on it. */
function Overlap({ changes }: { changes: ReadonlyMap<string, { change: Change }> }) {
  const of = (change: Change) => [...changes.values()].filter((one) => one.change === change).length
  const kept = of('hold')
  return (
    <span>
      与当前名单重合{' '}
      <b>
        {kept}/{kept + of('out')}
      </b>
    </span>
  )
}

function Averages({ result, factors, rows }: { result: ScreenResult; factors: Factors; rows: readonly ScreenRow[] }) {
  const { id: kind } = useMarket()
  const lines = marketViews[kind].averages
  const refs = useMemo(() => ['pct_chg', ...lines.map(([ref]) => ref)], [lines])
  const cell = useCells(kind, result, refs, factors)
  const mean = (ref: string) => meanOf(rows.map((row) => cell(row, ref)))
  const day = mean('pct_chg')
  return (
    <>
      {lines
        .filter(([ref]) => factors.of(ref)?.available)
        .map(([ref, label, scale, decimals, unit]) => {
          const value = mean(ref)
          return (
            <span key={ref}>
              {label} <b>{value === null ? missing : `${fixed(value * scale, decimals)}${unit}`}</b>
            </span>
          )
        })}
      <span>
        当日等权 <b className={tone(day)}>{signedPercent(day)}</b>
      </span>
    </>
  )
}

/** In which industries they are: the largest in words, all behind them. */
function Industries({ rows }: { rows: readonly ScreenRow[] }) {
  const { id: kind } = useMarket()
  const { data: securities } = useQuery(securitiesQuery(kind))
  const industryOf = useMemo(() => new Map(securities?.map(({ code, industry }) => [code, industry])), [securities])
  const counts = countsOf(rows.map(({ code }) => industryOf.get(code)))
  const [largest] = counts
  if (!largest) return null
  return (
    <span title={counts.map(([name, count]) => `${name} ${count} 只`).join('，')}>
      行业{' '}
      <b>
        {largest[0]} {largest[1]}
      </b>
      {counts.length > 1 && ` 等 ${counts.length} 个`}
    </span>
  )
}

const Legend = ({ label, title, classes }: { label: string; title: string; classes: readonly string[] }) => (
  <span className="heat-legend" title={title}>
    {label}
    {classes.map((name) => (
      <i key={name} className={name} />
    ))}
  </span>
)
