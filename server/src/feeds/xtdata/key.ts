import { createHash, timingSafeEqual } from 'node:crypto'
import type { Config } from '../../config/config.ts'
import { fail } from '../../http/fail.ts'

/** @throws Failure 24008 the feed is off, or the key is another */
export function needFeedKey({ feeds }: Pick<Config, 'feeds'>, given: string | string[] | undefined): void {
  const { key } = feeds.xtdata
  if (!feeds.on.includes('xtdata') || key === '' || typeof given !== 'string') fail(24008)
  if (!timingSafeEqual(digest(given), digest(key))) fail(24008)
}

const digest = (text: string): Buffer => createHash('sha256').update(text).digest()
