import { describe, expect, test } from 'vitest'
import { CallError } from '../../api/messages.ts'
import { type BasketChoice, type BasketSource, basketProblem, bodyOf, refusalOf, weighingsOf } from './basket.ts'

const choice: BasketChoice = { capital: 10, weighing: 1, reserve: 0.02, name: '双低' }
const listed: BasketSource = {
  ...{ kind: 'cb', name: '双低', tradeDate: '2026-11-20' },
  items: [
    { code: '110901.SH', score: 90, weight: 0.6 },
    { code: '123901.SZ', score: 80, weight: 0.4 },
  ],
}

describe('what is sent for a list', () => {
  const cases: readonly [name: string, weighing: BasketChoice['weighing'], sent: object][] = [
    ['its own weights', 0, { hold_weight_type: 1, list_items: [{ weight: 0.6 }, { weight: 0.4 }] }],
    ['equal weights', 1, { hold_weight_type: 1, list_items: [{ code: '110901.SH' }, { code: '123901.SZ' }] }],
    ['weights by score', 4, { hold_weight_type: 4, list_items: [{ score: 90 }, { score: 80 }] }],
    ['weights by volatility', 5, { hold_weight_type: 5, trade_date: '2026-11-20', capital: 10, reserve_cash: 0.02 }],
  ]
  test.each(cases)('by %s', (_, weighing, sent) => {
    expect(bodyOf(listed, { ...choice, weighing })).toMatchObject(sent)
  })

  test('says nothing of weights or scores that were not chosen', () => {
    expect(bodyOf(listed, choice).list_items).toEqual([{ code: '110901.SH' }, { code: '123901.SZ' }])
  })
})

test('a list without weights or scores is not offered to be weighed by them', () => {
  const bare = { ...listed, items: [{ code: '110901.SH', score: null }, { code: '123901.SZ' }] }
  expect(weighingsOf(bare).map(({ value }) => value)).toEqual([1, 2, 3, 5])
  expect(weighingsOf(listed).map(({ value }) => value)).toEqual([0, 1, 2, 3, 4, 5])
})

test.each<[wrong: Partial<BasketChoice>, words: RegExp | null]>([
  [{}, null],
  [{ capital: null }, /总资金/],
  [{ capital: 0 }, /总资金/],
  [{ capital: Number.NaN }, /总资金/],
  [{ reserve: Number.NaN }, /现金预留/],
  [{ reserve: 0.95 }, /现金预留/],
  [{ name: '名'.repeat(51) }, /文件名/],
])('%o is said to be wrong before it is sent: %s', (wrong, words) => {
  const said = basketProblem(listed, { ...choice, ...wrong })
  if (words) expect(said).toMatch(words)
  else expect(said).toBeNull()
})

test('a refusal that stands is explained, with a newer list where that helps; any other may be tried again', () => {
  const refused = (code: number) => refusalOf(new CallError('response', '信号数据不是最新交易日（数据截至 2026-11-19），已停止导出', code))
  expect(refused(24011)).toMatchObject({ title: '演示数据不能用于交易', refresh: false })
  expect(refused(24006)).toMatchObject({ title: expect.stringContaining('2026-11-19'), refresh: true })
  expect(refused(24007)).toMatchObject({ refresh: false })
  expect(refused(50301)).toBeNull()
})
