import type { ErrorCode } from '@convexa/contract'
import { type Position, type Problem, sentence } from '../base/problem.ts'

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
