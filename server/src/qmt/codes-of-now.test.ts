import { expect, it } from 'vitest'
import { codeNow, renamedBy, underCodesOfNow, underNewCodes, withFormerCodes } from './codes-of-now.ts'
import { checksumOf, underCodesOfDay } from './targets.ts'

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

it('a change counts from its first day, over several changes to the last code', () => {
  const changes = [
    ['430017.BJ', '830017.BJ', '2025-01-06'],
    ['830017.BJ', '920017.BJ', '2025-10-09'],
  ] as const
  expect([...renamedBy(changes, '2025-10-08')]).toEqual([['430017.BJ', { to: '830017.BJ', day: '2025-01-06' }]])
  expect([...renamedBy(changes, '2025-10-09')]).toEqual([
    ['430017.BJ', { to: '920017.BJ', day: '2025-01-06' }],
    ['830017.BJ', { to: '920017.BJ', day: '2025-10-09' }],
  ])
})

it('targets that were made before a change was known name what trades on their day, nothing twice', () => {
  const item = (code: string, rank: number) => ({ code, name: code, rank, weight: 0.5, ref_price: 7, lot_min: 100, lot_step: 1 })
  const body = {
    ...{ config_id: 'c', config_version: 1, date: '2025-10-09', signal_date: '2025-09-30', money: 98_000 },
    ...{ generated_at: '', valid_until: '', items: [item('430017.BJ', 1), item('600001.SH', 2), item('920017.BJ', 3)] },
  }
  const renamed = renamedBy([['430017.BJ', '920017.BJ', '2025-10-09']], '2025-10-09')
  const now = underCodesOfDay(body, { renamed })
  expect(now.items).toEqual([item('920017.BJ', 1), item('600001.SH', 2)])
  expect(checksumOf(now)).not.toBe(checksumOf(body))
  expect(underCodesOfDay(body, { renamed: new Map() })).toBe(body)
})

it('data of the evening before a change name the security by the code that will trade, and data with both codes by the new one', () => {
  const renamed = renamedBy([['430017.BJ', '920017.BJ', '2025-10-09']], '2025-10-09')
  const before = underNewCodes(new Map([['430017.BJ', { code: '430017.BJ', close: 7 }]]), renamed)
  expect([...before.values()]).toEqual([
    { code: '920017.BJ', close: 7 },
    { code: '920017.BJ', close: 7 },
  ])
  const both = underNewCodes(
    new Map([
      ['430017.BJ', { code: '430017.BJ', close: 7 }],
      ['920017.BJ', { code: '920017.BJ', close: 8 }],
    ]),
    renamed,
  )
  expect(both.get('430017.BJ')).toEqual({ code: '920017.BJ', close: 8 })
})
