import { expect, test } from 'vitest'
import { virtualCodes } from '../../test/virtual-codes.ts'
import { refusalOf, type Sends } from './code-limits.ts'

const ago = (...ages: number[]) => ages
const none: Sends = { target: [], source: [], user: [] }
const from = (ages: number[], target = 'me') => ages.map((age) => ({ age, target }))

test.each<[string, Partial<Sends>, { code: number; wait: number } | null]>([
  ['nothing was sent', {}, null],
  ['one 59 seconds ago', { target: ago(59) }, { code: 11004, wait: 1 }],
  ['one 60 seconds ago', { target: ago(60) }, null],
  ['five within the hour', { target: ago(100, 900, 1_800, 2_700, 3_599) }, { code: 11004, wait: 1 }],
  ['five, the first an hour ago', { target: ago(100, 900, 1_800, 2_700, 3_600) }, null],
  ['ten within the day', { target: Array.from({ length: 10 }, (_, i) => 86_399 - i * 5_000) }, { code: 11005, wait: 1 }],
  ['ten of an address within the hour', { source: from(Array.from({ length: 10 }, (_, i) => 3_590 - i * 300)) }, { code: 11004, wait: 10 }],
  [
    'thirty of an address within the day',
    { source: from(Array.from({ length: 30 }, (_, i) => 86_000 - i * 2_500)) },
    { code: 11005, wait: 400 },
  ],
  [
    'five other targets within the hour',
    { source: ['a', 'b', 'c', 'd', 'e'].flatMap((name) => from([600], name)) },
    { code: 11004, wait: 3_000 },
  ],
  ['five targets, this one among them', { source: ['a', 'b', 'c', 'd', 'me'].flatMap((name) => from([600], name)) }, null],
  ['ten of a user within the day', { user: Array.from({ length: 10 }, (_, i) => 40_000 - i * 100) }, { code: 11005, wait: 46_400 }],
])('%s', (_name, sends, refusal) => {
  expect(refusalOf({ ...none, ...sends }, 'me')).toEqual(refusal)
})

test('100,000 virtual requests: no cap is ever passed, and every one is reached (a million: npm run drill:codes)', () => {
  const { sent, refused, most } = virtualCodes({ requests: 100_000, days: 3, seed: 1 })
  for (const [cap, { seen, allowed }] of Object.entries(most)) expect({ cap, seen }).toEqual({ cap, seen: allowed })
  expect(sent).toBeGreaterThan(10_000)
  expect(Object.keys(refused).sort()).toEqual(['11004', '11005', '40030'])
})
