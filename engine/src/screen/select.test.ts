import { describe, expect, it } from 'vitest'
import { type Ranked, type SelectionRules, select } from './select.ts'

/** Securities are single letters; the order is written best first. */
const letters = 'abcdefghijklmnopqrstuvwxyz'
const ids = (text: string) => [...text].map((letter) => letters.indexOf(letter))
const text = (securities: readonly number[]) => securities.map((i) => letters[i]).join('')

function ranking(order: string): Ranked {
  const at = ids(order)
  const place = (security: number) => at.indexOf(security) + 1
  return { size: at.length, at: (nth) => at[nth - 1], place, nearPlace: place }
}

const rules = (over: Partial<SelectionRules>): SelectionRules => ({
  first: 1,
  last: 3,
  buffer: 0,
  perIssuer: 0,
  issuer: Int32Array.from(letters, (_, i) => i >> 1),
  emptySlot: 'next',
  ...over,
})

describe('selection', () => {
  it.each([
    { story: 'the first of the order', order: 'dacbe', held: '', over: {}, expected: 'dac' },
    { story: 'without a buffer a held one in fourth place goes', order: 'dacbe', held: 'b', over: {}, expected: 'dac' },
    { story: 'with a buffer of 1 it stays and comes first', order: 'dacbe', held: 'b', over: { buffer: 1 }, expected: 'bda' },
    { story: 'in fifth place it does not', order: 'dacbe', held: 'e', over: { buffer: 1 }, expected: 'dac' },
    { story: 'at most H are kept, the best', order: 'dacbe', held: 'ebca', over: { buffer: 2 }, expected: 'acb' },
    { story: 'kept by place, then newcomers by place', order: 'dacbe', held: 'bc', over: { buffer: 2 }, expected: 'cbd' },
    { story: 'without a buffer the plain order, held or not', order: 'dacbe', held: 'cd', over: {}, expected: 'dac' },
    { story: 'a held one outside the pool goes', order: 'dacbe', held: 'z', over: { buffer: 9 }, expected: 'dac' },
    { story: 'places 2 to 3', order: 'dacbe', held: '', over: { first: 2 }, expected: 'ac' },
    { story: 'places 2 to 3: a held first goes too', order: 'dacbe', held: 'd', over: { first: 2, buffer: 1 }, expected: 'ac' },
    { story: 'a pool smaller than the holding', order: 'da', held: '', over: {}, expected: 'da' },
    { story: 'an empty pool', order: '', held: 'a', over: {}, expected: '' },
    { story: 'one of an issuer (ab, cd, ef …)', order: 'dcabef', held: '', over: { perIssuer: 1 }, expected: 'dae' },
    {
      story: 'the buffer does not keep a second of an issuer',
      order: 'abcdef',
      held: 'ab',
      over: { perIssuer: 1, buffer: 3 },
      expected: 'ace',
    },
  ])('$story', ({ order, held, over, expected }) => {
    const got = select(
      ranking(order),
      rules(over),
      ids(held),
      () => false,
      () => true,
    )
    expect(text(got)).toBe(expected)
  })

  it('the next place stands in for one that cannot be bought', () => {
    const canBuy = (security: number) => security !== letters.indexOf('a')
    expect(text(select(ranking('dacbe'), rules({}), [], () => false, canBuy))).toBe('dcb')
  })

  it('or its place stays cash', () => {
    const canBuy = (security: number) => security !== letters.indexOf('a')
    expect(text(select(ranking('dacbe'), rules({ emptySlot: 'cash' }), [], () => false, canBuy))).toBe('dc')
  })

  it('a held one needs no buying', () => {
    expect(
      text(
        select(
          ranking('dacbe'),
          rules({}),
          ids('a'),
          () => false,
          (i) => i !== 0,
        ),
      ),
    ).toBe('dac')
  })

  it('one held for less than the least days stays, even outside the pool', () => {
    const mustStay = (security: number) => security === letters.indexOf('z') || security === letters.indexOf('e')
    expect(text(select(ranking('dacbe'), rules({}), ids('ze'), mustStay, () => true))).toBe('dez')
  })
})
