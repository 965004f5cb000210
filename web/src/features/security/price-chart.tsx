import { fixed } from '../../base/format.ts'
import { useWidth } from '../../base/use-width.ts'
import { useMarkTips } from '../../ui/chart/mark-tips.tsx'
import { Row } from '../../ui/layout.tsx'
import styles from './security-drawer.module.css'

type Series = readonly (number | null)[]

/** Daily prices: candles where the data have open, high and low, else the closes as a line. */
export function PriceChart({
  dates,
  close,
  open,
  high,
  low,
  decimals,
}: {
  dates: readonly string[]
  close: Series
  open: Series
  high: Series
  low: Series
  decimals: number
}) {
  const [box, width] = useWidth<HTMLDivElement>()
  const tips = useMarkTips()
  const height = 112
  const values = [...close, ...high, ...low].filter((value) => value !== null)
  const [least, most] = [Math.min(...values), Math.max(...values)]
  const span = most - least || 1
  const step = width / Math.max(1, dates.length)
  const x = (index: number) => (index + 0.5) * step
  const y = (value: number) => 4 + (1 - (value - least) / span) * (height - 8)
  const candles = open.some((value) => value !== null) && high.some((value) => value !== null)
  const line = close.flatMap((value, index) => (value === null ? [] : [`${x(index).toFixed(1)} ${y(value).toFixed(1)}`])).join('L')
  return (
    <>
      <div className={styles.priceChart} ref={box} style={{ height }} {...tips.handlers}>
        {tips.bubble}
        {width > 0 && values.length > 0 && (
          <svg
            width={width}
            height={height}
            role="img"
            aria-label={`${dates[0]} 至 ${dates.at(-1)} 日线，最低 ${fixed(least, decimals)}，最高 ${fixed(most, decimals)}`}
          >
            {!candles && <path className={styles.priceLine} d={`M${line}`} />}
            {candles &&
              dates.map((date, index) => {
                const [o, h, l, c] = [open[index], high[index], low[index], close[index]]
                if (o == null || h == null || l == null || c == null) return null
                const rises = c >= o
                const top = y(Math.max(o, c))
                return (
                  <g key={date} className={rises ? `${styles.candle} ${styles.up}` : `${styles.candle} ${styles.down}`}>
                    <title>{`${date} 开 ${fixed(o, decimals)} 高 ${fixed(h, decimals)} 低 ${fixed(l, decimals)} 收 ${fixed(c, decimals)}`}</title>
                    {/* The day's whole column tells: a candle is too thin for a finger. */}
                    <path className={styles.day} d={`M${index * step} 0h${step}v${height}h${-step}z`} />
                    <line x1={x(index)} x2={x(index)} y1={y(h)} y2={y(l)} />
                    <rect x={x(index) - step * 0.32} width={Math.max(1, step * 0.64)} y={top} height={Math.max(1, Math.abs(y(o) - y(c)))} />
                  </g>
                )
              })}
          </svg>
        )}
      </div>
      {values.length > 0 && (
        <Row as="p" align="stretch" className={styles.priceSpan}>
          <span>{dates[0]} 起</span>
          <span>
            最低 <b>{fixed(least, decimals)}</b>
          </span>
          <span>
            最高 <b>{fixed(most, decimals)}</b> 元
          </span>
        </Row>
      )}
    </>
  )
}
