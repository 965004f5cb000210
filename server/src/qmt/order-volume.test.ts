import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { orderVolume } from './order-volume.ts'

// The client's Python reads the same cases.
const file = new URL('../../../qmt-client/test/volume-cases.json', import.meta.url)
interface Case {
  readonly name: string
  readonly side: 'buy' | 'sell'
  readonly gap: number
  readonly saleable: number
  readonly account: number
  readonly lot: readonly [number, number]
  readonly price: number
  readonly order_max?: number
  readonly money?: number
  readonly volume: number
}
const cases = JSON.parse(readFileSync(file, 'utf8')) as Case[]

test.each(cases.map((one) => [one.name, one] as const))('%s', (_name, one) => {
  const [min, step] = one.lot
  expect(orderVolume(one.side, one.gap, one.saleable, one.account, { min, step }, one.price, one.order_max, one.money)).toBe(one.volume)
})
