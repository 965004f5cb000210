import { describe, expect, it } from 'vitest'
import { type Ruled, ruleName } from './rule-name.ts'

type Hold = Ruled['hold_method']
const ten: Hold = { hold_range_type: 1, hold_range_start: 1, hold_range_end: 10 }
const rule = (refs: readonly [ref: string, weight: number, enable: boolean][], hold_method: Hold): Ruled => ({
  rank_factors: refs.map(([factor_key, weight, enable]) => ({ factor_key, weight, enable })),
  hold_method,
})

describe('a rule that nobody named is called', () => {
  it.each<[name: string, refs: [string, number, boolean][], hold: Hold, called: string]>([
    [
      'by what it scores and how many it holds',
      [
        ['a', 1, true],
        ['b', 2, true],
      ],
      ten,
      'A + B · 10 只',
    ],
    [
      'by three factors at most',
      [
        ['a', 1, true],
        ['b', 1, true],
        ['c', 1, true],
        ['d', 1, true],
      ],
      ten,
      'A + B + C 等 · 10 只',
    ],
    [
      'by what counts',
      [
        ['a', 1, false],
        ['b', 0, true],
        ['c', 1, true],
      ],
      ten,
      'C · 10 只',
    ],
    ['by its places where it scores nothing', [], ten, '10 只'],
    ['by a part of the list', [['a', 1, true]], { hold_range_type: 2, hold_range_start: 0, hold_range_end: 0.1 }, 'A · 前 0–10%'],
    ['by a small part of it', [['a', 1, true]], { hold_range_type: 2, hold_range_start: 0.005, hold_range_end: 0.07 }, 'A · 前 0.5–7%'],
  ])('%s', (_, refs, hold, called) => expect(ruleName(rule(refs, hold), (ref) => ref.toUpperCase())).toBe(called))
})
