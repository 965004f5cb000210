import { dataModes } from '@convexa/contract/enums/data-mode'
import { type PointerEvent, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react'
import { fixed, signedPercent } from '../../base/format.ts'
import { useWidth } from '../../base/use-width.ts'
import { besideIn } from '../../ui/chart/tip.ts'
import { Stack } from '../../ui/layout.tsx'
import styles from './live.module.css'
import { decimalsOf, piecesOf, ticksOf } from './live-numbers.ts'

export interface LiveCurves {
  dates: readonly string[]
  nav: readonly (number | null)[]
  bench: readonly (number | null)[]
  /** How the curve was before the last edit. */
  before?: readonly (number | null)[] | undefined
}

interface Frame {
  left: number
  right: number
  top: number
  bottom: number
}
const roomy: Frame = { left: 40, right: 68, top: 12, bottom: 24 }
const tight: Frame = { left: 0, right: 60, top: 6, bottom: 6 }

/** The curve of a rule while it is made, drawn straight from the answer: no chart library, nothing to wait for. */
export function LiveChart({
  curves,
  benchName,
  demo,
  height,
  small = false,
}: {
  curves: LiveCurves
  benchName: string
  demo: boolean
  height: number
  /** No axes: a strip. */
  small?: boolean
}) {
  const [box, width] = useWidth<HTMLDivElement>()
  const [pointed, setAt] = useState<number | null>(null)
  const { dates, nav, bench, before } = curves
  // Another range may have fewer days than the one that was pointed at.
  const at = pointed !== null && pointed < dates.length ? pointed : null
  const drawn = useMemo(() => (width > 0 ? draw(curves, width, height, small) : null), [curves, width, height, small])
  const follow = (event: PointerEvent<SVGSVGElement>) => {
    if (!drawn) return
    const { left } = event.currentTarget.getBoundingClientRect()
    const index = Math.round(((event.clientX - left - drawn.frame.left) / drawn.inner) * (dates.length - 1))
    setAt(index < 0 || index >= dates.length ? null : index)
  }
  const tip = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    const words = tip.current
    if (words && drawn && at !== null)
      words.style.left = `${besideIn(box.current, [drawn.x(at), 0], [words.offsetWidth, words.offsetHeight])[0]}px`
  }, [box, drawn, at])
  // A finger that is lifted has left at once: what its tap told stays until the next one elsewhere.
  useEffect(() => {
    const away = ({ target }: Event) => !box.current?.contains(target as Node) && setAt(null)
    document.addEventListener('pointerdown', away)
    return () => document.removeEventListener('pointerdown', away)
  }, [box])
  const words = [`策略期末净值 ${fixed(nav.at(-1), 3)}`, `${benchName} ${fixed(bench.at(-1), 3)}`].join('，')
  return (
    <div className={styles.chart} ref={box} style={{ height }}>
      {drawn && (
        <svg
          width={width}
          height={height}
          role="img"
          aria-label={`${dates[0]} 至 ${dates.at(-1)} 净值曲线：${words}`}
          onPointerMove={follow}
          onPointerDown={follow}
          onPointerLeave={({ pointerType }) => pointerType !== 'touch' && setAt(null)}
        >
          {drawn.years.map(({ x, label }) => (
            <g key={label}>
              <line className={styles.grid} x1={x} x2={x} y1={drawn.frame.top} y2={height - drawn.frame.bottom} />
              {!small && (
                <text className={styles.tick} x={x} y={height - 6} textAnchor="middle">
                  {label}
                </text>
              )}
            </g>
          ))}
          {drawn.ticks.map(({ y, value }) => (
            <g key={value}>
              <line className={value === 1 ? styles.one : styles.grid} x1={drawn.frame.left} x2={width - drawn.frame.right} y1={y} y2={y} />
              {!small && (
                <text className={styles.tick} x={drawn.frame.left - 8} y={y + 4} textAnchor="end">
                  {fixed(value, drawn.decimals)}
                </text>
              )}
            </g>
          ))}
          {demo && (
            <text className={styles.watermark} x={drawn.frame.left + 16} y={drawn.frame.top + (small ? 22 : 34)}>
              {dataModes.demo.label}
            </text>
          )}
          <path className={styles.area} d={drawn.area} />
          {before && <path className={styles.before} d={drawn.before} />}
          <path className={styles.bench} d={drawn.bench} />
          <path className={styles.nav} d={drawn.nav} />
          {drawn.ends.map(({ look, y, spot, value, name }) => (
            <g key={name} className={`${styles.end} ${look}`}>
              <circle cx={width - drawn.frame.right} cy={spot} r="3" />
              <text x={width - drawn.frame.right + 8} y={y + 4}>
                {fixed(value, 3)}
              </text>
              {!small && (
                <text className={styles.endName} x={width - drawn.frame.right + 8} y={y + 18}>
                  {name}
                </text>
              )}
            </g>
          ))}
          {at !== null && (
            <g>
              <line className={styles.cross} x1={drawn.x(at)} x2={drawn.x(at)} y1={drawn.frame.top} y2={height - drawn.frame.bottom} />
              {nav[at] != null && <circle className={styles.dot} cx={drawn.x(at)} cy={drawn.y(nav[at])} r="3.5" />}
            </g>
          )}
        </svg>
      )}
      {drawn && at !== null && (
        <Stack gap={2} className={styles.tip} data-tip ref={tip}>
          <b>{dates[at]}</b>
          <span className={styles.tipNav}>
            策略 <em>{fixed(nav[at], 3)}</em> {signedPercent(change(nav, at))}
          </span>
          <span className={styles.tipBench}>
            {benchName} <em>{fixed(bench[at], 3)}</em> {signedPercent(change(bench, at))}
          </span>
          {before && (
            <span className="text-3">
              改动前 <em>{fixed(before[at], 3)}</em>
            </span>
          )}
        </Stack>
      )}
    </div>
  )
}

