import { useMemo, useState } from 'react'
import { useIsDemo } from '../../api/site.ts'
import { dayWords } from '../../base/dates.ts'
import { signedPercent, tone } from '../../base/format.ts'
import { useMarket } from '../../market/market-context.tsx'
import { Card } from '../../ui/card.tsx'
import { Checkbox } from '../../ui/controls.tsx'
import { Row } from '../../ui/layout.tsx'
import { DemoBadge } from '../../ui/tag.tsx'
import { afterOf, type HistoryDay, type Horizon, horizonWords, leadOf } from './after.ts'
import styles from './history.module.css'

/** Several days side by side: each its list, its lead and its way in the twenty days after, all on one scale. */
export function DaysView({
  days,
  horizon,
  stale,
  onOpen,
}: {
  days: readonly HistoryDay[]
  horizon: Horizon
  stale: boolean
  onOpen: (date: string) => void
}) {
  const { id: kind } = useMarket()
  const demo = useIsDemo(kind)
  const [apart, setApart] = useState(false)
  const paths = useMemo(() => days.map(pathsOf), [days])
  const shared = useMemo(() => boundsOf(paths.flatMap(({ list, pool }) => [list, pool])), [paths])
  return (
    <Card
      className={stale ? `${styles.days} stale` : styles.days}
      title={`${days.length} 个日期`}
      label="多个日期"
      note="小图为之后 20 个交易日，实线名单、虚线全池；点开看那一天的名单"
      badge={demo && <DemoBadge />}
      tools={
        <Checkbox checked={apart} onChange={setApart}>
          各自缩放
        </Checkbox>
      }
      busy={stale}
      bare
    >
      <ul>
        {days.map((day, i) => {
          const after = afterOf(day, horizon)
          const lead = leadOf(after)
          const { list, pool } = paths[i] ?? { list: [], pool: [] }
          return (
            <li key={day.trade_date}>
              <button type="button" onClick={() => onOpen(day.trade_date)} title={`看 ${dayWords(day.trade_date)} 的名单`}>
                <Row as="span" align="baseline" className={styles.daysHead}>
                  <b>{day.trade_date}</b>
                  <span className="text-3">
                    {day.selected} / {day.total} 只
                  </span>
                </Row>
                <SmallPath list={list} pool={pool} bounds={apart ? boundsOf([list, pool]) : shared} />
                <Row as="span" gap={8} align="stretch" className={styles.daysNumbers}>
                  <span>
                    名单 <b className={tone(after?.list_mean)}>{signedPercent(after?.list_mean)}</b>
                  </span>
                  <span>
                    全池 <b className={tone(after?.pool_mean)}>{signedPercent(after?.pool_mean)}</b>
                  </span>
                  <span>
                    差 <b className={tone(lead)}>{signedPercent(lead)}</b>
                  </span>
                </Row>
                <span className="hidden-text">，{horizonWords[horizon]}</span>
              </button>
            </li>
          )
        })}
      </ul>
    </Card>
  )
}

const shownDays = 20
const pathsOf = ({ path }: HistoryDay) => ({
  list: [0, ...(path?.list ?? []).slice(0, shownDays)],
  pool: [0, ...(path?.pool ?? []).slice(0, shownDays)],
})

type Bounds = readonly [low: number, high: number]
function boundsOf(paths: readonly (readonly (number | null)[])[]): Bounds {
  const known = paths.flat().filter((value) => value !== null)
  return [Math.min(0, ...known), Math.max(0, ...known)]
}

const [width, height] = [220, 72]

function SmallPath({
  list,
  pool,
  bounds: [low, high],
}: {
  list: readonly (number | null)[]
  pool: readonly (number | null)[]
  bounds: Bounds
}) {
  const x = (i: number) => (i / shownDays) * (width - 2) + 1
  const y = (value: number) => 3 + ((high - value) / (high - low || 1)) * (height - 6)
  const line = (values: readonly (number | null)[]) =>
    values.flatMap((value, i) => (value === null ? [] : [`${x(i).toFixed(1)},${y(value).toFixed(1)}`])).join(' ')
  return (
    <svg className={styles.smallPath} viewBox={`0 0 ${width} ${height}`} preserveAspectRatio="none" aria-hidden="true">
      <line x1={0} x2={width} y1={y(0)} y2={y(0)} />
      <polyline className={styles.pool} points={line(pool)} />
      <polyline className={styles.list} points={line(list)} />
    </svg>
  )
}
