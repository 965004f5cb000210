import { type ErrorCode, messageOf } from '@convexa/contract'
import { errorCodes } from '@convexa/contract/enums/error-code'
import type { Problem } from '@convexa/engine'
import type { ComputeRejection } from './protocol.ts'

/** A rejection with the catalogue's own sentence. */
export const rejection = (code: ErrorCode, ...places: (string | number)[]): ComputeRejection => ({
  ok: false,
  code,
  message: messageOf(code, ...places),
  places,
})

/** What needed more memory than there is, in words that help its asker. */
export const tooLarge = (call: string): ComputeRejection =>
  call === 'backtest' ? rejection(errorCodes.invalidRun, '持有只数过多或区间过长，结果超出内存') : rejection(errorCodes.formulaTooCostly)

/** What the engine found wrong in a request, for the wire. */
export const rejectionOfProblem = (problem: Problem): ComputeRejection => ({
  ok: false,
  code: problem.code,
  message: problem.message,
  places: problem.places,
})

/** The same in the place of an answer among others. */
export const rejectionOf = ({ code, message, pos }: Problem): { ok: false } & Pick<Problem, 'code' | 'message' | 'pos'> => ({
  ok: false,
  code,
  message,
  ...(pos && { pos }),
})
