import { continuousSessions, secondsOf } from '@convexa/contract/rules/trading-config'
import { type CSSProperties, useRef } from 'react'
import { Card } from '../../../ui/card.tsx'
import { Row, Stack } from '../../../ui/layout.tsx'
import styles from './timeline.module.css'
import { type Timeline, timelineOf, timelineWords, timeOf } from './timeline.ts'
import type { TradeValues } from './trade-config.ts'

const dayFrom = secondsOf('09:00')
const dayTo = secondsOf('15:15')
const hours = ['09:30', '10:30', '11:30', '13:00', '14:00', '15:00']
/** More are drawn as one band: their lines would run together. */
const mostLines = 60

/** Where a moment stands between two others, as a share of the width. */
const share = (at: number, from: number, to: number): string => `${(((at - from) / (to - from)) * 100).toFixed(3)}%`
const band = (from: number, to: number, start: number, end: number): CSSProperties => ({
  left: share(start, from, to),
  right: `calc(100% - ${share(end, from, to)})`,
})

const wrong = '时间填写完整、没有冲突后重新画出。'

/** The trading day with the window in it, and the window with its batches: drawn anew as one types; what is wrong leaves the last one, faded. */
export function TimelineCard({ values }: { values: TradeValues }) {
  const now = timelineOf(values)
  const last = useRef<{ timeline: Timeline; values: TradeValues } | null>(null)
  if (now) last.current = { timeline: now, values }
  const shown = last.current
  return (
    <Card title="时间轴" note="北京时间，按填写的数字画出">
      {shown ? (
        <Stack as="figure" gap={16} className={styles.timeline}>
          <div className={now ? styles.timelineRows : `${styles.timelineRows} stale`}>
            <Day timeline={shown.timeline} />
            <Window timeline={shown.timeline} />
          </div>
          <figcaption>{now ? timelineWords(now, values) : wrong}</figcaption>
        </Stack>
      ) : (
        <p className="size-13 text-2">{wrong}</p>
      )}
    </Card>
  )
}

function Day({ timeline: { from, to, heartbeat } }: { timeline: Timeline }) {
  const place = (start: number, end: number) => band(dayFrom, dayTo, start, end)
  return (
    <div aria-hidden="true">
      <div className={styles.timelineTrack}>
        {continuousSessions.map(([start, end]) => (
          <i key={start} className={styles.session} style={place(secondsOf(start), secondsOf(end))} />
        ))}
        <i className={styles.window} style={place(from, to)} />
        {heartbeat >= dayFrom && heartbeat <= dayTo && (
          <i className={styles.beat} style={{ left: share(heartbeat, dayFrom, dayTo) }}>
            <span>心跳</span>
          </i>
        )}
      </div>
      <div className={styles.timelineScale}>
        {hours.map((hour) => (
          <span key={hour} style={{ left: share(secondsOf(hour), dayFrom, dayTo) }}>
            {hour}
          </span>
        ))}
      </div>
    </div>
  )
}

function Window({ timeline: { from, to, until, slices } }: { timeline: Timeline }) {
  const marks = [...new Set([from, until, to])]
  return (
    <div aria-hidden="true">
      <div className={`${styles.timelineTrack} ${styles.zoomed}`}>
        {slices.length > mostLines ? (
          <i className={styles.slice} style={band(from, to, from, until)} />
        ) : (
          slices.map(({ at, waitsUntil }) => <i key={at} className={styles.slice} style={band(from, to, at, waitsUntil)} />)
        )}
        {until < to && <i className={styles.rest} style={band(from, to, until, to)} />}
      </div>
      <div className={`${styles.timelineScale} ${styles.ends}`}>
        {marks.map((at, i) => (
          <span
            key={at}
            className={i === 0 ? styles.first : i === marks.length - 1 ? styles.last : nearTheEnd(at, from, to)}
            style={{ left: share(at, from, to) }}
          >
            {timeOf(at)}
          </span>
        ))}
      </div>
      <Row as="p" gap={6} className={styles.timelineLegend}>
        <i className={styles.slice} />
        委托等待成交
        {until < to && (
          <>
            <i className={styles.rest} />
            总时长之后不再下单
          </>
        )}
      </Row>
    </div>
  )
}

/** Beside the label of the end there may be no room for another: on a phone sooner. */
function nearTheEnd(at: number, from: number, to: number): string | undefined {
  const place = (at - from) / (to - from)
  return place > 0.9 ? styles.hidden : place > 0.7 ? styles.tight : undefined
}
