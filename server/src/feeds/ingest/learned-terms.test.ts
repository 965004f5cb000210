import type { Security } from '@convexa/engine'
import { describe, expect, it } from 'vitest'
import type { BondRow } from '../rows.ts'
import { entryOfBond } from './entries.ts'
import { noFacts } from './facts.ts'
import { learnedSince, membersOf } from './members.ts'
import { noPast, type Past } from './past.ts'

// What a list comes to say of a bond that it had without it.

const code = '113900.SH'
const row: BondRow = {
  ...{ code, name: '甲转债', listed: '2026-11-16', delisted: null, stockCode: '', stockName: null },
  ...{ clauses: { redeem: null, put: null, reset: null }, maturityDate: null, valueDate: null, conversionStart: null, conversionEnd: null },
  ...{ issueSize: 5, remainSize: 5, conversionPrice: 10, firstConversionPrice: 10, coupons: [], maturityPrice: Number.NaN, rating: null },
}
const pastOf = (...securities: Security[]): Past => ({
  ...{ ...noPast('cb'), dates: ['2026-11-17'], securities, stride: securities.length },
  ...{ listed: new Uint8Array(securities.length).fill(1), traded: new Uint8Array(securities.length).fill(1) },
})
const on = (day: string, past: Past, ...rows: BondRow[]): readonly Security[] =>
  membersOf(
    past,
    day,
    new Map(rows.map((each) => [each.code, entryOfBond(each)])),
    noFacts,
    new Set([...rows, ...past.securities].map((each) => each.code)),
  ).securities

const joined = { board: 'SSE_MAIN', stockCode: '601901.SH', issuer: '601901.SH' }

describe('a bond whose row names no share', () => {
  const [first] = on('2026-11-17', pastOf(), row)
  const later = { ...row, stockCode: '601901.SH' }

  it('hangs on nobody: it has no share, is its own issuer and has the board of its code', () => {
    expect(first).not.toHaveProperty('stockCode')
    expect(first).toMatchObject({ board: 'SSE_MAIN', issuer: code })
  })

  it('is joined as soon as the row names one, and its days are made again', () => {
    const now = on('2026-11-18', pastOf(first!), later)
    expect(now[0]).toMatchObject(joined)
    expect(learnedSince(pastOf(first!), '2026-11-18', now)).toBe('2026-11-16')
  })

  it('that was published with an empty one is mended, by the row or without it', () => {
    const stored: Security = { ...first!, board: 'SZSE_MAIN', issuer: '', stockCode: '' }
    expect(on('2026-11-18', pastOf(stored), later)[0]).toMatchObject(joined)
    expect(on('2026-11-18', pastOf(stored), row)[0]).toEqual(first)
  })
})

describe('what a later list fills', () => {
  const [first] = on('2026-11-17', pastOf(), { ...row, stockCode: '601901.SH', coupons: [0.003, null, 0.01] })

  it('of coupons is each year by itself: a known one stays', () => {
    const full = { ...row, stockCode: '601901.SH', coupons: [0.004, 0.006, 0.01, 0.015] }
    const now = on('2026-11-18', pastOf(first!), full)
    expect(now[0]!.terms!.coupons).toEqual([0.3, 0.6, 1, 1.5])
    expect(learnedSince(pastOf(first!), '2026-11-18', now)).toBe('2026-11-16')
    // A shorter list takes nothing away, and is nothing new.
    const shorter = on('2026-11-19', pastOf(now[0]!), { ...full, coupons: [0.004] })
    expect(shorter[0]!.terms!.coupons).toEqual([0.3, 0.6, 1, 1.5])
    expect(learnedSince(pastOf(now[0]!), '2026-11-19', shorter)).toBeNull()
  })

  it('is its day of listing too: its days since then are made again', () => {
    const undated = { ...first!, listed: null }
    const now = on('2026-11-18', pastOf(undated), { ...row, stockCode: '601901.SH', listed: '2021-03-01' })
    expect(now[0]!.listed).toBe('2021-03-01')
    expect(learnedSince(pastOf(undated), '2026-11-18', now)).toBe('2021-03-01')
  })
})
