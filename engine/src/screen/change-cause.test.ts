import type { ScreenResult } from '@convexa/contract'
import { describe, expect, it } from 'vitest'
import { type Chance, chance } from '../../test/fixtures/chance.ts'
import { type ChangeCause, type ChangeInput, changeCauses, type ScreenedDay } from './change-cause.ts'
import { select } from './select.ts'

const steps = ['exclude.list_days', 'exclude.call_status', 'filter.0', 'missing.dblow'] as const
type Step = (typeof steps)[number]

/** A day: the order of the ranked, best first, and who was excluded by which step. What is in neither was not listed. */
interface Day {
  order: string[]
  excluded: Map<string, Step>
}
interface Rule {
  first: number
  last: number
  buffer: number
  perIssuer: number
  days: number
}
const codes = [...'abcdefghijklmn']
const issuerOf = (code: string) => `issuer ${codes.indexOf(code) >> 1}`

const heldOn = ({ order }: Day, rule: Rule, held: readonly string[]): string[] => {
  const place = (security: number) => order.indexOf(codes[security] as string) + 1
  const ranked = { size: order.length, at: (at: number) => codes.indexOf(order[at - 1] as string), place, nearPlace: place }
  const issuer = Int32Array.from(codes, (_, k) => k >> 1)
  const rules = { ...rule, issuer, emptySlot: 'next' as const }
  const chosen = select(
    ranked,
    rules,
    held.map((code) => codes.indexOf(code)),
    () => false,
    () => true,
  )
  return chosen.map((security) => codes[security] as string)
}

const screened = ({ order, excluded }: Day, date: string, selected: readonly string[]): ScreenedDay => ({
  trade_date: date,
  total: order.length,
  list_items: order.map((code, k) => ({ code, name: code, rank: k + 1, score: null, selected: selected.includes(code), values: {} })),
  excluded: [...excluded].map(([code, step]) => ({
    code,
    name: code,
    rule: `because ${step}`,
    rule_index: steps.indexOf(step),
    value: null,
  })),
  funnel: steps.map((step) => ({ step, label: step, before: 0, after: 0 })) as ScreenResult['funnel'],
})

const inputOf = (earlier: Day, now: Day, rule: Rule, held: readonly string[], selected: readonly string[]): ChangeInput => ({
  now: screened(now, '2026-11-20', selected),
  earlier: screened(earlier, '2026-11-19', held),
  previous: held.map((code) => ({ code, name: code })),
  rule: {
    hold_method: { hold_range_type: 1, hold_range_start: rule.first, hold_range_end: rule.last, hold_threshold: rule.buffer } as never,
    universe: { max_per_issuer: rule.perIssuer || undefined } as never,
    rebalance_method: { rebalance_type: 0, rebalance_value: rule.days } as never,
  },
  ...(rule.perIssuer > 0 && { issuerOf }),
})

const rule = (over: Partial<Rule> = {}): Rule => ({ first: 1, last: 3, buffer: 0, perIssuer: 0, days: 1, ...over })
const day = (order: string, excluded: Record<string, Step> = {}): Day => ({
  order: [...order],
  excluded: new Map(Object.entries(excluded)),
})
const causes = (earlier: Day, now: Day, by: Rule, held = heldOn(earlier, by, [])) =>
  Object.fromEntries(changeCauses(inputOf(earlier, now, by, held, heldOn(now, by, held))))

