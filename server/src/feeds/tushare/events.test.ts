import { describe, expect, it } from 'vitest'
import type { CallRow, RemainingSizeRow } from '../../db/tables/fact-value.ts'
import { agreedCalls, agreedPrices, agreedSizes, type PriceChange } from './events.ts'

const code = '113050.SH'
const change = (price: number, over: Partial<PriceChange> = {}): PriceChange => ({
  ...{ code, announced: '2026-06-01', effective: '2026-06-05', price, before: Number.NaN },
  ...over,
})
const call = (over: Partial<CallRow> = {}): CallRow => ({
  ...{ code, announced: '2026-06-05', status: 'called', callDate: null, price: Number.NaN, registerDate: null },
  ...over,
})
/** The same in whatever order the rows come. */
function bothWays<T, R>(rows: readonly T[], agreed: (rows: readonly T[], asking: { tell(note: string): void }) => R[]) {
  const [there, back] = [rows, rows.toReversed()].map((each) => {
    const told: string[] = []
    return { found: agreed(each, { tell: (note) => told.push(note) }), told }
  })
  expect(back).toEqual(there)
  return there!
}
const told = (what: string, count = 1) => [`同一代码的几行说法不同，${count} 项未采用：${what}`]

describe('two conversion prices of a bond and day', () => {
  const pricesOf = (...rows: PriceChange[]) => {
    const { found, told } = bothWays(rows, agreedPrices)
    return [found.map(({ announced, price }) => [announced, price]), told]
  }

  it.each<[string, PriceChange[], (string | number | null)[][], string[]]>([
    ['that are alike are one', [change(9.5), change(9.5)], [['2026-06-01', 9.5]], []],
    ['that contradict each other are none', [change(9.5), change(9.6)], [], told(`${code} 2026-06-05 2026-06-01 转股价 9.5、9.6`)],
    ['one with its day of publication are one with it', [change(9.5, { announced: null }), change(9.5)], [['2026-06-01', 9.5]], []],
    [
      'of which one does not say when it was published are none, where they differ',
      [change(9.5, { announced: null }), change(9.6)],
      [],
      told(`${code} 2026-06-05 2026-06-01 转股价 9.5、9.6`),
    ],
    [
      'of which the later one was published later are a price and its correction',
      [change(9.5), change(9.6, { announced: '2026-06-03' })],
      [
        ['2026-06-01', 9.5],
        ['2026-06-03', 9.6],
      ],
      [],
    ],
    [
      'of which one goes on from the other are the last one: a dividend and a revision',
      [change(9.8, { before: 10 }), change(8, { before: 9.8 })],
      [['2026-06-01', 8]],
      [],
    ],
    [
      'neither of which goes on from the other are none',
      [change(9.8, { before: 10 }), change(8, { before: 10 })],
      [],
      [expect.stringContaining('8、9.8')],
    ],
  ])('%s', (_, rows, found, notes) => expect(pricesOf(...rows)).toEqual([found, notes]))
})

describe('two notices of a bond and day', () => {
  it('that are alike are one, and what one leaves out the other says', () => {
    const { found, told } = bothWays([call({ price: 100.5 }), call({ registerDate: '2026-06-24' })], agreedCalls)
    expect([found, told]).toEqual([[call({ price: 100.5, registerDate: '2026-06-24' })], []])
  })

  it('that contradict each other say neither, and stay what they agree on', () => {
    const rows = [call({ price: 100.5, registerDate: '2026-06-24' }), call({ price: 100.6, registerDate: '2026-06-24' })]
    const { found, told: notes } = bothWays(rows, agreedCalls)
    expect([found, notes]).toEqual([[call({ registerDate: '2026-06-24' })], told(`${code} 2026-06-05 公告实施强赎 赎回价 100.5、100.6`)])
  })

  it('that decide otherwise are no decision; a hint beside them stays', () => {
    const { found, told: notes } = bothWays([call(), call({ status: 'will_not_call' }), call({ status: 'will_call' })], agreedCalls)
    expect([found, notes]).toEqual([[call({ status: 'will_call' })], told(`${code} 2026-06-05 公告不强赎、公告实施强赎`)])
  })

  it('a hint and a decision are both, the decision behind it', () => {
    const { found } = bothWays([call({ status: 'will_not_call' }), call({ status: 'will_call' }), call({ status: 'met' })], agreedCalls)
    expect(found.map(({ status }) => status)).toEqual(['met', 'will_call', 'will_not_call'])
  })
})

it('two sizes of a bond, day and publication that differ are none', () => {
  const size = (of: number): RemainingSizeRow => ({ code, announced: '2026-07-02', asOf: '2026-06-30', size: of })
  expect(bothWays([size(5), size(5)], agreedSizes)).toEqual({ found: [size(5)], told: [] })
  expect(bothWays([size(5), size(6)], agreedSizes)).toEqual({ found: [], told: told(`${code} 2026-07-02 2026-06-30 剩余规模 5、6`) })
})
