import { dataModes } from '@convexa/contract/enums/data-mode'
import { fixed } from '../../../base/format.ts'
import { useWidth } from '../../../base/use-width.ts'
import styles from './risk.module.css'
import type { aroundWindow } from './windows.ts'

type Picture = ReturnType<typeof aroundWindow>

const height = 128
const left = 36
const bottom = 16

/** Two lines and a grey ground: small enough to stand eight at a time. */
export function WindowPicture({
  picture: { dates, nav, bench, first, last },
  extent,
  watermark,
}: {
  picture: Picture
  /** Of all pictures together; null = its own. */
  extent: { low: number; high: number } | null
  watermark: boolean
}) {
  const [box, width] = useWidth<HTMLDivElement>()
  const known = [...nav, ...bench].filter((value) => value !== null)
  const { low, high } = extent ?? { low: Math.min(...known), high: Math.max(...known) }
  const ticks = ticksOf(low, high)
  const [from, to] = [Math.min(low, ticks[0] ?? low), Math.max(high, ticks.at(-1) ?? high)]
  const x = (i: number) => left + (i / Math.max(1, dates.length - 1)) * (width - left - 4)
  const y = (value: number) => 6 + ((to - value) / (to - from || 1)) * (height - bottom - 10)
  const line = (values: readonly (number | null)[]) =>
    values
      .flatMap((value, i) => (value === null ? [] : [`${x(i).toFixed(1)} ${y(value).toFixed(1)}`]))
      .map((point, i) => `${i === 0 ? 'M' : 'L'}${point}`)
      .join('')
  const step = dates.length > 1 ? x(1) - x(0) : 0
  return (
    <div ref={box} className={styles.windowPicture}>
      {width > 0 && (
        <svg
          width={width}
          height={height}
          role="img"
          aria-label={`${dates[first]} 至 ${dates[last]} 的净值，期末策略 ${fixed(nav[last])}，基准 ${fixed(bench[last])}`}
        >
          <rect
            className="ground"
            x={x(first) - step / 2}
            width={Math.max(2, x(last) - x(first) + step)}
            y={6}
            height={height - bottom - 10}
          />
          {ticks.map((tick) => (
            <g key={tick}>
              <line className={Math.abs(tick - 1) < 1e-9 ? styles.base : styles.grid} x1={left} x2={width - 4} y1={y(tick)} y2={y(tick)} />
              <text x={left - 6} y={y(tick) + 4} textAnchor="end">
                {fixed(tick)}
              </text>
            </g>
          ))}
          <text x={left} y={height - 2}>
            {dates[0]?.slice(2)}
          </text>
          <text x={width - 4} y={height - 2} textAnchor="end">
            {dates.at(-1)?.slice(2)}
          </text>
          {watermark && (
            <text className={styles.watermark} x={left + 8} y={30}>
              {dataModes.demo.label}
            </text>
          )}
          <path className="bench" d={line(bench)} />
          <path className={styles.own} d={line(nav)} />
        </svg>
      )}
    </div>
  )
}

/** Three to five round levels, 1.00 among them where it is in sight. */
function ticksOf(low: number, high: number): number[] {
  const rough = Math.max(high - low, 0.002) / 4
  const power = 10 ** Math.floor(Math.log10(rough))
  const step = ([1, 2, 2.5, 5, 10].find((one) => one * power >= rough) ?? 10) * power
  const from = Math.ceil((low - 1) / step - 1e-9)
  const to = Math.floor((high - 1) / step + 1e-9)
  return Array.from({ length: Math.max(0, to - from + 1) }, (_, k) => Number((1 + (from + k) * step).toFixed(6)))
}
