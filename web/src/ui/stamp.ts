import { dateTime } from './dates.ts'

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

/** What is older than this in session hours is not live any more. */
const staleAfter = 60_000
const minute = 60_000

const sources = { live: '实时', delayed: '延迟', close: '收盘', demo: '演示数据' } as const

/** `数据 2026-11-20 14:32:05 · 实时`; amber when the data is simulated, late by contract, or stands still while the market is open. */
export function stampOf({ source, time, date, realtime, delay = 15 }: DataTime, now: number, open: boolean): StampWords {
  const when = realtime ? dateTime(time) : source === 'close' ? date : `${date} 收盘`
  const name = source === 'delayed' ? `延迟 ${delay} 分钟` : sources[source]
  const text = `数据 ${when} · ${name}`
  const age = now - Date.parse(time) - (source === 'delayed' ? delay * minute : 0)
  if (source !== 'demo' && realtime && open && age > staleAfter)
    return { text, look: 'warn', warning: `行情停在 ${dateTime(time).slice(11)}，已 ${Math.max(1, Math.floor(age / minute))} 分钟未更新` }
  if (source === 'demo') return { text, look: 'warn', warning: '模拟生成，非真实行情，不能用于交易' }
  if (source === 'delayed') return { text, look: 'warn', warning: null }
  return { text, look: source === 'live' ? 'ok' : 'quiet', warning: null }
}
