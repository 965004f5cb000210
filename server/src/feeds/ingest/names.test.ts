import type { Security } from '@convexa/engine'
import { expect, it } from 'vitest'
import type { Named } from '../../db/tables/fact-value.ts'
import { isSpecial, nameOn, specialDays, withSpecialDays } from './names.ts'

const named = (from: string, name: string): Named => ({ code: '000001.SZ', name, from, announced: from })
const history = [
  named('2020-01-01', '深发展'),
  named('2022-05-06', 'ST深发'),
  named('2022-05-20', '*ST深发'),
  named('2023-06-01', '深发展'),
  named('2024-05-06', 'S*ST深发'),
]

it.each([
  ['2019-12-31', null],
  ['2022-05-05', '深发展'],
  ['2022-05-06', 'ST深发'],
  ['2023-05-31', '*ST深发'],
  ['2023-06-01', '深发展'],
  ['2026-01-01', 'S*ST深发'],
])('on %s it was called %s, in whatever order the names are told', (day, name) => {
  expect(nameOn(history, day)).toBe(name)
  expect(nameOn(history.toReversed(), day)).toBe(name)
})

it('it was ST from the first such name to the next other one', () => {
  const days = [
    { from: '2022-05-06', to: '2023-06-01', text: '1' },
    { from: '2024-05-06', to: null, text: '1' },
  ]
  expect(specialDays(history)).toEqual(days)
  expect(specialDays(history.toReversed())).toEqual(days)
  expect(specialDays([named('2020-01-01', 'BEST股份')])).toEqual([])
})

it.each(['ST甲', '*ST甲', 'S*ST甲', 'SST亚华', '＊ＳＴ海润', '*ST 中珠', 'Ｓ*ＳＴ亚华'])('%s is the name of an ST', (name) =>
  expect([isSpecial(name), isSpecial(`甲${name}`)]).toEqual([true, false]),
)

it('securities keep what else they are told, and lose days that were none', () => {
  const of = (dated?: Security['dated']) => [{ code: '000001.SZ', ...(dated && { dated }) } as Security]
  const shares = [{ from: null, to: null, text: '3' }]
  const st = [{ from: '2019-01-01', to: null, text: '1' }]
  const names = new Map([['000001.SZ', history.slice(0, 1)]])
  expect(withSpecialDays(of({ total_share: shares, is_st: st }), names)[0]!.dated).toEqual({ total_share: shares })
  expect(withSpecialDays(of({ is_st: st }), names)[0]).toEqual({ code: '000001.SZ' })
  expect(withSpecialDays(of({ is_st: st }), new Map())[0]!.dated).toEqual({ is_st: st })
})
