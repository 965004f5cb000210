import { compile, type Expression, evaluate, type FunctionEntry, functionTable, namesOf } from '../../src/expression/index.ts'
import { markets } from '../../src/market/index.ts'
import type { Panel } from '../../src/panel/panel.ts'
import { type Chance, chance } from '../fixtures/chance.ts'
import type { Formula } from '../fixtures/formula.ts'
import { randomFormula, textOf } from '../fixtures/random-formula.ts'
import { randomPanel } from '../fixtures/random-panel.ts'
import { naive } from '../oracles/naive-expression.ts'

const loaded =
  'close open high low pre_close conv_prem vol amount total_mv rating call_status is_st_stk revenue np_parent equity_parent maturity_price coupon_cur'.split(
    ' ',
  )

/** What formulas over random panels may name. */
export const names = namesOf({ ...markets.cb, factors: [] }, new Set(loaded), { benchmarks: new Set(['000300', 'cb_ew']) })

export function compiled(text: string): Expression {
  const result = compile(text, names)
  if (!result.ok) throw new Error(`${result.problem.message}\n${text}`)
  return result.expression
}

const isHuge = (value: number) => Math.abs(value) > 1e280

/** Equal to 1e-9, or both absent. */
const close = (a: number, b: number) => (Number.isNaN(a) ? Number.isNaN(b) : Math.abs(a - b) <= 1e-9 * Math.max(1, Math.abs(b)))

export interface Comparison {
  /** Cells that differ from the slow evaluator although tiny errors of its own do not change them. */
  readonly wrong: readonly string[]
  readonly cells: number
  readonly present: number
  /** Cells that turn on the last digit: a comparison, a rank, a division by almost nothing, the brink of overflow. They prove nothing. */
  readonly undecided: number
}

export function compareWithNaive(formula: Formula, values: Float64Array, panel: Panel, luck: Chance): Comparison {
  const slow = naive(formula, panel)
  const cells: [number, number][] = []
  let present = 0
  for (const [t, row] of slow.entries()) {
    for (const [i, value] of row.entries()) {
      if (!Number.isNaN(value)) present++
      if (!close(values[t * panel.stride + i], value)) cells.push([t, i])
    }
  }
  const total = slow.length * (slow[0]?.length ?? 0)
  if (cells.length === 0) return { wrong: [], cells: total, present, undecided: 0 }
  const sizes = Array.from({ length: 16 }, (_, k) => 10 ** (-15 + (k % 3)))
  const noises = sizes.map((size) => (value: number) => value * (1 + size * (luck.next() - 0.5)))
  const rounded = [10, 11, 12, 13, 14].map((digits) => (value: number) => Number(value.toPrecision(digits)))
  const tamed = (value: number) => (Math.abs(value) > 1e20 ? Math.sign(value) * 1e20 : value)
  // Sums that cancel leave nothing, or almost nothing.
  const nothing = (value: number) => (Math.abs(value) < 1e-11 ? 0 : value)
  const little = (chanceOfNothing: number) => (value: number, isComputed: boolean) => {
    if (!isComputed || Math.abs(value) >= 1e-11) return value
    return luck.next() < chanceOfNothing ? 0 : 1e-13 * (luck.next() - 0.5)
  }
  const littles = [0, 0, 0, 0, 0, 0, 0, 0, 0.3, 0.3, 0.5, 0.5, 0.7, 0.7, 0.9, 0.9, 0.97, 0.97].map(little)
  // A negative number has a power only if the exponent is whole: to the last digit.
  const whole = (value: number) => (Math.abs(value - Math.round(value)) < 1e-11 ? Math.round(value) : value)
  // One of many that are equal but for the last digit is the first only once in a while.
  const again = Array.from({ length: 200 }, (_, k) => noises[k % noises.length])
  let wrong = cells.filter(([t, i]) => !isHuge(values[t * panel.stride + i]) && !isHuge(slow[t][i]))
  for (const noise of [...noises, ...rounded, tamed, nothing, whole, ...littles, ...again]) {
    if (wrong.length === 0) break
    const spoilt = naive(formula, panel, noise)
    wrong = wrong.filter(([t, i]) => close(spoilt[t][i], slow[t][i]))
  }
  const shown = wrong.map(([t, i]) => `day ${t}, security ${i}: ${values[t * panel.stride + i]} instead of ${slow[t][i]}`)
  return { wrong: shown, cells: total, present, undecided: cells.length - wrong.length }
}

export interface Figures {
  formulas: number
  cells: number
  present: number
  undecided: number
  /** By function: how often it was called, and with how many values that are there. */
  readonly calls: Map<string, number>
  /** The first disagreements: text and cells. */
  readonly wrong: { text: string; cells: readonly string[] }[]
}

/** Random formulas over random panels against the slow evaluator. */
export function compareRandomFormulas(seed: number, count: number, table: readonly FunctionEntry[] = functionTable, depth = 3): Figures {
  const luck = chance(seed)
  const panels = Array.from({ length: 12 }, (_, k) => randomPanel(seed * 100 + k + 1))
  const figures: Figures = { formulas: 0, cells: 0, present: 0, undecided: 0, calls: new Map(), wrong: [] }
  for (let k = 0; k < count; k++) {
    const panel = luck.pick(panels)
    const formula = randomFormula(luck, 1 + luck.below(depth), table)
    const text = textOf(formula, luck)
    const told = compareWithNaive(formula, evaluate(compiled(text), panel), panel, luck)
    if (told.wrong.length > 0) figures.wrong.push({ text, cells: told.wrong.slice(0, 3) })
    figures.formulas++
    figures.cells += told.cells
    figures.present += told.present
    figures.undecided += told.undecided
    if (formula.kind === 'call') figures.calls.set(formula.name, (figures.calls.get(formula.name) ?? 0) + 1)
    // More of them say no more.
    if (figures.wrong.length >= 20) break
  }
  return figures
}
