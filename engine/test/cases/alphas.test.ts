import { describe, expect, it } from 'vitest'
import { compile, evaluate } from '../../src/expression/index.ts'
import { alphas, textOfAlpha } from '../fixtures/alphas.ts'
import { chance } from '../fixtures/chance.ts'
import { formulaOf } from '../fixtures/formula-of-text.ts'
import { randomPanel } from '../fixtures/random-panel.ts'
import { compareWithNaive, names } from '../fuzz/compare-formulas.ts'

// Long enough for windows of 250 days; few securities, for the slow evaluator's sake.
const panel = randomPanel(101, { days: 275, securities: 7, isWhole: true })

/** Ranks correlations of two days, which are 1 or −1 but for the last digit. */
const lastDigit = new Set([45])
/** Correlates places among four days over three: one of them is flat somewhere in each of its windows. */
const absent = new Set([96])

describe('the 101 formulaic alphas agree with the slow evaluator', () => {
  it('none is left out', () => {
    expect(alphas.map(([number]) => number)).toEqual(Array.from({ length: 101 }, (_, k) => k + 1))
  })

  it.each(alphas)('alpha %i', (number, formula) => {
    const text = textOfAlpha(formula)
    const made = compile(text, names)
    if (!made.ok) throw new Error(made.problem.message)
    const values = evaluate(made.expression, panel)
    const told = compareWithNaive(formulaOf(text), values, panel, chance(number))
    expect(told.wrong.slice(0, 5)).toEqual([])
    expect(told.present > 20, 'cells with values').toBe(!absent.has(number))
    if (!lastDigit.has(number)) expect(told.undecided).toBeLessThan(told.cells / 20)
  })
})
