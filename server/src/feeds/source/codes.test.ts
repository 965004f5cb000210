import { expect, it } from 'vitest'
import { isStock } from './codes.ts'

it.each(['600519.SH', '688981.SH', '689009.SH', '001872.SZ', '301089.SZ', '430047.BJ', '831010.BJ', '870436.BJ', '920002.BJ'])(
  '%s is a share',
  (code) => expect(isStock(code)).toBe(true),
)

it.each(['899050.BJ', '880005.BJ', '880005.SH', '400001.BJ', '404001.BJ', '820001.BJ', '810010.BJ', '900901.SH', '200002.SZ', '920002.SH'])(
  '%s is none: an index, a preferred, directed, delisted or B share',
  (code) => expect(isStock(code)).toBe(false),
)
