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

/** A stretch of text before its line and column are wanted. */
export interface Span {
  readonly start: number
  readonly end: number
}

/** First mistake in a formula: thrown inside this folder and caught by `compile`. */
export class FormulaError extends Error {
  readonly code: ErrorCode
  readonly places: readonly (string | number)[]
  readonly span: Span | null
  readonly missing: string | null
  readonly part: string | null

  constructor(
    code: ErrorCode,
    message: string,
    span: Span | null,
    places: readonly (string | number)[] = [],
    missing: string | null = null,
    part: string | null = null,
  ) {
    super(message)
    this.code = code
    this.places = places
    this.span = span
    this.missing = missing
    this.part = part
  }
}

const longestQuote = 20
const longestMessage = 100

/** What the user wrote, as a sentence repeats it: characters that cannot be seen dropped, cut to 20. */
export function quoted(text: string): string {
  return cut(text, longestQuote)
}

/** One line of at most `most` characters. */
function cut(text: string, most: number): string {
  const seen = Array.from(text.slice(0, 4 * most).replace(/\p{C}/gu, ''))
  return seen.length > most ? `${seen.slice(0, most - 1).join('')}…` : seen.join('')
}

/** A sentence for the user: one line of at most 100 characters. */
export function sentence(text: string): string {
  return cut(text, longestMessage)
}

/** Line and column of a stretch; a line ends with \n. */
export function position(text: string, span: Span): Position {
  let line = 1
  let lineStart = 0
  for (let i = text.indexOf('\n'); i >= 0 && i < span.start; i = text.indexOf('\n', i + 1)) {
    line++
    lineStart = i + 1
  }
  return { start: span.start, end: span.end, line, column: span.start - lineStart + 1 }
}

/** The error as the caller of `compile` gets it, with its place written into the sentence. */
export function problemOf(refusal: FormulaError, text: string): Problem {
  const pos = refusal.span ? position(text, refusal.span) : null
  const place = pos ? `（第${pos.line}行第${pos.column}列）` : ''
  const message = sentence(refusal.message.replace('{place}', () => place))
  const places = refusal.code === 22002 && pos ? [pos.line, pos.column] : refusal.places
  return {
    code: refusal.code,
    places,
    message,
    ...(pos ? { pos } : {}),
    ...(refusal.missing === null ? {} : { missing: refusal.missing }),
    ...(refusal.part === null ? {} : { part: refusal.part }),
  }
}
