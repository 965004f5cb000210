import { expect, it } from 'vitest'
import { madeReport, weekdays } from '../../../test/made-report.ts'
import { memberFigures } from './members.ts'

it('a member that moves as the group does is one with it; what it gave is its weight times its return', () => {
  const dates = weekdays('2025-01-06', 60)
  const nav = dates.map((_, i) => 1 + 0.001 * i + 0.01 * Math.sin(i))
  const flat = dates.map((_, i) => 1 + 0.0001 * i)
  const parameters = {}
  const members = [
    { name: '双低', weight: 0.75, parameters, nav },
    { name: '低溢价', weight: 0.25, parameters, nav: flat },
  ]
  const whole = madeReport({ days: 60 })
  const report = {
    ...whole,
    curves: { ...whole.curves, dates, nav, bench: flat },
    group: { rebalance: 'never', duplicate: 'merge', members },
  }
  const [own, other] = memberFigures(report as unknown as Parameters<typeof memberFigures>[0])
  expect(own?.correlation).toBeCloseTo(1, 9)
  expect(own?.share).toBeCloseTo(0.75 * ((nav.at(-1) ?? 0) - 1), 12)
  expect(other?.correlation).not.toBeCloseTo(1, 2)
  expect(other?.drawdown).toBe(0)
  expect(own?.verdict).toMatchObject({ worth: 'short', trust: 'short' })
  expect(memberFigures(whole)).toEqual([])
})
