import { secondsOf } from '@convexa/contract/rules/trading-config'
import { type TradeValues, tradeRules, wholeMinute, wholeTime } from './trade-config.ts'

/** A batch of orders: when it leaves, and from when on what is left of it may be cancelled. Seconds of the day. */
interface Slice {
  at: number
  waitsUntil: number
}

export interface Timeline {
  /** Of the window in which may be traded. */
  from: number
  to: number
  /** No batch leaves at or after this: the total time is over. */
  until: number
  slices: readonly Slice[]
  heartbeat: number
}

const fields = ['start_time', 'end_time', 'interval', 'duration', 'wait', 'heartbeat'] as const

/** When the client would order by these values; null while one of its times is wrong. */
export function timelineOf(values: TradeValues): Timeline | null {
  const wrong = fields.some((field) => (tradeRules[field] as (value: unknown, all: TradeValues) => string | null)(values[field], values))
  const { interval, duration, wait } = values
  if (wrong || interval === null || duration === null || wait === null) return null
  const from = secondsOf(wholeTime(values.start_time))
  const until = from + duration
  const slices = Array.from({ length: Math.ceil(duration / interval) }, (_, i): Slice => {
    const at = from + i * interval
    return { at, waitsUntil: Math.min(at + wait, until) }
  })
  return { from, to: secondsOf(wholeTime(values.end_time)), until, slices, heartbeat: secondsOf(wholeMinute(values.heartbeat)) }
}

/** Text alternative of the drawing, for screen readers. */
export function timelineWords({ from, until, slices }: Timeline, { interval, wait }: Pick<TradeValues, 'interval' | 'wait'>): string {
  const batches = slices.length === 1 ? '1 批' : `每 ${interval} 秒一批，最多 ${slices.length} 批`
  return `${timeOf(from)} 起${slices.length === 1 ? '下 ' : '，'}${batches}；等满 ${wait} 秒还没成交的撤掉重下；${timeOf(until)} 结束并撤掉剩余委托。`
}

/** `14:50:00` */
export const timeOf = (seconds: number): string =>
  [Math.floor(seconds / 3_600), Math.floor(seconds / 60) % 60, seconds % 60].map((part) => String(part).padStart(2, '0')).join(':')
