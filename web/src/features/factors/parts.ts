import { parsed, partsOf, type Tree } from '@convexa/engine/expression/editing'

/** A part of a formula as a row of the debugger. */
export interface Part {
  /** By its place, its own in the formula. */
  key: string
  /** 0 is the whole formula. */
  depth: number
  /** For each level, whether a line goes on below: the branches of a tree. */
  last: boolean
  start: number
  end: number
  /** As it is written, on one line, inner calls cut short: `TS_RANK(·, 20)`. */
  label: string
  /** The whole of it as a formula that can be computed by itself, with the local names before it. */
  formula: string
  /** The function or operator at its head, or the name that it is. */
  head: { kind: 'call' | 'name' | 'operator' | 'number' | 'text'; name: string }
  /** The name given to it in the text. */
  local?: string
}

/** Series fetched beside the formula itself (product.md 6: at most twelve). */
export const mostParts = 12

/** The parts of a formula that are worth a row, outer before inner: numbers and texts are read in their parents. */
export function partsIn(text: string): Part[] {
  const read = parsed(text)
  if (!read.ok) return []
  const { locals, result } = read.program
  const parts: Part[] = []
  let before = ''
  const add = (tree: Tree, depth: number, last: boolean, local?: string) => {
    parts.push({
      key: `${tree.start}-${tree.end}-${depth}`,
      depth,
      last,
      start: tree.start,
      end: tree.end,
      label: labelOf(tree, text, depth === 0 && local === undefined),
      formula: before + text.slice(tree.start, tree.end),
      head: headOf(tree),
      ...(local ? { local } : {}),
    })
    const inner = partsOf(tree).filter(worthARow)
    inner.forEach((part, i) => {
      add(part, depth + 1, i === inner.length - 1)
    })
  }
  const named: { value: Tree; name: string; before: string }[] = []
  for (const local of locals) {
    named.push({ value: local.value, name: local.name, before })
    before += `${text.slice(local.start, local.end)} `
  }
  add(result, 0, true)
  named.forEach(({ value, name, before: earlier }, i) => {
    before = earlier
    add(value, 1, i === named.length - 1, name)
  })
  return parts
}

const worthARow = (tree: Tree) => tree.kind !== 'number' && tree.kind !== 'text' && !(tree.kind === 'unary' && tree.of.kind === 'number')

function headOf(tree: Tree): Part['head'] {
  if (tree.kind === 'call') return { kind: 'call', name: tree.name }
  if (tree.kind === 'name') return { kind: 'name', name: tree.name }
  if (tree.kind === 'number') return { kind: 'number', name: String(tree.value) }
  if (tree.kind === 'text') return { kind: 'text', name: tree.value }
  return { kind: 'operator', name: tree.kind === 'choice' ? '?:' : tree.operator }
}

const oneLine = (text: string) =>
  text
    .replace(/(?:#|\/\/).*/g, '')
    .replace(/\s+/g, ' ')
    .replace(/\( /g, '(')
    .replace(/ \)/g, ')')
    .replace(/ ,/g, ',')
    .trim()

/** A call shows its arguments only where they are names and numbers; its inner parts have rows of their own. */
function labelOf(tree: Tree, text: string, whole: boolean): string {
  const written = oneLine(text.slice(tree.start, tree.end))
  if (tree.kind !== 'call' || (!whole && written.length <= longestLabel)) return written
  const args = tree.args.map((arg) => {
    const argument = oneLine(text.slice(arg.start, arg.end))
    return arg.kind === 'call' || arg.kind === 'binary' || arg.kind === 'choice' || argument.length > longestArgument ? '·' : argument
  })
  return `${tree.name}(${args.join(', ')})`
}

const longestLabel = 36
const longestArgument = 16
