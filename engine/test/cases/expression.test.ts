import { describe, expect, it } from 'vitest'
import { type Expression, evaluate, type FunctionArgument, functionTable } from '../../src/expression/index.ts'
import { chance } from '../fixtures/chance.ts'
import { randomFormula, textOf } from '../fixtures/random-formula.ts'
import { laterPart, randomPanel } from '../fixtures/random-panel.ts'
import { compareRandomFormulas, compareWithNaive, compiled } from '../fuzz/compare-formulas.ts'
import { compileRandomTexts, everyRefusal } from '../fuzz/random-text.ts'
import { definedNames } from '../oracles/naive-expression.ts'

// A sample of `npm run fuzz:formulas`, which runs for as long as its argument says.
describe('formulas agree with the slow evaluator', () => {
  it('every function has a slow definition', () => {
    expect(functionTable.map((entry) => entry.name).filter((name) => !definedNames.includes(name))).toEqual([])
  })

  it('on random formulas over random markets', () => {
    const { cells, present, undecided, wrong } = compareRandomFormulas(20240101, 1_500)
    expect(wrong).toEqual([])
    // A generator that mostly makes absent values, or values that turn on the last digit, would prove nothing.
    expect(present / cells).toBeGreaterThan(0.3)
    expect(undecided / present).toBeLessThan(0.002)
  })

  it('on wide markets, where securities are taken in strips', () => {
    const luck = chance(7)
    const panel = randomPanel(99, { days: 24, securities: 530 })
    for (let k = 0; k < 10; k++) {
      const formula = randomFormula(luck, 2)
      const text = textOf(formula, luck)
      expect(compareWithNaive(formula, evaluate(compiled(text), panel), panel, luck).wrong.slice(0, 3), text).toEqual([])
    }
  })
})

describe('the value of a cell', () => {
  it('does not depend on the days asked for, nor on where the panel begins, to the last bit', () => {
    const luck = chance(11)
    for (let k = 0; k < 500; k++) {
      const panel = randomPanel(k % 7, { days: 60 })
      const text = textOf(randomFormula(luck, 2), luck)
      const expression = compiled(text)
      const all = evaluate(expression, panel)
      const rows = panel.dates.map((_, day) => day).filter(() => luck.next() < 0.2)
      const some = evaluate(expression, panel, rows)
      rows.forEach((day, at) => {
        expect(bits(some, at, panel.stride), text).toEqual(bits(all, day, panel.stride))
      })
      const from = luck.below(12)
      const first = from + expression.needs.lookback
      if (expression.needs.sinceListing || isOfWholePanel(expression)) continue
      const later = evaluate(expression, laterPart(panel, from))
      for (let day = first; day < 60; day++) expect(bits(later, day - from, panel.stride), text).toEqual(bits(all, day, panel.stride))
    }
  })

  it('is the same by its canonical text', () => {
    const luck = chance(5)
    const panel = randomPanel(3)
    for (let k = 0; k < 1_000; k++) {
      const text = textOf(randomFormula(luck, 3), luck)
      const expression = compiled(text)
      const again = compiled(expression.text)
      expect(again.text).toBe(expression.text)
      expect([...evaluate(again, panel)], text).toEqual([...evaluate(expression, panel)])
    }
  })
})

/** Trading days since a date are known only where the panel begins before it. */
const isOfWholePanel = (expression: Expression) =>
  expression.tree.graph.nodes.some((node) => node.kind === 'operation' && node.operation.name.startsWith('tdays_since'))

const bits = (values: Float64Array, row: number, stride: number) => [
  // One NaN is as good as another.
  ...new BigUint64Array(values.slice(row * stride, (row + 1) * stride).map((value) => (Number.isNaN(value) ? Number.NaN : value)).buffer),
]

describe('the least windows and numbers that a function takes', () => {
  const panel = randomPanel(5, { days: 60, securities: 20, isWhole: true })
  const inputs = ['close', 'vol', 'conv_prem', 'close > open', 'conv_prem > 0.2']
  const least = ({ kind, min = 1, least = 0, choices = [] }: FunctionArgument, k: number): string =>
    ({
      series: inputs[k % inputs.length],
      report: 'revenue',
      window: String(min),
      number: String(least),
      choice: `'${choices[0]}'`,
      text: "'AA'",
      date: 'list_date',
      benchmark: '000300',
    })[kind as string] ?? 'rating'
  const counted = functionTable.filter(({ args, minimum }) => minimum || args.some(({ kind }) => kind === 'window' || kind === 'number'))

  it.each(counted.map((entry) => [entry.name, entry] as const))('%s: a value somewhere', (name, { args }) => {
    const texts = inputs.map((_, k) => `${name}(${args.map((arg, place) => least(arg, k + place)).join(', ')})`)
    expect(texts.some((text) => evaluate(compiled(text), panel).some((value) => !Number.isNaN(value)))).toBe(true)
  })
})

describe('any text', () => {
  it('is compiled or refused with a code, a sentence and a place; nothing crashes and every refusal is met', () => {
    const { accepted, refusals, slowest } = compileRandomTexts(42, 8_000)
    expect([...refusals.keys()].sort()).toEqual(everyRefusal)
    expect(accepted).toBeGreaterThan(1_000)
    expect(slowest).toBeLessThan(250)
  })
})
