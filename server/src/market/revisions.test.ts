import { expect, it } from 'vitest'
import { isRevision, openProposal } from './revisions.ts'

it.each([
  ['by the exchange’s previous close', { before: 10, now: 8, closeBefore: 9, closeNow: 9.1, left: 1 }, true],
  ['that the ex-day explains to 2 %', { before: 10, now: 8.2, closeBefore: 9, closeNow: 7.5, left: 0.83 }, false],
  ['beyond the ex-day', { before: 10, now: 8, closeBefore: 9, closeNow: 7.5, left: 0.83 }, true],
  ['without ex-days, the share stood', { before: 10, now: 9.4, closeBefore: 9, closeNow: 9, left: Number.NaN }, true],
  ['without ex-days, the share fell by half as much', { before: 10, now: 8, closeBefore: 10, closeNow: 8.9, left: Number.NaN }, false],
  ['up', { before: 10, now: 11, closeBefore: 10, closeNow: 10, left: 1 }, false],
])('a cut of the conversion price %s', (_name, cut, isOne) => {
  expect(isRevision(cut)).toBe(isOne)
})

it('a proposal is open until it is settled, refused or sixty days old', () => {
  const proposal = { date: '2024-01-02', kind: 'reset_proposal' } as const
  expect(openProposal([proposal], '2024-03-02')).toBe(proposal)
  expect(openProposal([proposal], '2024-03-03')).toBeUndefined()
  expect(openProposal([proposal], '2024-01-02')).toBeUndefined()
  expect(openProposal([proposal, { date: '2024-01-20', kind: 'reset', effective: '2024-01-21' }], '2024-02-01')).toBeUndefined()
  expect(openProposal([proposal, { date: '2024-01-20', kind: 'no_reset' }], '2024-02-01')).toBeUndefined()
})
