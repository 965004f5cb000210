import { dataModes } from '@convexa/contract/enums/data-mode'
import { dateTime } from '../base/dates.ts'

/** Where numbers come from and of when they are. */
export interface DataTime {
  source: 'live' | 'delayed' | 'close' | 'demo'
  /** ISO with +08:00. */
  time: string
  /** The trading day, for what is of its close. */
  date: string
  /** It moves while the exchanges do. */
  realtime: boolean
  /** Minutes the source is behind. */
  delay?: number
}

export interface StampWords {
  text: string
  look: 'ok' | 'warn' | 'quiet'
  /** Why it is amber, in a sentence. */
  warning: string | null
}

/** What the exchanges did since: see market/clock.ts. */
export interface SinceThen {
  /** Prices may change now. */
  open: boolean
  /** How long they could have changed since a moment, in ms. */
  moved(from: number): number
}

/** What has stood still for longer than this while prices could change is not live any more. */
const staleAfter = 60_000
const minute = 60_000

const sources = { live: '实时', delayed: '延迟', close: '收盘', demo: dataModes.demo.label } as const

/**
 * `数据 2026-11-20 14:32:05 · 实时`; amber when the data is simulated, late by contract, or stood still while prices could change: also
 * over lunch and after the close the last ones of a source that was lost are not those of the session's end.
 */
export function stampOf({ source, time, date, realtime, delay = 15 }: DataTime, { open, moved }: SinceThen): StampWords {
  const when = realtime ? dateTime(time) : source === 'close' ? date : `${date} 收盘`
  const stampText = (name: string) => `数据 ${when} · ${name}`
  if (source === 'demo') return { text: stampText(sources.demo), look: 'warn', warning: '模拟生成，非真实行情，不能用于交易' }
  if (!realtime) return { text: stampText(sources[source]), look: source === 'live' ? 'ok' : 'quiet', warning: null }
  const late = source === 'delayed' ? delay * minute : 0
  const lost = moved(Date.parse(time) + late)
  const name = late > 0 ? `延迟 ${delay} 分钟` : sources[source]
  if (lost > staleAfter) {
    const lack = `${Math.floor(lost / minute)} 分钟`
    const warning = `行情停在 ${dateTime(time).slice(11)}，${open ? `已 ${lack}未更新` : `缺少其后 ${lack}的变化`}`
    return { text: stampText(open ? name : '行情中断'), look: 'warn', warning }
  }
  if (late > 0) return { text: stampText(name), look: 'warn', warning: null }
  return open
    ? { text: stampText(name), look: 'ok', warning: null }
    : { text: stampText(`${sessionEnd(time)}收盘`), look: 'quiet', warning: null }
}

/** The morning's last prices are not the day's. */
const sessionEnd = (time: string) => (time.slice(11, 16) < '12:00' ? '午间' : '')
