import type { TradingConfigBody } from '@convexa/contract'
import { errorCodes } from '@convexa/contract/enums/error-code'
import { tradingSentence } from '@convexa/contract/rules/trading-config'
import { throwApiError } from '../base/api-error.ts'

/**
 * A wrong trading config is refused by its sentence, never bent.
 * @throws ApiError 24003 with what is wrong
 */
export function checkTrading(given: TradingConfigBody): void {
  const wrong = tradingSentence(given)
  if (wrong !== null) throwApiError(errorCodes.invalidTradingConfig, wrong)
}
