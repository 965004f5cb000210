import { type ErrorCode, messageOf } from '@convexa/contract'
import type { Problem } from '@convexa/engine'
import type { Refusal } from './protocol.ts'

/** A refusal with the catalogue's own sentence. */
export const refusal = (code: ErrorCode, ...places: (string | number)[]): Refusal => ({
  ok: false,
  code,
  message: messageOf(code, ...places),
  places,
})

/** What needed more memory than there is, in words that help its asker. */
export const tooLarge = (call: string): Refusal =>
  call === 'backtest' ? refusal(23001, '持有只数过多或区间过长，结果超出内存') : refusal(22005)

/** What the engine found wrong in a request, for the wire. */
export const refusalOf = (problem: Problem): Refusal => ({
  ok: false,
  code: problem.code,
  message: problem.message,
  places: problem.places,
})

/** The same in the place of an answer among others. */
export const mistakeOf = ({ code, message, pos }: Problem) => ({ ok: false as const, code, message, ...(pos && { pos }) })
