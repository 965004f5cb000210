import type { FactorRef } from '@convexa/contract'
import type { Problem } from '../base/problem.ts'
import type { Needs } from '../panel/panel.ts'
import type { Program } from './ast.ts'
import { attributes, groupOf } from './attributes.ts'
import { type Checked, check, checkName } from './check.ts'
import { Graph, type Operand, reach } from './graph.ts'
import { limits } from './limits.ts'
import { type Names, resolve } from './names.ts'
import { parse } from './parse.ts'
import { print, printed } from './print.ts'
import { FormulaError, problemOf } from './problem.ts'
import { rawPricesOf, rawPricesText } from './raw-prices.ts'

/** A formula ready to be evaluated. It holds functions, so it cannot be posted to a thread: compile there. */
export interface Expression {
  /** The calculation: nodes in order, and the one that is the result. */
  readonly tree: { readonly graph: Graph; readonly root: Operand }
  /** Canonical text: equal texts mean equal calculations on the same data. */
  readonly text: string
  /** The same without what the own factors in it stand for: how a formula is kept. */
  readonly formula: string
  readonly needs: Needs
  /** Keys of the user's own factors that it is made of. */
  readonly own: readonly string[]
  /** What is to be said of prices as traded that it reads over days; null: nothing. */
  readonly rawPrices: string | null
  /** A security's value depends on the others of that day. */
  readonly crossSection: boolean
  /** Values read to make one value: cells × cost is what an evaluation costs, before it runs. */
  readonly cost: number
  /** Values read for each security and day of the whole panel, whatever days are asked for: of what counts from the listing on. */
  readonly historyCost: number
}

export type Compiled = { readonly ok: true; readonly expression: Expression } | { readonly ok: false; readonly problem: Problem }

/**
 * Text → expression, or the first mistake with its place: 22001 too long, 22002 grammar, 22003 too many parts, 22004 nested too
 * deep, 22005 looks back too far or would hold too much, 22006 unknown function, 22007 number of arguments, 22008 window, 22009 unknown factor (with
 * `missing` when the loaded data lack a field), 22010 factors that name each other.
 */
export function compile(text: string, names: Names): Compiled {
  return caught(text, () => {
    const program = parse(text)
    return finished(check(program, names), print(program, names), printed(program, names), rawOf(program, names))
  })
}

/** A factor as requests name it: `dblow`, `bias_20` (parametric), or `formula: …`; places in a formula count from its own start. */
export function compileRef(ref: FactorRef, names: Names): Compiled {
  const formula = formulaOf(ref)
  if (formula !== null) return compile(formula, names)
  const name = ref.trim()
  return caught(name, () => {
    const span = { start: 0, end: name.length }
    const meaning = resolve(name, names)
    const program: Program = { locals: [], result: { kind: 'name', name, quoted: true, ...span } }
    const checked = checkName(name, span, names)
    const raw = meaning?.kind === 'custom' ? rawOf(parse(meaning.factor.formula), names) : null
    return meaning ? finished(checked, print(program, names), printed(program, names), raw) : finished(checked, name)
  })
}

/** Which group of an attribute a security is in, as a number; null when there is no such attribute. */
export function compileGroup(key: string): { readonly label: string; readonly expression: Expression } | null {
  const attribute = attributes.find((each) => each.key === key)
  if (attribute === undefined) return null
  const graph = new Graph()
  const root = groupOf(graph, attribute)
  return { label: attribute.label, expression: finished({ graph, root, own: [] }, `group ${key}`) }
}

/** The text of a `formula: …` reference; null for a key. */
export function formulaOf(ref: FactorRef): string | null {
  const trimmed = ref.trimStart()
  const head = trimmed.slice(0, 8).toLowerCase()
  return head === 'formula:' || head === 'formula：' ? trimmed.slice(8).trim() : null
}

function caught(text: string, work: () => Expression): Compiled {
  try {
    return { ok: true, expression: work() }
  } catch (error) {
    if (error instanceof FormulaError) return { ok: false, problem: problemOf(error, text) }
    throw error
  }
}

const rawOf = (program: Program, names: Names): string | null => rawPricesText(rawPricesOf(program, names))

function finished({ graph, root, own }: Checked, text: string, formula = text, rawPrices: string | null = null): Expression {
  const { heldRows, crossSection, cost, historyCost, ...needs } = reach(graph, root)
  if (heldRows > limits.heldRows) throw new FormulaError(22005, '公式计算量过大，请缩短周期或减少因子', null)
  return { tree: { graph, root }, text, formula, needs, own, rawPrices, crossSection, cost, historyCost }
}
