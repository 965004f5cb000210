/**
 * The words in which Tushare says no over a season, drawn and written down before it is asked, and how long each forbids to ask again
 * (providers.md 10.4): a call before that time has come is a fault of the caller.
 */

import { addDays } from '../../src/market/calendar.ts'
import type { Random } from '../../src/market/demo/random.ts'
import { momentOf } from './moments.ts'

/** How long nobody may ask again: until so many ms later, until midnight in Shanghai, or until an operator has asked. */
type Rest = number | 'midnight' | 'operator'

interface Wording {
  readonly words: string
  readonly rest: Rest
  /** Of the whole source, not of one api. */
  readonly isOfAll?: true
}

const hourMs = 3_600_000
const minuteMs = 60_000
const link = '权限的具体详情访问：https://tushare.pro/document/1?doc_id=108。'
/** For some minutes of an afternoon. */
const short: readonly Wording[] = [
  { words: `抱歉，您每分钟最多访问该接口200次，${link}`, rest: minuteMs },
  { words: `抱歉，您访问接口(%)频率超限(400次/分钟)，具体频次详情：${link}`, rest: minuteMs },
  { words: '抱歉，您访问接口(%)频率超限(10次/小时)', rest: hourMs },
  { words: '接口%不包含字段', rest: hourMs },
]
/** Until the end of a day. */
const long: readonly Wording[] = [
  { words: '抱歉，您每天最多访问该接口20000次', rest: 'midnight' },
  { words: '抱歉，您访问接口(%)频率超限(100次/天)', rest: 'midnight' },
  { words: `抱歉，您没有接口(%)访问权限，${link}`, rest: 'midnight' },
  { words: '抱歉，您的IP数量超限，最大数量为5个！', rest: 'midnight', isOfAll: true },
  { words: '检测到您存在恶意行为，现已被系统禁用', rest: 'operator', isOfAll: true },
]
export const noRight = `抱歉，您没有接口(cb_price_chg)访问权限，${link}`

const apis = ['daily', 'adj_factor', 'daily_basic', 'cb_daily', 'cb_basic', 'cb_call', 'stock_basic', 'namechange'] as const

interface Refusing extends Wording {
  readonly api: string
  readonly from: number
  readonly until: number
}

export interface Refusals {
  /** What is said to a call; null: it is answered. */
  said(api: string, at: number): string | null
  /** Whether an api may not be asked at a moment, for what was said before. */
  rests(api: string, at: number): boolean
  /** An operator has asked by hand: a ban is over. */
  release(at: number): void
  readonly releasedAt: number
  /** How often each was said. */
  readonly counts: ReadonlyMap<string, number>
}

export function drawRefusals(days: readonly string[], random: Random): Refusals {
  const drawn: Refusing[] = []
  for (const day of days.slice(1)) {
    const api = apis[random.whole(0, apis.length - 1)]!
    const from = momentOf(day, '16:30') + random.whole(0, 6) * hourMs * 0.5
    const [some, lasting] = [short[random.whole(0, short.length - 1)]!, long[random.whole(0, long.length - 1)]!]
    const minutes = random.whole(1, 40)
    if (random.chance(0.3)) drawn.push({ ...some, api, from: momentOf(day, '16:30'), until: momentOf(day, '16:30') + minutes * 60_000 })
    else if (random.chance(0.15)) drawn.push({ ...lasting, api, from, until: momentOf(addDays(day, 1), '00:00') })
  }
  const resting = new Map<string, number>()
  const counts = new Map<string, number>()
  let releasedAt = 0
  const rests = (api: string, at: number) => [api, 'all'].some((key) => at < (resting.get(key) ?? 0))
  return {
    get releasedAt() {
      return releasedAt
    },
    counts,
    rests,
    said(api, at) {
      const found = drawn.find(
        (each) => (each.isOfAll || each.api === api) && at >= each.from && at < each.until && each.from >= releasedAt,
      )
      if (!found) return null
      const { words, rest, isOfAll, until } = found
      counts.set(words, (counts.get(words) ?? 0) + 1)
      const end = rest === 'operator' ? Number.POSITIVE_INFINITY : rest === 'midnight' ? until : at + rest
      resting.set(isOfAll ? 'all' : api, end)
      return words.replace('%', api)
    },
    release(at) {
      if (resting.get('all') === Number.POSITIVE_INFINITY) [releasedAt] = [at, resting.delete('all')]
    },
  }
}
