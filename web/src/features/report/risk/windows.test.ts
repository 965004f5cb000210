import { describe, expect, it } from 'vitest'
import { madeReport } from '../../../../test/made-report.ts'
import { benchRolling, shareOf } from './rolling.ts'
import { aroundWindow, benchStretches, windowFigures } from './windows.ts'

const report = madeReport({ days: 400 })
const { dates, nav, bench } = report.curves
const day = (index: number) => dates[index] ?? ''

describe('windows of time', () => {
  it('only those inside the report whole are told', () => {
    const windows = [
      { key: 'in', label: '里面', start: day(30), end: day(40) },
      { key: 'out', label: '开头之前', start: '2000-01-01', end: day(40) },
    ]
    const [only, none] = windowFigures(report, windows)
    expect(none).toBeUndefined()
    expect(only).toMatchObject({ key: 'in', days: 11 })
    expect(only?.bench).toBeCloseTo((bench[40] as number) / (bench[29] as number) - 1, 12)
  })

  it('the benchmark’s own stretches do not overlap, falls fall and rises rise', () => {
    const found = benchStretches(report.curves)
    expect(found).toHaveLength(8)
    for (const [i, one] of found.entries()) if (i > 0) expect(one.start > (found[i - 1]?.end ?? '')).toBe(true)
    for (const { label, bench: change } of windowFigures(report, found)) expect(Math.sign(change ?? 0)).toBe(label.includes('跌') ? -1 : 1)
    const five = found.filter(({ label }) => label === '5 日急跌')
    const deepest = Math.min(...Array.from({ length: 395 }, (_, i) => (bench[i + 5] as number) / (bench[i] as number) - 1))
    expect(Math.min(...windowFigures(report, five).map((one) => one.bench ?? 0))).toBeCloseTo(deepest, 12)
  })

  it('a window is 1 at the close before it, with ten days on both sides where there are', () => {
    const around = aroundWindow(report.curves, { key: '', label: '', start: day(100), end: day(104) })
    expect(around.dates).toHaveLength(25)
    expect([around.first, around.last]).toEqual([10, 14])
    expect(around.nav[9]).toBe(1)
    expect(around.nav[14]).toBeCloseTo((nav[104] as number) / (nav[99] as number), 12)
    expect(aroundWindow(report.curves, { key: '', label: '', start: day(0), end: day(2) }).first).toBe(0)
  })
})

describe('rolling figures', () => {
  it('the benchmark’s return over a window is its own', () => {
    const row = benchRolling(report).find(({ window }) => window === 60)
    expect(row?.return_.at(-1)).toBeCloseTo((bench[399] as number) / (bench[339] as number) - 1, 6)
    expect(row?.beta.at(-1)).toBeCloseTo(1, 6)
  })
  it('a share counts only days that can be judged', () => {
    expect(shareOf([0.1, -0.1, null, 0.2], (value) => value > 0)).toBeCloseTo(2 / 3)
    expect(shareOf([null], () => true)).toBeNull()
    expect(shareOf([1, 2], (_, i) => (i === 0 ? null : true))).toBe(1)
  })
})
