/** What the exchanges do at a moment of Asia/Shanghai. */
export interface MarketClock {
  phase: '盘前' | '集合竞价' | '交易中' | '午间休市' | '已收盘' | '休市'
  open: boolean
  /** `14:32` */
  time: string
  /** `11-20 周五` */
  day: string
  year: number
}

const week = ['周日', '周一', '周二', '周三', '周四', '周五', '周六']
/** Minutes of the day from which a phase holds (SSE and SZSE, since 2006). */
const phases: readonly [from: number, phase: MarketClock['phase']][] = [
  [15 * 60, '已收盘'],
  [13 * 60, '交易中'],
  [11 * 60 + 30, '午间休市'],
  [9 * 60 + 30, '交易中'],
  [9 * 60 + 15, '集合竞价'],
  [0, '盘前'],
]

/** `closed` holds the year's closed dates, weekends included; without it only weekends are known. */
export function marketClock(now: number, closed: ReadonlySet<string> | null): MarketClock {
  // Shanghai has no summer time: UTC + 8 h all year.
  const here = new Date(now + 8 * 3_600_000)
  const date = here.toISOString().slice(0, 10)
  const weekday = here.getUTCDay()
  const minute = here.getUTCHours() * 60 + here.getUTCMinutes()
  const shut = closed ? closed.has(date) : weekday === 0 || weekday === 6
  const phase = shut ? '休市' : (phases.find(([from]) => minute >= from)?.[1] ?? '盘前')
  return {
    phase,
    open: phase === '交易中' || phase === '集合竞价',
    time: here.toISOString().slice(11, 16),
    day: `${date.slice(5)} ${week[weekday]}`,
    year: here.getUTCFullYear(),
  }
}
