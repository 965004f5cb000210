import type { Security } from '../src/panel/panel.ts'

/** A security with what a test does not care about filled in. */
export function security(over: Partial<Security> & { code: string }): Security {
  return {
    name: `测试${over.code.slice(0, 6)}`,
    pinyin: 'cs',
    board: 'SZSE_MAIN',
    listed: null,
    delisted: null,
    lastDay: null,
    lastDayKnown: null,
    redemptionPrice: null,
    issuer: over.code,
    attributes: {},
    ...over,
  }
}
