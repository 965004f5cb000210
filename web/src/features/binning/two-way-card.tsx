import type { BinningResult } from '@convexa/contract/binning'
import { useState } from 'react'
import { fixed, percent, signedPercent } from '../../base/format.ts'
import { Card } from '../../ui/card.tsx'
import { mostOf } from '../../ui/chart/heat.ts'
import { HeatMap } from '../../ui/chart/heat-map.tsx'
import { Segmented } from '../../ui/controls.tsx'
import { DemoBadge } from '../../ui/tag.tsx'
import type { BinningPart } from './binning-part.ts'
import { fewMembers } from './binning-text.ts'

type TwoWay = NonNullable<BinningResult['two_way']>
type Cell = TwoWay['cells'][number][number]

const looks = {
  mean: { label: '后续均值', value: (cell: Cell) => cell.mean_forward, format: (value: number) => signedPercent(value) },
  win: { label: '胜率', value: (cell: Cell) => cell.win_rate, format: (value: number) => percent(value, 1) },
  count: { label: '平均只数', value: (cell: Cell) => cell.avg_count, format: (value: number) => fixed(value, 1) },
} as const

/** 双因子: what came after where the bins of two factors meet. */
export function TwoWayCard({ question, result, watermark, table }: BinningPart & { table: TwoWay }) {
  const [look, setLook] = useState<keyof typeof looks>('mean')
  const { value, format } = looks[look]
  const rows = result.bins.map(({ label }, i) => ({ name: `${question.factorName} ${label}`, values: (table.cells[i] ?? []).map(value) }))
  const all = rows.flatMap(({ values }) => values)
  const known = all.filter((one) => one !== null)
  const scale =
    look === 'mean'
      ? { kind: 'signed' as const, most: mostOf(all) }
      : { kind: 'sequence' as const, low: Math.min(...known), high: Math.max(...known) }
  const least = Math.min(...table.cells.flat().map(({ avg_count }) => avg_count))
  return (
    <Card
      bare
      title={`双因子：${question.factorName} × ${table.factor}`}
      note={`每天各自分箱，格内为后 ${question.body.forward_days[0]} 日收益的日均值，不计成本`}
      tools={
        <>
          {watermark && <DemoBadge />}
          <Segmented
            label="双因子看什么"
            value={look}
            choices={(Object.keys(looks) as (keyof typeof looks)[]).map((key) => ({ value: key, label: looks[key].label }))}
            onChange={setLook}
          />
        </>
      }
      foot={
        least < fewMembers
          ? `最少的一格平均只有 ${fixed(least, 1)} 只，单独一格的数字不可靠，要看相邻格是否同向。`
          : '看整行或整列是否同向变化；只有一格突出多半是偶然。'
      }
    >
      <HeatMap
        label={`${question.factorName} 与 ${table.factor} 双因子表`}
        corner={`行 ${question.factorName} \\ 列 ${table.factor}`}
        columns={table.columns}
        rows={rows}
        scale={scale}
        format={format}
      />
    </Card>
  )
}
