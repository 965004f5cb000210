import { dataModes } from '@convexa/contract/enums/data-mode'
import { useMemo } from 'react'
import { useIsDemo } from '../../api/site.ts'
import { fixed } from '../../base/format.ts'
import { Card } from '../../ui/card.tsx'
import { ChartBox } from '../../ui/chart/chart-box.tsx'
import { useChartTheme } from '../../ui/chart/chart-theme.ts'
import { scatterOption } from '../../ui/chart/kinds/scatter.ts'
import { tip } from '../../ui/chart/tip.ts'
import { cellShort, type GridModel, placeKey } from './grid-model.ts'
import styles from './grid-view.module.css'

/** Whether what did well inside the sample did well outside: one mark per cell. */
export function ScatterCard({ model, chosen, onChoose }: { model: GridModel; chosen: readonly string[]; onChoose: (key: string) => void }) {
  const look = useChartTheme()
  const demo = useIsDemo('cb')
  const hasPlateau = model.plateau.size > 0
  const points = useMemo(
    () =>
      [...model.cells.values()].flatMap((cell) => {
        const [x, y] = [cell.metrics.sharpe, cell.oos_metrics?.sharpe ?? null]
        if (x === null || y === null) return []
        const key = placeKey(cell.index)
        return [
          { key, name: cellShort(model.axes, cell.index), x, y, chosen: key === chosen[0], hollow: hasPlateau && !model.plateau.has(key) },
        ]
      }),
    [model, chosen, hasPlateau],
  )
  const luck = model.result.robustness.luck_threshold
  const option = useMemo(
    () =>
      scatterOption(
        {
          points,
          x: { name: '样本内夏普', format: (value) => fixed(value) },
          y: { name: '样本外夏普', format: (value) => fixed(value, 1) },
          level: luck === null ? null : { x: luck, words: `运气门槛 ${fixed(luck)}` },
          diagonal: true,
          watermark: demo ? dataModes.demo.label : null,
        },
        look,
        (index) =>
          tip(points[index]?.name ?? '', [
            { mark: '', name: '样本内夏普', value: fixed(points[index]?.x) },
            { mark: 'none', name: '样本外夏普', value: fixed(points[index]?.y) },
          ]),
      ),
    [points, luck, demo, look],
  )
  const describe = (index: number) => `${points[index]?.name}，样本内 ${fixed(points[index]?.x)}，样本外 ${fixed(points[index]?.y)}`
  return (
    <Card
      className={styles.scatter}
      title="样本内 vs 样本外"
      label="样本内与样本外"
      note="每点一组参数"
      tools={
        hasPlateau && (
          <>
            <span className={`chip ${styles.legend}`}>
              <i className={`${styles.point} ${styles.full}`} />
              平台区
            </span>
            <span className={`chip ${styles.legend}`}>
              <i className={styles.point} />
              其他
            </span>
          </>
        )
      }
      bare
    >
      <div className="body">
        <ChartBox
          option={option}
          shape="grid-scatter"
          label={`样本内夏普与样本外夏普散点，共 ${points.length} 组`}
          height={240}
          points={points.length}
          describe={describe}
          onPick={(index) => points[index] && onChoose(points[index].key)}
        />
      </div>
    </Card>
  )
}
