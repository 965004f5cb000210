import { describe, expect, it } from 'vitest'
import { compile, type Expression, evaluate, functionTable } from '../src/expression/index.ts'
import { type Chance, chance } from './chance.ts'
import { compareRandomFormulas, compareWithNaive, compiled, names } from './compare-formulas.ts'
import { definedNames } from './naive-expression.ts'
import { randomFormula, textOf } from './random-formula.ts'
import { laterPart, randomPanel } from './random-panel.ts'

describe('formulas agree with the slow evaluator', () => {
  it('every function has a slow definition', () => {
    expect(functionTable.map((entry) => entry.name).filter((name) => !definedNames.includes(name))).toEqual([])
  })

  it('on random formulas over random markets', () => {
    const { cells, present, undecided, wrong } = compareRandomFormulas(20240101, 3_000)
    expect(wrong).toEqual([])
    // A generator that mostly makes absent values, or values that turn on the last digit, would prove nothing.
    expect(present / cells).toBeGreaterThan(0.3)
    expect(undecided / present).toBeLessThan(0.002)
  })

  it('on wide markets, where securities are taken in strips', () => {
    const luck = chance(7)
    const panel = randomPanel(99, { days: 24, securities: 530 })
    for (let k = 0; k < 40; k++) {
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

describe('any text', () => {
  const pieces = [
    ...functionTable.flatMap((entry) => [entry.name, ...entry.aliases]),
    ...['close', '收盘价', 'conv_prem', 'rating', '`转股溢价率`', 'clsoe', 'ytm', '双低', 'x', 'bias_20', 'N'],
    ...['1', '20', '500', '501', '-1', '0', '1e400', '.5', '3.', '1.2.3', '20日', '9007199254740993'],
    ...['(', ')', '(', ')', ',', ',', '，', ';', ':=', '?', ':', '+', '-', '*', '/', '%', '^', '**', '<', '<=', '==', '=', '!=', '!'],
    ...['and', 'or', 'not', '"AA"', "'AA+'", '"', '`', '# x', '//', '\n', ' ', '　', '@', '\u{1F600}', '\u0000', '\uFEFF', '}', '['],
  ]

  it('is compiled or refused with a code, a sentence and a place; nothing crashes and every refusal is met', () => {
    const luck = chance(42)
    const panel = randomPanel(1, { days: 12, securities: 3 })
    const met = new Map<number, number>()
    let accepted = 0
    for (let k = 0; k < 12_000; k++) {
      const text = anyText(luck)
      const result = compile(text, names)
      if (result.ok) {
        accepted++
        if (k % 8 === 0) evaluate(result.expression, panel)
        continue
      }
      const { code, message, pos } = result.problem
      met.set(code, (met.get(code) ?? 0) + 1)
      expect(message.length).toBeGreaterThan(4)
      expect(message).not.toContain('{')
      if (pos) {
        expect(pos.start).toBeGreaterThanOrEqual(0)
        expect(pos.end).toBeLessThanOrEqual(text.length + 1)
        expect(text.slice(0, pos.start).split('\n').length).toBe(pos.line)
      }
    }
    expect([...met.keys()].sort()).toEqual([22001, 22002, 22003, 22004, 22005, 22006, 22007, 22008, 22009])
    expect(accepted).toBeGreaterThan(1_000)
  })

  /** Soup of tokens, a good formula with some damage, or a good one grown too large. */
  function anyText(luck: Chance): string {
    const kind = luck.next()
    if (kind < 0.35) return Array.from({ length: luck.below(14) }, () => luck.pick(pieces)).join(luck.pick(['', ' ']))
    const good = textOf(randomFormula(luck, 3), luck)
    if (kind < 0.8) return damaged(good, luck)
    if (kind < 0.84) return Array.from({ length: 1 + luck.below(400) }, () => luck.pick(['close', '1'])).join(' + ')
    if (kind < 0.88) return `${'('.repeat(luck.below(80))}${good}${')'.repeat(luck.below(80))}`
    if (kind < 0.9)
      return Array.from({ length: luck.below(5) }, () => '').reduce((text) => `ref(${text}, ${400 + luck.below(110)})`, 'close')
    if (kind < 0.92) return `${good} ${'+ 1 '.repeat(luck.below(600))}`
    return good
  }

  function damaged(text: string, luck: Chance): string {
    let result = text
    for (let k = luck.below(3); k >= 0; k--) {
      const at = luck.below(result.length + 1)
      const cut = luck.below(3)
      result = result.slice(0, at) + (luck.next() < 0.5 ? luck.pick(pieces) : '') + result.slice(at + cut)
    }
    return result
  }
})
