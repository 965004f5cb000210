import { dataModes } from '@convexa/contract/enums/data-mode'
import { signedPercent } from '../../base/format.ts'
import { useWidth } from '../../base/use-width.ts'
import { useMarkTips } from '../../ui/chart/mark-tips.tsx'
import type { Box, Boxes } from './after.ts'
import styles from './history.module.css'

const [height, left, right, row] = [232, 56, 24, 76]

/** Two lying boxes on one scale: the list with each of its members, and the whole pool. */
export function BoxPlot({ boxes, demo }: { boxes: Boxes; demo: boolean }) {
  const [box, given] = useWidth<HTMLDivElement>()
  const tips = useMarkTips()
  const width = Math.max(280, given)
  const { list, listBox, poolBox } = boxes
  if (!poolBox) return null
  const [low, high] = [Math.min(poolBox.low, listBox?.low ?? 0, 0), Math.max(poolBox.high, listBox?.high ?? 0, 0)]
  const span = high - low || 1
  const x = (value: number) => left + ((value - low) / span) * (width - left - right)
  const ticks = ticksOf(low, high)
  const rows = [
    { name: '名单', box: listBox, look: styles.list, y: 56 },
    { name: '全池', box: poolBox, look: styles.pool, y: 56 + row },
  ]
  return (
    <div ref={box} className={styles.boxPlot} {...tips.handlers}>
      {tips.bubble}
      <svg width={width} height={height} role="img" aria-label={rows.map(({ name, box: one }) => wordsOf(name, one)).join('；')}>
        {demo && (
          <text x={left + 8} y={28} className={styles.watermark}>
            {dataModes.demo.label}
          </text>
        )}
        {ticks.map((tick) => (
          <g key={tick}>
            <line className={tick === 0 ? styles.zero : styles.tick} x1={x(tick)} x2={x(tick)} y1={16} y2={height - 32} />
            <text x={x(tick)} y={height - 14} textAnchor="middle">
              {signedPercent(tick, 0)}
            </text>
          </g>
        ))}
        {rows.map(({ name, box: one, look, y }) => (
          <g key={name} className={look}>
            <text x={0} y={y + 4} className={styles.name}>
              {name}
            </text>
            {one && (
              <>
                <title>{wordsOf(name, one)}</title>
                <line className={styles.whisker} x1={x(one.low)} x2={x(one.high)} y1={y} y2={y} />
                <rect x={x(one.quarter)} y={y - 16} width={Math.max(1, x(one.threeQuarters) - x(one.quarter))} height={32} />
                <line className={styles.median} x1={x(one.median)} x2={x(one.median)} y1={y - 16} y2={y + 16} />
                <text x={x(one.median)} y={y - 22} textAnchor="middle" className={styles.value}>
                  中位 {signedPercent(one.median, 1)}
                </text>
              </>
            )}
          </g>
        ))}
        {list.map(({ name, value }) => (
          <circle key={name} cx={x(value)} cy={56 + 24} r={3}>
            <title>{`${name} ${signedPercent(value)}`}</title>
          </circle>
        ))}
      </svg>
    </div>
  )
}

const wordsOf = (name: string, box: Box | null): string =>
  box
    ? `${name} ${box.count} 只：最低 ${signedPercent(box.low, 1)}，四分位 ${signedPercent(box.quarter, 1)} 到 ${signedPercent(box.threeQuarters, 1)}，中位 ${signedPercent(box.median, 1)}，最高 ${signedPercent(box.high, 1)}，平均 ${signedPercent(box.mean, 1)}`
    : `${name}：没有数据`

/** Four to seven round numbers from low to high, zero among them. */
function ticksOf(low: number, high: number): number[] {
  const rough = (high - low) / 5 || 0.01
  const size = 10 ** Math.floor(Math.log10(rough))
  const step = [1, 2, 5, 10].map((times) => times * size).find((one) => one >= rough) ?? size
  const ticks: number[] = []
  for (let i = Math.ceil(low / step); i * step <= high + 1e-12; i++) ticks.push(Number((i * step).toPrecision(6)))
  return ticks
}
