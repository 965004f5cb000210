import { useWidth } from '../../base/use-width.ts'
import { useMarkTips } from '../../ui/chart/mark-tips.tsx'
import { valueWords } from './axis-choices.ts'
import { type CellMetric, figureOf, type Part, written } from './cell-metrics.ts'
import { cellName, type GridModel, placeKey } from './grid-model.ts'
import styles from './grid-view.module.css'

interface Scale {
  name: string
  ticks: readonly { at: number; words: string }[]
}

const [height, top, bottom, side] = [320, 36, 24, 72]

/** Three axes and the metric as upright scales, each cell a line across them; those of the plateau stand out. The table has the same numbers. */
export function ParallelLines({
  model,
  metric,
  part,
  chosen,
  onChoose,
}: {
  model: GridModel
  metric: CellMetric
  part: Part
  chosen: readonly string[]
  onChoose: (key: string) => void
}) {
  const [box, given] = useWidth<HTMLDivElement>()
  const tips = useMarkTips('叠加曲线')
  const width = Math.max(320, given)
  const cells = [...model.cells.values()]
  const values = cells.map((cell) => figureOf(cell, metric.key, part)).filter((value) => value !== null)
  const [low, high] = [Math.min(...values), Math.max(...values)]
  const share = (value: number | null) => (value === null || high === low ? 0.5 : (value - low) / (high - low))
  const scales: Scale[] = [
    ...model.axes.map((axis) => ({
      name: axis.label,
      ticks: axis.values.map((value, i) => ({ at: place(i, axis.values.length), words: valueWords(axis, value) })),
    })),
    {
      name: metric.title,
      ticks: [0, 0.25, 0.5, 0.75, 1].map((at) => ({ at, words: written(metric, part, low + (high - low) * at) })),
    },
  ]
  const x = (i: number) => side + ((width - 2 * side) * i) / (scales.length - 1)
  const y = (at: number) => top + (height - top - bottom) * (1 - at)
  const lineOf = (cell: (typeof cells)[number]) =>
    [...model.axes.map((axis, a) => place(cell.index[a] ?? 0, axis.values.length)), share(figureOf(cell, metric.key, part))]
      .map((at, i) => `${i === 0 ? 'M' : 'L'}${x(i).toFixed(1)} ${y(at).toFixed(1)}`)
      .join('')
  const order = [...cells].sort((a, b) => rank(a) - rank(b))
  function rank(cell: (typeof cells)[number]): number {
    const key = placeKey(cell.index)
    return chosen.includes(key) ? 2 : model.plateau.has(key) ? 1 : 0
  }
  return (
    <div ref={box} className={styles.parallel} {...tips.handlers}>
      {tips.bubble}
      <svg
        width={width}
        height={height}
        role="img"
        aria-label={`${scales.map(({ name }) => name).join('、')}的平行坐标，共 ${cells.length} 组；数字见表格`}
      >
        {order.map((cell) => {
          const key = placeKey(cell.index)
          return (
            // biome-ignore lint/a11y/noStaticElementInteractions: the table and the heat map do the same by keyboard
            <path key={key} d={lineOf(cell)} className={['plain', styles.plateau, styles.chosen][rank(cell)]} onClick={() => onChoose(key)}>
              <title>{`${cellName(model.axes, cell.index)}：${metric.label} ${written(metric, part, figureOf(cell, metric.key, part))}`}</title>
            </path>
          )
        })}
        {scales.map(({ name, ticks }, i) => (
          <g key={name}>
            <line x1={x(i)} x2={x(i)} y1={top} y2={height - bottom} />
            <text x={x(i)} y={16} textAnchor="middle" className={styles.name}>
              {name}
            </text>
            {ticks.map(({ at, words }) => (
              <text
                key={at}
                x={x(i) + (i === scales.length - 1 ? 8 : -8)}
                y={y(at) + 4}
                textAnchor={i === scales.length - 1 ? 'start' : 'end'}
              >
                {words}
              </text>
            ))}
          </g>
        ))}
      </svg>
    </div>
  )
}

const place = (index: number, length: number) => (length === 1 ? 0.5 : index / (length - 1))
