import type { ErrorCode } from '@convexa/contract'

/** A stretch of the user's text: offsets from 0, line and column of its start from 1. */
export interface Position {
  readonly start: number
  readonly end: number
  readonly line: number
  readonly column: number
}

/** What a user got wrong. `message` is the whole Chinese sentence; `places` fill the catalogue's text of the code. */
export interface Problem {
  readonly code: ErrorCode
  readonly places: readonly (string | number)[]
  readonly message: string
  readonly pos?: Position
  /** The field of the market that the loaded data lack, when that is the reason. */
  readonly missing?: string
  /** What it could be worked out from instead, and is lacking too. */
  readonly part?: string
}

const longestQuote = 20
const longestMessage = 100

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
  const available = first && last ? `（数据为 ${first} 至 ${last}）` : ''
  return { code: 21007, places: [], message: `日期范围无效或超出数据区间${available}` }
}

/** What the user wrote, as a sentence repeats it: characters that cannot be seen dropped, cut to 20. */
export function quoted(text: string): string {
  return cut(text, longestQuote)
}

/** One line of at most `most` characters. */
function cut(text: string, most: number): string {
  const visible = Array.from(text.slice(0, 4 * most).replace(/\p{C}/gu, ''))
  return visible.length > most ? `${visible.slice(0, most - 1).join('')}…` : visible.join('')
}

/** A sentence for the user: one line of at most 100 characters. */
export function sentence(text: string): string {
  return cut(text, longestMessage)
}
