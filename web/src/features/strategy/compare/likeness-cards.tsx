import type { ReportCore } from '@convexa/contract/report'
import { useQueries } from '@tanstack/react-query'
import { fixed, percent } from '../../../base/format.ts'
import { Card } from '../../../ui/card.tsx'
import type { CardState } from '../../../ui/card-state.tsx'
import { HeatMap } from '../../../ui/chart/heat-map.tsx'
import { Empty } from '../../../ui/states.tsx'
import { ledgerQuery } from '../../report/report-queries.ts'
import type { OnRange } from './common-range.ts'
import { correlation, dailyReturns, listOverlap, matrixOf } from './likeness.ts'

interface Line {
  name: string
  place: number
  range: OnRange
  report: ReportCore
}

/** The pair that is most alike. */
function mostAlike(matrix: readonly (readonly (number | null)[])[]): { i: number; j: number; value: number } | null {
  let top: { i: number; j: number; value: number } | null = null
  for (const [i, row] of matrix.entries())
    for (const [j, value] of row.entries()) if (j < i && value !== null && (!top || value > top.value)) top = { i, j, value }
  return top
}

function Matrix({
  title,
  note,
  lines,
  matrix,
  format,
  foot,
  state,
}: {
  title: string
  note: string
  lines: readonly Line[]
  matrix: (number | null)[][]
  format: (value: number) => string
  foot: string
  state?: CardState
}) {
  return (
    <Card title={title} note={note} foot={foot} bare {...(state && { state })}>
      {lines.length < 2 ? (
        <Empty title="至少两项有回测后显示" />
      ) : (
        <HeatMap
          label={title}
          corner=""
          columns={lines.map(({ place }) => String(place + 1))}
          rows={lines.map(({ name, place }, i) => ({ name: `${place + 1} ${name}`, values: matrix[i] ?? [] }))}
          scale={{ kind: 'sequence', low: 0, high: 1 }}
          format={format}
          half
        />
      )}
    </Card>
  )
}

/** 日收益相关 and 名单重合: how much of the difference is only a name. */
export function LikenessCards({ lines }: { lines: readonly Line[] }) {
  const correlations = matrixOf(lines, (a, b) => correlation(dailyReturns(a.range.nav), dailyReturns(b.range.nav)))
  const held = useQueries({
    queries: lines.map(({ report: { kind, backtest_id: id } }) => ({ ...ledgerQuery(kind, id, ['holdings']), enabled: lines.length > 1 })),
  })
  const failed = held.find(({ error }) => error)
  const heldLines = lines.map((line, i) => ({ ...line, held: held[i]?.data }))
  const overlaps = matrixOf(heldLines, (a, b) =>
    a.report.kind === b.report.kind && a.held && b.held ? listOverlap(a.held, b.held, a.range.dates) : null,
  )
  const close = mostAlike(correlations)
  const same = mostAlike(overlaps)
  const pair = ({ i, j }: { i: number; j: number }) => `「${lines[j]?.name}」与「${lines[i]?.name}」`
  return (
    <>
      <Matrix
        title="日收益相关"
        note="共同区间"
        lines={lines}
        matrix={correlations}
        format={(value) => fixed(value)}
        foot={close ? `相关最高：${pair(close)} ${fixed(close.value)}。越接近 1，同涨同跌越多。` : '还没有可比的日收益。'}
      />
      <Matrix
        title="名单重合"
        note="近一年日均 · 共有 ÷ 合计"
        lines={lines}
        matrix={overlaps}
        format={(value) => percent(value, 0)}
        {...(failed
          ? { state: { kind: 'error', error: failed.error, still: '其余对比不受影响。', onRetry: () => void failed.refetch() } }
          : lines.length > 1 && held.some(({ data }) => !data)
            ? { state: { kind: 'loading', rows: 3 } }
            : {})}
        foot={same ? `重合最高：${pair(same)} ${percent(same.value, 0)}。重合高的两项同时持有，分散有限。` : '没有同一市场的名单可比。'}
      />
    </>
  )
}
