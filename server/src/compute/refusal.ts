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

/** What the engine found wrong in a request, for the wire. */
export const refusalOf = (problem: Problem): Refusal => ({
  ok: false,
  code: problem.code,
  message: problem.message,
  places: problem.places,
})
