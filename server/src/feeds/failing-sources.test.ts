import { expect, it } from 'vitest'
import type { FeedErrorKind } from '../db/tables/answers.ts'
import { failingSources } from './failing-sources.ts'
import type { Health } from './health.ts'

const on = ['tushare', 'eastmoney', 'xtdata', 'file']
const since = new Date('2026-11-20T08:30:00Z')
const answered: Pick<Health, 'answeredAt' | 'failedAt' | 'up' | 'fault' | 'why'> = {
  ...{ answeredAt: since, failedAt: null, up: true, fault: null, why: null },
}
const failed = (fault: FeedErrorKind) => ({ ...answered, answeredAt: null, failedAt: since, up: false, fault, why: '没有应答' })

/** What is lost of the bars of bonds, whose chain is all that is on. */
const lost = (states: Record<string, typeof answered | ReturnType<typeof failed>>) => {
  const health = Object.entries(states).map(([source, state]): Health => ({ source, need: 'bond-day', quietUntil: null, ...state }))
  return failingSources(health, on, ['bond-day', 'bond-list']).map(({ source, fault, instead }) => [source, fault, instead])
}

it('says all that were lost before the one that answers', () => {
  expect(lost({ tushare: failed('network'), eastmoney: failed('shape'), file: answered })).toEqual([
    ['tushare', 'network', 'file'],
    ['eastmoney', 'shape', 'file'],
  ])
})

it('says all, where nobody answers: what the operator has no right to as well', () => {
  expect(lost({ tushare: failed('permission'), eastmoney: failed('network'), file: failed('shape') })).toEqual([
    ['tushare', 'permission', null],
    ['eastmoney', 'network', null],
    ['file', 'shape', null],
  ])
})

it('is no loss, what the operator has no right to and another source gives', () => {
  expect(lost({ tushare: failed('permission'), eastmoney: answered })).toEqual([])
  expect(lost({ tushare: failed('credentials'), eastmoney: failed('wait'), file: answered })).toEqual([['eastmoney', 'wait', 'file']])
})

it('does not speak of those behind the one that answers: when they failed is long ago', () => {
  expect(lost({ tushare: answered, eastmoney: failed('network'), file: failed('network') })).toEqual([])
})

it('passes over those that are off or were never asked', () => {
  expect(lost({ sina: failed('network'), eastmoney: failed('network') })).toEqual([['eastmoney', 'network', null]])
  expect(failingSources([], on, ['bond-day'])).toEqual([])
})
