import type { FactorMeta } from '@convexa/contract/factor'
import { parsed, type Tree } from '@convexa/engine/expression/editing'
import { fixed } from '../../base/format.ts'
import { shownAs } from '../rule/factors.ts'
import type { PartRow } from './run-model.ts'
import type { Vocabulary } from './vocabulary.ts'

/** What a part of a formula is called, what its number counts, and how it came about: in words. */
export interface Meanings {
  /** 双低, 收盘价, 时序分位 */
  nameOf(part: Pick<PartRow, 'formula' | 'head' | 'local'>): string
  unitOf(part: Pick<PartRow, 'formula' | 'head'>): string
  write(part: Pick<PartRow, 'formula' | 'head'>, value: number | string | null): string
}

const operators: Readonly<Record<string, string>> = {
  '+': '相加',
  '-': '相减',
  '*': '相乘',
  '/': '相除',
  '%': '取余',
  '^': '乘方',
  and: '同时成立',
  or: '任一成立',
  not: '取反',
  '?:': '按条件取值',
}

export function meaningsOf(metas: readonly FactorMeta[], words: Vocabulary): Meanings {
  const metaNamed = (name: string) => {
    const key = words.factorNamed(name)?.text ?? name
    return metas.find(({ factor_key }) => factor_key === key || factor_key.replace(/(^|_)N(?=_|$)/, '') === key) ?? null
  }
  const shapes = new Map<string, FactorMeta>()
  for (const meta of metas) {
    if (!meta.formula || meta.window) continue
    const shape = shapeOf(meta.formula, words)
    if (shape && !shapes.has(shape)) shapes.set(shape, meta)
  }
  const known = (formula: string): FactorMeta | null => {
    const shape = shapeOf(formula, words)
    return shape ? (shapes.get(shape) ?? null) : null
  }
  const metaOf = ({ formula, head }: Pick<PartRow, 'formula' | 'head'>) => (head.kind === 'name' ? metaNamed(head.name) : known(formula))
  return {
    nameOf({ formula, head, local }) {
      if (head.kind === 'name') {
        const window = /_(\d+)(?=_|$)/.exec(head.name)?.[1]
        const label = words.factorNamed(head.name)?.label ?? head.name
        return window ? label.replace('N', window) : label
      }
      const built = known(formula)
      if (built) return built.factor_name
      if (local) return `「${local}」`
      if (head.kind === 'number' || head.kind === 'text') return '常数'
      if (head.kind === 'call') return words.functionNamed(head.name)?.label ?? head.name
      const scaled = /^([\w\u3400-\u9fff`]+)\s*\*\s*100$/.exec(formula.trim())?.[1]
      const meta = scaled ? metaNamed(scaled) : null
      if (meta && shownAs(meta).percent) return `${meta.factor_name}的百分数`
      return operators[head.name] ?? '比较，成立为 1'
    },
    unitOf(part) {
      const meta = metaOf(part)
      if (meta?.values) return ''
      if (meta) return shownAs(meta).percent ? '小数' : (meta.unit ?? '')
      if (part.head.kind === 'call' && /_rank(_desc)?$|^rank$/i.test(part.head.name)) return '比例'
      if (/^[\w\u3400-\u9fff`]+\s*\*\s*100$/.test(part.formula.trim())) return '%'
      return ''
    },
    write(part, value) {
      if (typeof value === 'string') return value
      const meta = metaOf(part)
      if (meta) return fixed(value, shownAs(meta).percent ? 5 : meta.decimals)
      return written(value)
    },
  }
}

/** A number without a unit of its own: about five digits that say something. */
export function written(value: number | null): string {
  if (value === null) return fixed(null)
  const size = Math.abs(value)
  return fixed(value, size >= 10_000 ? 0 : size >= 1_000 ? 1 : size >= 100 ? 3 : size >= 0.01 || size === 0 ? 4 : 6)
}

/** One text for formulas that are the same but for spelling and the order of sums and products. */
function shapeOf(formula: string, words: Vocabulary): string | null {
  const read = parsed(formula)
  if (!read.ok || read.program.locals.length > 0) return null
  const shape = (tree: Tree): string => {
    switch (tree.kind) {
      case 'number':
        return String(tree.value)
      case 'text':
        return JSON.stringify(tree.value)
      case 'name':
        return words.factorNamed(tree.name)?.text ?? tree.name.toLowerCase()
      case 'call':
        return `${tree.name.toLowerCase()}(${tree.args.map(shape).join()})`
      case 'unary':
        return `${tree.operator}(${shape(tree.of)})`
      case 'choice':
        return `if(${shape(tree.test)},${shape(tree.yes)},${shape(tree.no)})`
      case 'binary': {
        const sides = [shape(tree.left), shape(tree.right)]
        if (tree.operator === '+' || tree.operator === '*') sides.sort()
        return `(${sides.join(tree.operator)})`
      }
    }
  }
  return read.program.result.kind === 'name' ? null : shape(read.program.result)
}

const verbs: Readonly<Record<string, string>> = { '+': '加', '-': '减', '*': '乘', '/': '除以' }
const mostSteps = 3

/** How the value came about, in a sentence: the last steps before it. What a step begins with is not said again where the one before ended with it. */
export function readingOf(rows: readonly PartRow[], meanings: Meanings): string | null {
  const steps: { from: string; words: string; to: string }[] = []
  const said = (row: PartRow) => `${meanings.nameOf(row)} ${meanings.write(row, row.value)}`
  for (const [i, row] of rows.entries()) {
    if (steps.length >= mostSteps || row.value === null) continue
    const inner = childrenOf(rows, i)
    const [left, right] = inner
    if (!left) continue
    const [from, to] = [said(left), said(row)]
    const verb = row.head.kind === 'operator' ? verbs[row.head.name] : undefined
    if (verb && right && inner.length === 2) steps.unshift({ from, to, words: ` ${verb}${said(right)}，得到${to}` })
    else if (row.head.kind === 'call') steps.unshift({ from, to, words: callWords(row, left, meanings) })
  }
  if (steps.length === 0) return null
  return `${steps.map(({ from, words }, i) => (from === steps[i - 1]?.to ? words.replace(/^，/, '') : from + words)).join('；')}。`
}

function callWords(row: PartRow, of: PartRow, meanings: Meanings): string {
  const result = meanings.write(row, row.value)
  const now = of.series?.at(-1)
  if (!/^ts_rank$/i.test(row.head.name) || !of.series || now === null || now === undefined)
    return `，求${meanings.nameOf(row)}得到 ${result}`
  const window = Number(/,\s*(\d+)\s*(?:,[^)]*)?\)$/.exec(row.label)?.[1])
  if (!(window <= of.series.length)) return `，在最近 ${window} 个交易日里的分位是 ${result}`
  const lower = of.series.slice(-window).filter((value) => value !== null && value <= now).length
  return `，在最近 ${window} 个交易日里有 ${lower} 天不高于它，分位是 ${result}`
}

/** The rows right below one, until the tree comes back to its own depth. */
function childrenOf(rows: readonly PartRow[], at: number): PartRow[] {
  const { depth = 0 } = rows[at] ?? {}
  const below: PartRow[] = []
  for (const row of rows.slice(at + 1)) {
    if (row.depth <= depth || row.local) break
    if (row.depth === depth + 1) below.push(row)
  }
  return below
}
