import type { StrategySummary } from '@convexa/contract/saved-strategy'
import { percent } from '../../base/format.ts'

// What a glance says in the width of a table cell, and in a sentence for its tooltip.

export interface Words {
  /** `2 换 2`; null: nothing to say. */
  short: string | null
  /** For the tooltip and the reader. */
  long: string
}

/** `2 换 1`: two come for one that leaves. */
export function changeWords(removed: number, added: number): Words {
  if (removed === 0 && added === 0) return { short: null, long: '名单没有变化' }
  const parts = [added > 0 && `新进 ${added} 只`, removed > 0 && `移出 ${removed} 只`].filter(Boolean)
  return { short: `${added} 换 ${removed}`, long: parts.join('，') }
}

export type CallRisk = StrategySummary['call_risk'][number]

export const isFull = ({ count, threshold }: CallRisk) => count !== null && count >= threshold

/** `1 只 · 最近 14/15`, `12 只 · 6 只已满 15/15`; those nearest to a call come first. */
export function callRiskWords(risks: readonly CallRisk[]): Words {
  const [nearest] = risks
  if (!nearest) return { short: null, long: '名单里没有处于强赎计数的转债' }
  const names = risks.map(({ name, count, threshold, last_trade_date: last }) => {
    if (last) return `${name} 已公告强赎，最后交易日 ${last}`
    return count === null ? name : `${name} ${count}/${threshold}`
  })
  const called = risks.filter(({ last_trade_date: last }) => last !== null).length
  const full = risks.filter(isFull).length
  const counted = risks.find(({ count }) => count !== null)
  const how =
    called > 0
      ? `${called} 只已公告`
      : full > 0
        ? `${full} 只已满 ${nearest.threshold}/${nearest.threshold}`
        : counted
          ? `最近 ${counted.count}/${counted.threshold}`
          : ''
  return { short: [`${risks.length} 只`, how].filter(Boolean).join(' · '), long: names.join('；') }
}

/** Positions that have not traded for long: `甲 自 2024-04-10 之后没有成交，占权益 33.3%`; null where there are none. */
export function silentWords(silent: StrategySummary['silent'] = []): string | null {
  if (silent.length === 0) return null
  const named = silent.slice(0, 3).map(({ name, code, since, weight, missing_bar: isMissing }) => {
    return `${name}${name === code ? '' : `（${code}）`}自 ${since} 之后没有成交，${isMissing ? '当日缺行情，' : ''}占权益 ${percent(weight)}`
  })
  return `${named.join('；')}${silent.length > 3 ? `；另有 ${silent.length - 3} 只` : ''}`
}

/** How such positions are held: one whose bar has not come is not known to be suspended. */
export function silentHandling(silent: StrategySummary['silent'] = []): string {
  const missing = silent.filter(({ missing_bar: isMissing }) => isMissing).length
  if (missing === silent.length) return '按最近收盘价计值，行情补到后自动更正'
  return `${missing > 0 ? '缺行情的按最近收盘价计值，其余' : ''}按停牌持有，也可能已经退市而数据没有写明`
}

/** Days of a count that are still missing: so near is worth a word. */
const nearCall = 5

/** Whether a bond's count is full, nearly full, or it is called: what a person would want to be told of. */
export const isUrgent = ({ count, threshold, last_trade_date: last }: CallRisk): boolean =>
  last !== null || (count !== null && threshold - count <= nearCall)
