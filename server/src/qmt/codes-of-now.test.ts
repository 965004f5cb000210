import { expect, it } from 'vitest'
import { codeNow, underCodesOfNow, withFormerCodes } from './codes-of-now.ts'

const quote = (code: string) => [code, { code }] as const
const quotes = withFormerCodes([quote('600001.SH'), quote('920017.BJ')], [{ code: '920017.BJ', formerCodes: ['430017.BJ'] }])

it.each([
  ['430017.BJ', '920017.BJ'],
  ['920017.BJ', '920017.BJ'],
  ['600001.SH', '600001.SH'],
  ['699999.SH', '699999.SH'],
])('%s is %s in the data', (given, code) => expect(codeNow({ quotes }, given)).toBe(code))

it('what is held under a former code and under the code of now is one position', () => {
  const holdings = [
    { code: '430017.BJ', volume: 300 },
    { code: '600001.SH', volume: 100 },
    { code: '920017.BJ', volume: 200 },
  ]
  expect(underCodesOfNow({ quotes }, holdings)).toEqual([
    { code: '920017.BJ', volume: 500 },
    { code: '600001.SH', volume: 100 },
  ])
})
