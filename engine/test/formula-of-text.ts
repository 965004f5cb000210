import type { Tree } from '../src/expression/ast.ts'
import { type FunctionEntry, functionTable } from '../src/expression/index.ts'
import { parse } from '../src/expression/parse.ts'
import type { Formula } from './formula.ts'

/** The tree of a text, for the slow evaluator: local names are put in, arguments sorted by kind. Only what tests write is understood. */
export function formulaOf(text: string): Formula {
  const { locals, result } = parse(text)
  const known = new Map<string, Formula>()
  for (const local of locals) known.set(local.name, formulaOfTree(local.value, known))
  return formulaOfTree(result, known)
}

function formulaOfTree(tree: Tree, known: ReadonlyMap<string, Formula>): Formula {
  const inner = (each: Tree) => formulaOfTree(each, known)
  switch (tree.kind) {
    case 'number':
      return { kind: 'number', value: tree.value }
    case 'name':
      return known.get(tree.name) ?? { kind: 'field', key: tree.name }
    case 'unary':
      return tree.operator === '+'
        ? inner(tree.of)
        : { kind: 'call', name: tree.operator === '-' ? 'negative' : 'not', args: [inner(tree.of)] }
    case 'binary':
      return { kind: 'call', name: tree.operator, args: [inner(tree.left), inner(tree.right)] }
    case 'choice':
      return { kind: 'call', name: '?:', args: [inner(tree.test), inner(tree.yes), inner(tree.no)] }
    case 'text':
      throw new Error(`a text is no formula: ${tree.value}`)
    case 'call': {
      const { args, name } = functionTable.find((entry) => entry.name === tree.name) as FunctionEntry
      const given = args.map((arg, k) => ({ arg, tree: tree.args[k] }))
      const of = (kinds: readonly string[]) => given.filter(({ arg }) => kinds.includes(arg.kind))
      const keys = of(['group']).map(({ tree: group }) => ({ kind: 'key', key: (group as Tree & { kind: 'name' }).name }) as const)
      const series = of(['series']).map(({ tree: each }) => inner(each))
      const numbers = of(['window', 'number']).map(({ arg, tree: each }) =>
        each?.kind === 'number' ? each.value : (arg.default as number),
      )
      return { kind: 'call', name, args: [...keys, ...series], numbers }
    }
  }
}
