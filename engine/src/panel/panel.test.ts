import { expect, test } from 'vitest'
import { chance } from '../../test/fixtures/chance.ts'
import { carryForward, carryThrough, fillUntraded } from './panel.ts'

const days = 40

/** A column of absent, infinite and finite cells, and masks that begin at `offset` in their memory. */
function made(stride: number, offset: number) {
  const luck = chance(stride + offset)
  const mask = (share: number) => new Uint8Array(offset + days * stride).map(() => (luck.next() < share ? 1 : 0)).subarray(offset)
  const column = new Float64Array(days * stride).map(() =>
    luck.next() < 0.5 ? Number.NaN : luck.next() < 0.1 ? Number.POSITIVE_INFINITY : 5,
  )
  return { column, listed: mask(0.8), traded: mask(0.7), stride }
}

const shapes = [
  [8, 0],
  [12, 4],
  [7, 0],
  [8, 3],
]

test.each(shapes)('a value stays over days without a trade and only over them, in rows of %i that begin at %i', (stride, offset) => {
  const { column, listed, traded } = made(stride, offset)
  const [from, to] = [3, 31]
  const slow = (isHeld: (at: number) => boolean) => {
    const cells = column.slice()
    for (let at = from * stride; at < to * stride; at++) {
      const isInside = listed[at] === 1 && listed[at - stride] === 1
      if (Number.isNaN(cells[at]) && isInside && isHeld(at)) cells[at] = cells[at - stride]
    }
    return cells
  }
  const [price, factor] = [column.slice(), column.slice()]
  carryForward(price, { listed, traded, stride }, from, to)
  carryThrough(factor, { listed, traded, stride }, from, to)
  expect(price).toEqual(slow((at) => traded[at] === 0))
  expect(factor).toEqual(slow(() => true))
  expect(price).not.toEqual(factor)
  expect(price).not.toEqual(column)
})

test.each(shapes)('who is listed and idle has traded nothing, in rows of %i that begin at %i', (stride, offset) => {
  const { column, listed, traded } = made(stride, offset)
  const [from, to] = [3, 31]
  const slow = column.map((value, at) => {
    const day = Math.floor(at / stride)
    const isIdle = day >= from && day < to && listed[at] === 1 && traded[at] === 0
    return isIdle && Number.isNaN(value) ? 0 : value
  })
  fillUntraded(column, { listed, traded, stride }, from, to)
  expect(column).toEqual(slow)
  expect(slow.includes(0)).toBe(true)
  // No days: nothing to do.
  fillUntraded(column, { listed, traded, stride }, to, from)
  expect(column).toEqual(slow)
})
