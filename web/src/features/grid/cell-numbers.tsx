import { fixed, percent } from '../../base/format.ts'
import { Table } from '../../ui/table/table.tsx'
import { cellMetrics } from './cell-metrics.ts'
import { besideOf, cellName, type GridModel, placeOf } from './grid-model.ts'
import styles from './grid-view.module.css'

/** All numbers of a cell. */
export function CellNumbers({ model, at, hint }: { model: GridModel; at: string; hint: boolean }) {
  const cell = model.cells.get(at)
  if (!cell) return null
  const beside = besideOf(model, placeOf(at))
  return (
    <div className={styles.numbers}>
      <p>{cellName(model.axes, placeOf(at))}</p>
      <Table bare columns={[{ label: '指标' }, { label: '样本内' }, ...(cell.oos_metrics ? [{ label: '样本外' }] : [])]}>
        {cellMetrics.map(({ key, label, write }) => (
          <tr key={key}>
            <th scope="row">{label}</th>
            <td>{write(cell.metrics[key])}</td>
            {cell.oos_metrics && <td>{write(cell.oos_metrics[key])}</td>}
          </tr>
        ))}
        {beside && (
          <tr>
            <th scope="row">邻格夏普</th>
            <td colSpan={cell.oos_metrics ? 2 : 1}>
              均值 {fixed(beside.mean)}，最低 {fixed(beside.least)}
            </td>
          </tr>
        )}
        <tr>
          <th scope="row">与邻格的差别</th>
          <td>{percent(model.spread.get(at), 1)}</td>
          {cell.oos_metrics && <td />}
        </tr>
      </Table>
      {hint && <small>点击叠加曲线，双击或 Enter 用这组参数回测</small>}
    </div>
  )
}
