import type { FactorMeta } from '@convexa/contract/factor'
import {
  compile,
  type Names,
  namesOf,
  type Position,
  type Program,
  parsed,
  partsOf,
  type RawPrice,
  rawPricesOf,
  rawPricesText,
  type Tree,
  withAdjusted,
} from '@convexa/engine/expression/editing'
import { factorsOf } from '../rule/factors.ts'
import { type Remark, unitRemarks } from './units.ts'

/** What is wrong with a formula: where, and a sentence that begins with the place. */
export interface FormulaIssue {
  message: string
  start: number
  end: number
}

export type Checked =
  | { kind: 'empty' }
  | { kind: 'right'; program: Program; functions: number; factors: number; nodes: number; remarks: readonly Remark[] }
  /** Not `sure` about a name that is not in the list: the server has the last word. */
  | { kind: 'wrong'; mistake: FormulaIssue; sure: boolean }

/** A user's formula checked in the browser, by the engine's own parser and rules, on the names that the server told. */
export type Checker = (text: string) => Checked

export function checkerOf(metas: readonly FactorMeta[]): Checker {
  const names = namesFrom(metas)
  const factors = factorsOf(metas)
  const metaOf = (name: string) => factors.of(name) ?? metas.find(({ factor_name }) => factor_name.replaceAll(' ', '') === name) ?? null
  return (text) => {
    if (text.trim() === '') return { kind: 'empty' }
    const read = parsed(text)
    if (!read.ok) return { kind: 'wrong', mistake: formulaIssueOf(read.problem, text), sure: true }
    const compiled = compile(text, names)
    if (!compiled.ok) return { kind: 'wrong', mistake: formulaIssueOf(compiled.problem, text), sure: compiled.problem.code !== 22009 }
    return {
      kind: 'right',
      program: read.program,
      ...counted(read.program),
      remarks: [...unitRemarks(read.program, metaOf), ...rawRemarks(text, rawPricesOf(read.program, names))],
    }
  }
}

/** Prices as traded over days, and the press that writes adjusted ones. */
function rawRemarks(text: string, prices: readonly RawPrice[]): Remark[] {
  const message = rawPricesText(prices)
  const [first] = prices
  if (message === null || !first) return []
  const formula = withAdjusted(text, prices)
  return [{ start: first.start, end: first.end, message, ...(formula !== null && { press: { label: '改用复权价', formula } }) }]
}

/** The shelf of what statements give: functions of quarters take these alone. */
const reported = '财报科目'

/** Names as the server has them: all that is built in stands for itself, whatever it is made of. */
function namesFrom(metas: readonly FactorMeta[]): Names {
  const builtIn = metas.filter(({ factor_type }) => factor_type !== 1)
  const anything = builtIn.find(({ available, window }) => available && !window)?.factor_key ?? 'close'
  const reportItems = builtIn
    .filter(({ category }) => category === reported)
    .map(({ factor_key: key, factor_name: label, unit, description }) => ({ key, label, unit, description, kind: 'flow' as const }))
  const fields = builtIn
    .filter(({ window, category }) => !window && category !== reported)
    .map(({ factor_key: key, factor_name: label, unit, decimals, category, description, prefer_default: prefer, values }) => ({
      ...{ key, label, unit, decimals, category, description, prefer, store: 'f64' as const, carry: false },
      ...(values ? { values } : {}),
    }))
  const factors = builtIn.flatMap(({ factor_key, factor_name, window, factor_type, available, ...meta }) =>
    window && available
      ? [
          {
            ...{ key: factor_key, label: factor_name, unit: meta.unit, decimals: meta.decimals, category: meta.category },
            ...{ type: factor_type === 3 ? (3 as const) : (2 as const), prefer: meta.prefer_default, realtime: meta.realtime, window },
            ...{ description: meta.description, formula: anything },
          },
        ]
      : [],
  )
  const there = new Set(builtIn.filter(({ available }) => available).map(({ factor_key }) => factor_key))
  const own = metas.filter(({ factor_type }) => factor_type === 1)
  const custom = new Map(own.map(({ factor_key: key, factor_name: label, formula = '' }) => [key, { key, label, formula }] as const))
  return namesOf({ fields, factors, reportItems }, there, { custom })
}

/** `第 1 行第 9 列：函数 ts_rank 的参数个数不正确…`: the place comes first. */
function formulaIssueOf({ message, pos }: { message: string; pos?: Position }, text: string): FormulaIssue {
  const [start, end] = pos ? [pos.start, Math.max(pos.end, pos.start + 1)] : [0, text.length]
  const place = pos ? `第 ${pos.line} 行第 ${pos.column} 列：` : ''
  return { message: place + message.replace(/（第\d+行第\d+列）/, ''), start, end: Math.max(start, Math.min(end, text.length)) }
}

function counted({ locals, result }: Program): { functions: number; factors: number; nodes: number } {
  const local = new Set(locals.map(({ name }) => name.toLowerCase()))
  const functions = new Set<string>()
  const factors = new Set<string>()
  let nodes = 0
  const walk = (tree: Tree) => {
    nodes++
    if (tree.kind === 'call') functions.add(tree.name.toLowerCase())
    if (tree.kind === 'name' && !local.has(tree.name.toLowerCase())) factors.add(tree.name.toLowerCase())
    for (const part of partsOf(tree)) walk(part)
  }
  for (const { value } of locals) walk(value)
  walk(result)
  return { functions: functions.size, factors: factors.size, nodes }
}
