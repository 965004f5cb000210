import type { Problem } from '../base/problem.ts'
import type { Program } from './ast.ts'
import { parse } from './parse.ts'
import { FormulaError, problemOf } from './problem.ts'

// What an editor of formulas needs to know of a text while it is written: its tree, and what is wrong with it. Nothing is computed.

export type { Position, Problem } from '../base/problem.ts'
export { type Program, partsOf, type Tree } from './ast.ts'
export { compile } from './compile.ts'

export { type Names, namesOf } from './names.ts'
export { type RawPrice, rawPricesOf, rawPricesText, withAdjusted } from './raw-prices.ts'

/** Text → tree, or the first mistake of its grammar. */
export function parsed(text: string): { readonly ok: true; readonly program: Program } | { readonly ok: false; readonly problem: Problem } {
  try {
    return { ok: true, program: parse(text) }
  } catch (error) {
    if (error instanceof FormulaError) return { ok: false, problem: problemOf(error, text) }
    throw error
  }
}
