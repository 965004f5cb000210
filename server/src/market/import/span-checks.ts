/**
 * Findings on beginnings and ends that were derived from rows alone: securities that may have been listed before, that have left, or that
 * may have left.
 */

import { ruleForms } from '@convexa/contract/enums/rule-forms'
import type { Finding } from '../../db/tables/quality.ts'
import { rulesOf } from '../market-rules.ts'
import type { Arranged } from './arrange.ts'
import type { Companion } from './companions.ts'

/** From so many trading days without a row on a security that is still held as suspended is named. */
const silentDays = 20
/** Of the shares of a market that end on one day, beyond which a file may leave securities out. */
const mostEndingTogether = 0.02
/** 暂停上市 was abolished then: before, shares stood for a year and came back. */
const lastOfLongSuspensions = '2021-12-31'
const endsAfterForLongSuspensions = 500
const mostNamed = 20
/** First day on which all shares of Beijing trade under 920 codes. */
const beijingChange = '2025-10-09'

interface Read {
  readonly endsAfter: number
  /** The file itself says who is listed. */
  readonly hasListedFlags: boolean
  /** The mapping says after how many days a share has left. */
  readonly isChosen: boolean
  /** What tables beside the file say, by code. */
  readonly about: ReadonlyMap<string, Companion>
}

export function judgeSpans(
  { kind, dates, securities, stride, listed, traded }: Arranged,
  { endsAfter, hasListedFlags, isChosen, about }: Read,
): Finding[] {
  if (kind === 'index') return []
  const findings: Finding[] = []
  const warn = (check: string, text: string, named: readonly string[]) => {
    if (named.length > 0) findings.push({ check, level: 'warning', count: named.length, text, examples: named.slice(0, mostNamed) })
  }
  if (hasListedFlags) {
    const others = securities.flatMap(({ code, listed: day }) => {
      const listedDay = about.get(code)?.listed
      return day !== null && listedDay !== undefined && listedDay < day ? [`${code} ${day}（列表 ${listedDay}）`] : []
    })
    warn('listing_day', '上市标记列的上市首日晚于列表的上市日，按上市标记列', others)
    return findings
  }
  const isListedOn = (t: number, i: number) => listed[t * stride + i] === 1
  const unknown = securities.flatMap((security, i) => {
    if (security.listed !== null || isListedOn(0, i)) return []
    const first = dates.findIndex((_, t) => isListedOn(t, i))
    return first < 0 ? [] : [`${security.code} ${dates[first]}`]
  })
  warn(
    'listing_unknown',
    '首行不能认定为上市首日，上市天数按未知处理，不当作新上市；要给出上市日，请在文件旁放含 ts_code、list_date 列的 stock_basic 表（可转债为 cb_basic），或在映射中用 listed 指定上市标记列',
    unknown,
  )
  const last = dates.length - 1
  const endsWithoutRows = rulesOf(kind)?.endsWithoutRows ?? false
  if (endsWithoutRows) {
    const ended = securities.flatMap(({ code, lastDay, delisted }) => (delisted === null ? [] : [{ code, lastDay }]))
    warn(
      'ended',
      `行情在文件结束前已终止的股票，按已退出处理（连续 ${endsAfter} 个交易日没有行，或列表载明退市），最后交易日为其最后成交日`,
      ended.map(({ code, lastDay }) => `${code} ${lastDay ?? ''}`.trim()),
    )
    for (const day of new Set(ended.map(({ lastDay }) => lastDay))) {
      const codes = ended.filter(({ lastDay }) => lastDay === day)
      if (day === null || codes.length <= mostEndingTogether * securities.length) continue
      warn(
        'ended_together',
        `${day} 之后有 ${codes.length} 只股票同时没有行情，超过全部的 ${mostEndingTogether * 100}%，文件可能漏了证券`,
        codes.map(({ code }) => code),
      )
    }
    if (!isChosen && dates[last]! <= lastOfLongSuspensions) {
      findings.push({
        check: 'ends_after',
        level: 'warning',
        count: 0,
        text: `文件到 ${dates[last]} 为止，当时有停牌一年以上又复牌的股票；请用 --ends-after ${endsAfterForLongSuspensions}（或映射的 ends_after）重新导入（现按 ${endsAfter} 个交易日没有行即为退出）`,
        examples: [],
      })
    }
  }
  if (ruleForms[kind].boards.includes('BSE') && dates[last]! >= beijingChange) {
    const old = securities.flatMap(({ code }, i) => {
      if (!code.endsWith('.BJ') || code.startsWith('92')) return []
      let t = last
      while (t >= 0 && traded[t * stride + i] === 0) t--
      return t >= 0 && dates[t]! < beijingChange ? [`${code} 自 ${dates[t]} 之后`] : []
    })
    warn(
      'code_changed',
      `北交所股票自 ${beijingChange} 起换用 920 代码，以下旧代码此后没有行情而不在代码变更表中，可能已换新代码；请用 ./convexa feed codes add 补充后重新导入`,
      old,
    )
  }
  const silent = securities.flatMap(({ code }, i) => {
    if (!isListedOn(last, i)) return []
    let t = last
    while (t >= 0 && isListedOn(t, i) && traded[t * stride + i] === 0) t--
    return last - t >= silentDays ? [`${code} ${t >= 0 && isListedOn(t, i) ? `自 ${dates[t]} 之后` : '从未成交'}`] : []
  })
  const how = endsWithoutRows
    ? `；按停牌保留，连续 ${endsAfter} 个交易日没有行才按退出处理（映射的 ends_after，或 --ends-after）`
    : '，按停牌保留'
  warn('silent', `到文件结束已有 ${silentDays} 个交易日以上没有成交的证券${how}`, silent)
  return findings
}