const change = (series: LiveCurves['nav'], at: number) => {
  const [now, before] = [series[at], at > 0 ? series[at - 1] : 1]
  return now == null || before == null ? null : now / before - 1
}

function draw({ dates, nav, bench, before = [] }: LiveCurves, width: number, height: number, small: boolean) {
  const frame = small ? tight : roomy
  const inner = Math.max(1, width - frame.left - frame.right)
  const values = [...nav, ...bench, ...before].filter((value) => value !== null)
  const [low, high] = [Math.min(1, ...values), Math.max(1, ...values)]
  const marks = ticksOf(low, high, small ? 2 : 4)
  const [bottom, top] = small ? [low, high] : [marks[0] ?? low, marks.at(-1) ?? high]
  const span = top - bottom || 1
  const x = (index: number) => frame.left + (index / Math.max(1, dates.length - 1)) * inner
  const y = (value: number) => frame.top + (1 - (value - bottom) / span) * (height - frame.top - frame.bottom)
  const point = (index: number, value: number) => `${x(index).toFixed(1)} ${y(value).toFixed(1)}`
  const line = (series: LiveCurves['nav']) =>
    piecesOf(series)
      .map(({ from, values: piece }) => `M${piece.map((value, k) => point(from + k, value)).join('L')}`)
      .join('')
  const floor = height - frame.bottom
  const below = piecesOf(nav).map(({ from, values: piece }) => {
    const [start, end] = [from, from + piece.length - 1].map((index) => x(index).toFixed(1))
    return `M${piece.map((value, k) => point(from + k, value)).join('L')}L${end} ${floor}L${start} ${floor}Z`
  })
  return {
    frame,
    inner,
    x,
    y,
    nav: line(nav),
    bench: line(bench),
    before: line(before),
    area: below.join(''),
    decimals: decimalsOf(marks),
    ticks: (small ? [1] : marks).map((value) => ({ value, y: y(value) })),
    years: yearsOf(dates).map(({ index, label }) => ({ label, x: x(index) })),
    ends: endsOf(nav.at(-1) ?? null, bench.at(-1) ?? null, y, small ? 16 : 34),
  }
}

/** Where a year begins, as far as the words fit: not at the edges. */
function yearsOf(dates: readonly string[]): { index: number; label: string }[] {
  return dates.flatMap((date, index) => {
    const year = date.slice(0, 4)
    const edge = Math.min(index, dates.length - index) < dates.length * 0.04
    return index > 0 && dates[index - 1]?.slice(0, 4) !== year && !edge ? [{ index, label: year }] : []
  })
}

/** The last values stand at the curves' ends; two that are near move apart. */
function endsOf(nav: number | null, bench: number | null, y: (value: number) => number, apart: number) {
  const ends = [
    { look: styles.navEnd, value: nav, name: '策略' },
    { look: styles.benchEnd, value: bench, name: '基准' },
  ].flatMap(({ value, ...end }) => (value === null ? [] : [{ ...end, value, spot: y(value), y: y(value) }]))
  const [first, second] = [...ends].sort((a, b) => a.spot - b.spot)
  if (first && second && second.y - first.y < apart) {
    const middle = (first.y + second.y) / 2
    first.y = middle - apart / 2
    second.y = middle + apart / 2
  }
  return ends
}
