import { markets } from '@convexa/contract/enums/market'
import type { ReportCore } from '@convexa/contract/report'
import { useMemo, useState } from 'react'
import { useNavigate } from 'react-router'
import { percent } from '../../../base/format.ts'
import { ChartCard } from '../../../ui/chart/chart-card.tsx'
import { Segmented } from '../../../ui/controls.tsx'
import { PageLink } from '../../../ui/page-link.tsx'
import { Table } from '../../../ui/table/table.tsx'
import { valueWords } from '../../grid/axis-choices.ts'
import { type MetricKey, metricOf } from '../../grid/cell-metrics.ts'
import { GridMap } from '../../grid/grid-map.tsx'
import { cellName, modelOf, placeKey } from '../../grid/grid-model.ts'
import { heatColors } from '../../grid/heat-colors.ts'
import { asPercent, captionOf, csvOf, fileNameOf } from '../files.ts'
import type { GridOfRun } from './grid-of-report.ts'
import './robustness.module.css'

const shownMetrics: readonly MetricKey[] = ['sharpe', 'annual_return', 'max_drawdown']

/** 参数热力: the grid that has a run as one of its cells, which is marked. */
export function GridHeatCard({ report, grid: { question, answer, place } }: { report: ReportCore; grid: GridOfRun }) {
  const model = useMemo(() => modelOf(answer, question.axes, question.body), [answer, question])
  const [key, setKey] = useState<MetricKey>('sharpe')
  const navigate = useNavigate()
  const [rowAxis, columnAxis, third] = model.axes
  if (!rowAxis) return null
  const metric = metricOf(key)
  const columns = columnAxis?.values ?? [0]
  // Of three axes the layer of the run itself.
  const indexAt = (row: number, column: number) => [row, ...(columnAxis ? [column] : []), ...(third ? [place[2] ?? 0] : [])]
  const valueAt = (row: number, column: number) => model.cells.get(placeKey(indexAt(row, column)))?.metrics[key] ?? null
  const values = rowAxis.values.flatMap((_, row) => columns.map((_one, column) => valueAt(row, column)))
  const cellOf = (value: number | null) => (key === 'sharpe' ? value : asPercent(value))
  const grounds = heatColors(values, metric.signed, metric.write)
  const own = model.cells.get(placeKey(place))?.metrics[key] ?? null
  const known = values.filter((value) => value !== null)
  const better = own === null ? null : known.filter((value) => value > own).length / Math.max(1, known.length)
  const isOwn = (row: number, column: number) => placeKey(indexAt(row, column)) === placeKey(place)
  const note = [
    `这次回测是网格里的一格：${rowAxis.label}${columnAxis ? ` × ${columnAxis.label}` : ''}`,
    ...(third ? [`${third.label} ${valueWords(third, third.values[place[2] ?? 0] ?? 0)}`] : []),
    ...(model.hasOutside ? ['样本内'] : []),
  ]
  const open = () => void navigate(`${markets.cb.path}/grid`)
  return (
    <ChartCard
      title="参数热力"
      note={note.join(' · ')}
      tools={
        <Segmented
          label="热力指标"
          value={key}
          choices={shownMetrics.map((one) => ({ value: one, label: metricOf(one).label }))}
          onChange={setKey}
        />
      }
      fileName={fileNameOf(report, '参数热力')}
      pictured
      caption={captionOf(report, '参数热力')}
      csv={() =>
        csvOf(
          report,
          [rowAxis.label, columnAxis?.label ?? '', key === 'sharpe' ? metric.title : `${metric.title}(%)`],
          rowAxis.values.flatMap((row, i) => columns.map((column, j) => [row, columnAxis ? column : '', cellOf(valueAt(i, j))])),
        )
      }
      table={() => (
        <div className="table-frame">
          <Table dense columns={[{ label: '组合' }, { label: metric.title, numeric: true }]}>
            {rowAxis.values.flatMap((_, row) =>
              columns.map((_one, column) => (
                <tr key={indexAt(row, column).join()} className={isOwn(row, column) ? 'current' : undefined}>
                  <td>{cellName(model.axes, indexAt(row, column))}</td>
                  <td className="number">{metric.write(valueAt(row, column))}</td>
                </tr>
              )),
            )}
          </Table>
        </div>
      )}
      foot={
        <>
          {better === null
            ? '网格没有算到这一格。'
            : `网格里有 ${percent(better, 0)} 的组合${metric.title}更高；只在这一格好、四周都差，多半是过拟合。`}{' '}
          <PageLink className="link" to={`${markets.cb.path}/grid`}>
            打开参数网格
          </PageLink>
        </>
      }
    >
      <div className="body grid-heat">
        <GridMap
          label={`参数热力：${metric.title}`}
          corner={`${rowAxis.label} \\ ${columnAxis?.label ?? ''}`}
          columns={columns.map((value) => (columnAxis ? valueWords(columnAxis, value) : metric.title))}
          rows={rowAxis.values.map((value) => valueWords(rowAxis, value))}
          cellAt={(row, column) => {
            const value = valueAt(row, column)
            return {
              value: value === null ? null : metric.write(value),
              ground: grounds.classOf(value),
              tags: isOwn(row, column) ? ['本次'] : [],
              chosen: isOwn(row, column),
              member: false,
              said: [`${cellName(model.axes, indexAt(row, column))}，${metric.title} `, isOwn(row, column) ? '，本次回测' : ''],
            }
          }}
          tip={(row, column) => (
            <>
              <b>{cellName(model.axes, indexAt(row, column))}</b>
              {shownMetrics.map((one) => {
                const metric = metricOf(one)
                return (
                  <div key={one}>
                    {metric.title} {metric.write(model.cells.get(placeKey(indexAt(row, column)))?.metrics[one] ?? null)}
                  </div>
                )
              })}
            </>
          )}
          onChoose={() => {}}
          onOpen={open}
          onTap={(_row, _column, again) => again && open()}
        />
      </div>
    </ChartCard>
  )
}
