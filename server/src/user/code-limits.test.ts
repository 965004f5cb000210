import { expect, test } from 'vitest'
import { virtualCodes } from '../../test/fixtures/virtual-codes.ts'
import { needsHuman, refusalOf, type Sends } from './code-limits.ts'

const ago = (...ages: number[]) => ages
const none: Sends = { target: [], source: [], user: [] }
/** So many, the oldest first. */
const every = (count: number, apart: number, oldest = 3_590) => Array.from({ length: count }, (_, i) => oldest - i * apart)
const from = (ages: number[], target = 'me') => ages.map((age) => ({ age, target }))

test.each<[string, Partial<Sends>, { code: number; wait: number } | null]>([
  ['nothing was sent', {}, null],
  ['one 59 seconds ago', { target: ago(59) }, { code: 11004, wait: 1 }],
  ['one 60 seconds ago', { target: ago(60) }, null],
  ['five within the hour', { target: ago(100, 900, 1_800, 2_700, 3_599) }, { code: 11004, wait: 1 }],
  ['five, the first an hour ago', { target: ago(100, 900, 1_800, 2_700, 3_600) }, null],
  ['ten within the day', { target: Array.from({ length: 10 }, (_, i) => 86_399 - i * 5_000) }, { code: 11005, wait: 1 }],
  ['ten of an address within the hour', { source: from(every(10, 300)) }, null],
  ['a hundred of an address within the hour', { source: from(every(100, 30)) }, { code: 11004, wait: 10 }],
  ['three hundred of an address within the day', { source: from(every(300, 250, 86_000)) }, { code: 11005, wait: 400 }],
  [
    'fifty other targets within the hour',
    { source: every(50, 0, 600).flatMap((age, i) => from([age], `t${i}`)) },
    { code: 11004, wait: 3_000 },
  ],
  ['fifty targets, this one among them', { source: every(50, 0, 600).flatMap((age, i) => from([age], i ? `t${i}` : 'me')) }, null],
  ['ten of a user within the day', { user: Array.from({ length: 10 }, (_, i) => 40_000 - i * 100) }, { code: 11005, wait: 46_400 }],
])('%s', (_name, sends, refusal) => {
  expect(refusalOf({ ...none, ...sends }, 'me')).toEqual(refusal)
})

test.each<[string, Partial<Sends>, boolean]>([
  ['three codes of an address within the hour', { source: from(every(3, 100)) }, false],
  ['four codes of an address within the hour', { source: from(every(4, 100)) }, true],
  ['twenty-nine of an address within the day', { source: from(every(29, 2_000, 86_000)) }, false],
  ['thirty of an address within the day', { source: from(every(30, 2_000, 86_000)) }, true],
  ['three codes to a target within the hour', { target: every(3, 100) }, true],
])('the human check after %s: %s', (_name, sends, asked) => {
  expect(needsHuman({ ...none, ...sends }, 'me', 0)).toBe(asked)
})

test('100,000 virtual requests: no cap is ever passed, and every one is reached (a million: npm run drill:codes)', () => {
  const { sent, refused, most } = virtualCodes({ requests: 100_000, days: 3, seed: 1 })
  for (const [cap, { seen, allowed }] of Object.entries(most)) expect({ cap, seen }).toEqual({ cap, seen: allowed })
  expect(sent).toBeGreaterThan(10_000)
  expect(Object.keys(refused).sort()).toEqual(['11004', '11005', '40030'])
})
