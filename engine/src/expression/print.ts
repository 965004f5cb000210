import type { BinaryOperator, Program, Tree } from './ast.ts'
import { functionNamed } from './functions/index.ts'
import { type Names, resolve, withWindow } from './names.ts'
import { parse } from './parse.ts'
import { writtenName, writtenText } from './tokenize.ts'

/**
 * The canonical text: keys instead of labels and aliases, uniform spacing, only necessary brackets. Formulas of the user's own factors
 * follow in a comment at the end, so that another formula under the same key makes another text.
 */
export function print(program: Program, names: Names): string {
  const own = new Map<string, string>()
  const text = printed(program, names, own)
  return [text, ...[...own].sort().map(([key, formula]) => `${key} := ${formula}`)].join(' # ')
}

/** The same without the comment; `factors` gathers the own factors met. */
export function printed({ locals, result }: Program, names: Names, factors = new Map<string, string>()): string {
  const own = new Set(locals.map((local) => local.name.toLowerCase()))
  const printer = { names, own, factors }
  return [
    ...locals.map((local) => `${writtenName(local.name.toLowerCase())} := ${text(local.value, printer, 0)};`),
    text(result, printer, 0),
  ].join(' ')
}

interface Printer {
  readonly names: Names
  readonly own: ReadonlySet<string>
  /** The user's own factors met so far, with their canonical formulas. */
  readonly factors: Map<string, string>
}

/** How tightly each form binds; the grammar's lines from the loosest. */
const strength: Record<BinaryOperator, number> = {
  or: 2,
  and: 3,
  '<': 5,
  '<=': 5,
  '>': 5,
  '>=': 5,
  '==': 5,
  '!=': 5,
  '+': 6,
  '-': 6,
  '*': 7,
  '/': 7,
  '%': 7,
  '^': 9,
}
const choiceStrength = 1
const notStrength = 4
const signStrength = 8
const powerStrength = 9

/** The text of a tree where at least `least` is needed to stand without brackets. */
function text(tree: Tree, printer: Printer, least: number): string {
  switch (tree.kind) {
    case 'number':
      return String(tree.value)
    case 'text':
      return writtenText(tree.value)
    case 'name':
      return name(tree.name, printer)
    case 'call': {
      const key = functionNamed(tree.name)?.name ?? tree.name
      return `${key}(${tree.args.map((arg) => text(arg, printer, 0)).join(', ')})`
    }
    case 'choice': {
      const [test, yes, no] = [text(tree.test, printer, 2), text(tree.yes, printer, 0), text(tree.no, printer, 0)]
      return bracketed(`${test} ? ${yes} : ${no}`, choiceStrength, least)
    }
    case 'unary': {
      if (tree.operator === '+') return text(tree.of, printer, least)
      if (tree.operator === 'not') return bracketed(`not ${text(tree.of, printer, 5)}`, notStrength, least)
      return bracketed(`-${text(tree.of, printer, powerStrength)}`, signStrength, least)
    }
    case 'binary': {
      const own = strength[tree.operator]
      // Left to right: the right side needs more. A power is the other way round, a comparison has no chain.
      const right = tree.operator === '^' ? signStrength : own + 1
      const left = tree.operator === '^' || own === 5 ? own + 1 : own
      return bracketed(`${text(tree.left, printer, left)} ${tree.operator} ${text(tree.right, printer, right)}`, own, least)
    }
  }
}

function bracketed(inner: string, own: number, least: number): string {
  return own < least ? `(${inner})` : inner
}

function name(written: string, printer: Printer): string {
  const { own } = printer
  if (own.has(written.toLowerCase())) return writtenName(written.toLowerCase())
  const key = keyOf(written, printer)
  // Where the text calls something else by the key, the name stays as it was written.
  return own.has(key.toLowerCase()) ? writtenName(written) : key
}

function keyOf(written: string, { names, factors }: Printer): string {
  const meaning = resolve(written, names)
  if (!meaning) return writtenName(written)
  if (meaning.kind === 'attribute') return meaning.attribute.key
  if (meaning.kind === 'custom') {
    const { key, formula } = meaning.factor
    if (!factors.has(key)) {
      factors.set(key, '')
      factors.set(key, printed(parse(formula), names, factors))
    }
    return key
  }
  if (meaning.kind !== 'factor') return meaning.field.key
  const { factor, window } = meaning
  if (window === null) return factor.key
  const key = withWindow(factor.key, window)
  return key === factor.key ? `${factor.key}_${window}` : key
}
