import { expect, it } from 'vitest'
import { codesIn } from './codes.ts'

const securities = [
  { code: '113050.SH', name: '南银转债' },
  { code: '128034.SZ', name: '江银转债' },
  { code: '000002.SZ', name: '万  科Ａ' },
  { code: '920017.BJ', name: '星昊医药', former_codes: ['430017.BJ'] },
]

it.each([
  ['113050 128034', ['113050.SH', '128034.SZ'], []],
  ['113050.SH，128034.sz', ['113050.SH', '128034.SZ'], []],
  ['SH113050\nsz.128034', ['113050.SH', '128034.SZ'], []],
  ['南银转债、江银转债', ['113050.SH', '128034.SZ'], []],
  ['１１３０５０，江银转债', ['113050.SH', '128034.SZ'], []],
  ['万科A 万科Ａ', ['000002.SZ'], []],
  ['430017 BJ430017 920017', ['920017.BJ'], []],
  ['113050, 999999, 113050', ['113050.SH'], ['999999']],
])('%s', (text, known, unknown) => expect(codesIn(text, securities)).toEqual({ known, unknown }))
