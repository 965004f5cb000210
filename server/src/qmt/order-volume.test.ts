import { readFileSync } from 'node:fs'
import { markets, type Security } from '@convexa/engine'
import { expect, test } from 'vitest'
import { boardOfBond, boardOfStock } from '../market/import/code.ts'
import { orderVolume } from './order-volume.ts'

// The client's Python reads the same cases.
const casesOf = <Case>(name: string): Case[] =>
  JSON.parse(readFileSync(new URL(`../../../qmt-client/test/${name}-cases.json`, import.meta.url), 'utf8')) as Case[]

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
test.each(casesOf<Case>('volume').map((one) => [one.name, one] as const))('%s', (_name, one) => {
  const [min, step] = one.lot
  expect(orderVolume(one.side, one.gap, one.saleable, one.account, { min, step }, one.price, one.order_max, one.money)).toBe(one.volume)
})

interface LotCase {
  readonly kind: 'cb' | 'stk'
  readonly code: string
  readonly min: number
  readonly step: number
}

test('the lots of boards are those that the client takes where neither targets nor facts name a security', () => {
  const lots = casesOf<LotCase>('lot').map(({ kind, code }) => {
    const board = kind === 'cb' ? boardOfBond(code, undefined) : boardOfStock(code)
    return { kind, code, ...markets[kind].lot({ board } as Security, '2026-11-23') }
  })
  expect(lots).toEqual(casesOf<LotCase>('lot'))
})
