import type { Position } from '../base/problem.ts'
import { partsOf, type Tree } from './ast.ts'
import { compile, type Expression } from './compile.ts'
import type { Names } from './names.ts'
import { parse } from './parse.ts'
import { position } from './problem.ts'

/** A part of a formula with its place. A part that is a number for each security has an expression, another its literal or null. */
export interface FormulaNode {
  readonly pos: Position
  readonly text: string
  readonly expression: Expression | null
  readonly literal: number | string | null
}

/** Parts told of one formula: the outer ones first. */
const mostNodes = 128

/** Every part of a formula that compiles, an outer one before those in it, the local names first. */
export function nodesOf(text: string, names: Names): FormulaNode[] {
  const { locals, result } = parse(text)
  const out: FormulaNode[] = []
  // A part may name the locals written before it.
  let before = ''
  const add = (tree: Tree) => {
    if (out.length >= mostNodes) return
    const part = text.slice(tree.start, tree.end)
    const literal = tree.kind === 'number' || tree.kind === 'text' ? tree.value : null
    const compiled = literal === null ? compile(before + part, names) : null
    out.push({ pos: position(text, tree), text: part, expression: compiled?.ok ? compiled.expression : null, literal })
    for (const inner of partsOf(tree)) add(inner)
  }
  for (const local of locals) {
    add(local.value)
    before += `${text.slice(local.start, local.end)} `
  }
  add(result)
  return out
}