describe('why a list has changed', () => {
  it.each<[string, Day, Day, Rule, string[] | undefined, Record<string, Partial<ChangeCause>>]>([
    [
      'a rank that rose, one that fell',
      day('abcd'),
      day('abdc'),
      rule(),
      undefined,
      {
        c: { kind: 'left', from: 3, rank: 4, bound: 3, buffered: false },
        d: { kind: 'entered', from: 4, rank: 3, last: 3 },
      },
    ],
    [
      'kept by the buffer until now',
      day('abdc'),
      day('abdec'),
      rule({ buffer: 1 }),
      ['a', 'b', 'c'],
      {
        c: { kind: 'left', from: 4, rank: 5, bound: 4, buffered: true },
        d: { kind: 'place_free', other: { code: 'c', name: 'c' }, rank: 3, within: true },
      },
    ],
    [
      'excluded, and let in again',
      day('abde', { c: 'filter.0' }),
      day('abce', { d: 'exclude.call_status' }),
      rule(),
      undefined,
      {
        d: { kind: 'called', rule: 'because exclude.call_status' },
        c: { kind: 'passed', rule: 'because filter.0', rank: 3 },
      },
    ],
    [
      'a value that came, one that went',
      day('abd', { c: 'missing.dblow' }),
      day('abc', { d: 'missing.dblow' }),
      rule(),
      undefined,
      {
        d: { kind: 'valueless' },
        c: { kind: 'valued', rank: 3 },
      },
    ],
    [
      'old enough from today on',
      day('abd', { c: 'exclude.list_days' }),
      day('abcd'),
      rule(),
      undefined,
      {
        d: { kind: 'left' },
        c: { kind: 'aged', rank: 3 },
      },
    ],
    ['gone, and new', day('abd'), day('abc'), rule(), undefined, { d: { kind: 'gone' }, c: { kind: 'listed', rank: 3 } }],
    [
      'two of an issuer on an older list',
      day('acbe'),
      day('bace'),
      rule({ last: 2, perIssuer: 1 }),
      ['a', 'b'],
      {
        a: { kind: 'issuer_taken', other: expect.objectContaining({ code: 'b' }) },
        c: { kind: 'place_free', other: { code: 'a', name: 'a' }, rank: 3, within: false },
      },
    ],
    [
      'the other of its issuer left',
      day('abce'),
      day('bce', { a: 'filter.0' }),
      rule({ last: 2, perIssuer: 1 }),
      undefined,
      {
        a: { kind: 'excluded', rule: 'because filter.0' },
        b: { kind: 'issuer_free', other: { code: 'a', name: 'a' }, rank: 1 },
      },
    ],
    [
      'a list older than the last rotation',
      day('abdc'),
      day('abdc'),
      rule({ days: 5 }),
      ['a', 'b', 'c'],
      {
        c: { kind: 'outside', since: '2026-11-19', bound: 3, waits: true },
        d: { kind: 'waited', since: '2026-11-19', last: 3 },
      },
    ],
    ['a list that was too short', day('abc'), day('abc'), rule(), ['a', 'b'], { c: { kind: 'room', held: 2, rank: 3 } }],
    [
      'risen above a range that begins later',
      day('abcd'),
      day('bacd'),
      rule({ first: 2, last: 3 }),
      undefined,
      {
        b: { kind: 'risen', from: 2, rank: 1, first: 2 },
        a: { kind: 'entered', from: 1, rank: 2 },
      },
    ],
  ])('%s', (_, earlier, now, by, held, told) => {
    const found = causes(earlier, now, by, held)
    expect(Object.keys(found).sort()).toEqual(Object.keys(told).sort())
    expect(found).toMatchObject(told)
  })

  it('a changed rule is the cause of all that changed since', () => {
    const by = rule()
    const input = inputOf(day('abcd'), day('abdc'), by, ['a', 'b', 'c'], ['a', 'b', 'd'])
    expect([...changeCauses({ ...input, changedOn: '2026-11-20' }).values()].map(({ kind }) => kind)).toEqual(['rule', 'rule'])
  })

  it('without the day of the list before it says where each stands now', () => {
    const input = inputOf(day('abcd'), day('abdc'), rule(), ['a', 'b', 'c'], ['a', 'b', 'd'])
    expect([...changeCauses({ ...input, earlier: null }).values()].map(({ kind }) => kind)).toEqual(['out_now', 'in_now'])
  })
})

describe('5,000 pairs of days', () => {
  const { next, below, pick }: Chance = chance(31)
  const shuffled = (list: readonly string[]): string[] => {
    const made = [...list]
    for (let k = made.length - 1; k > 0; k--) {
      const at = below(k + 1)
      ;[made[k], made[at]] = [made[at] as string, made[k] as string]
    }
    return made
  }
  const randomDay = (): Day => {
    const excluded = new Map<string, Step>()
    const order = shuffled(codes).filter((code) => {
      if (next() < 0.1) return false
      if (next() > 0.15) return true
      excluded.set(code, pick(steps))
      return false
    })
    return { order, excluded }
  }
  /** The day with a security where it stood on another. */
  const putBack = (now: Day, code: string, earlier: Day): Day => {
    const order = now.order.filter((one) => one !== code)
    const at = earlier.order.indexOf(code)
    if (at >= 0) order.splice(at, 0, code)
    return { order, excluded: now.excluded }
  }

  it('each change has one cause, no rank is told as a move that is none, and undoing the cause takes the change back', () => {
    let changes = 0
    for (let k = 0; k < 5_000; k++) {
      const by = rule({ first: 1, last: 4, buffer: pick([0, 0, 2]), perIssuer: pick([0, 1]) })
      const [earlier, now] = [randomDay(), randomDay()]
      const held = heldOn(earlier, by, [])
      const selected = heldOn(now, by, held)
      const found = changeCauses(inputOf(earlier, now, by, held, selected))
      const changed = [...held.filter((code) => !selected.includes(code)), ...selected.filter((code) => !held.includes(code))]
      expect([...found.keys()].sort()).toEqual(changed.sort())
      for (const [code, cause] of found) {
        changes++
        if ('from' in cause) expect(cause.from).not.toBe(cause.rank)
        const undone = (day: Day) => heldOn(day, by, held)
        // What left comes back where it stood; of those that took its place the others still may be ahead of it.
        if (cause.kind === 'left' && by.perIssuer === 0) expect(undone(putBack(now, code, earlier)), code).toContain(code)
        if (cause.kind === 'entered' && by.perIssuer === 0) expect(undone(putBack(now, code, earlier)), code).not.toContain(code)
        if (cause.kind === 'issuer_taken') {
          const without = { order: now.order.filter((one) => one !== cause.other.code), excluded: now.excluded }
          expect(undone(without), code).toContain(code)
        }
        if (cause.kind === 'passed' || cause.kind === 'valued' || cause.kind === 'aged' || cause.kind === 'listed')
          expect(undone({ order: now.order.filter((one) => one !== code), excluded: now.excluded })).not.toContain(code)
        if (cause.kind === 'place_free' && by.perIssuer === 0) {
          const all = held.reduce((day, one) => putBack(day, one, earlier), now)
          expect(undone(all), code).not.toContain(code)
        }
      }
    }
    expect(changes).toBeGreaterThan(20_000)
  })
})
