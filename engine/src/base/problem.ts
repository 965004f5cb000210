import type { Problem } from '../expression/index.ts'
import { sentence } from '../expression/problem.ts'

/** What asks: a screen's mistakes are 40000, a backtest's 23001 (reliability.md 6.2). */
export type ErrorContext = 'screen' | 'backtest'

const codes = { screen: 40000, backtest: 23001 } as const
const openings = { screen: '请求参数有误：', backtest: '回测参数有误：' }

/** A mistake in a request, as the user reads it. */
export function refusal(context: ErrorContext, text: string): Problem {
  return { code: codes[context], places: [text], message: sentence(openings[context] + text) }
}

/** A range that the data do not hold. */
export function rangeRefusal(first: string | undefined, last: string | undefined): Problem {
  const held = first && last ? `（数据为 ${first} 至 ${last}）` : ''
  return { code: 21007, places: [], message: `日期范围无效或超出数据区间${held}` }
}
