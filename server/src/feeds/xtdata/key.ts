import { createHash, timingSafeEqual } from 'node:crypto'
import { errorCodes } from '@convexa/contract/enums/error-code'
import { throwApiError } from '../../base/api-error.ts'
import type { Config } from '../../config/config.ts'

/** @throws ApiError 24008 the feed is off, or the key is another */
export function needFeedKey({ feeds }: Pick<Config, 'feeds'>, given: string | string[] | undefined): void {
  const { key } = feeds.xtdata
  if (!feeds.on.includes('xtdata') || key === '' || typeof given !== 'string') throwApiError(errorCodes.invalidApiKey)
  if (!timingSafeEqual(digest(given), digest(key))) throwApiError(errorCodes.invalidApiKey)
}

const digest = (text: string): Buffer => createHash('sha256').update(text).digest()
