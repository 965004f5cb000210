import { quoted } from '../base/problem.ts'
import type { BinaryOperator } from './ast.ts'
import { type Attribute, attributeIs, groupOf } from './attributes.ts'
import type { FunctionEntry } from './functions/function.ts'
import { operate } from './functions/operators.ts'
import type { Graph, Operand } from './graph.ts'
import { limits } from './limits.ts'
import { FormulaError, type Span } from './problem.ts'
import { asSeen, constantQuarterly, operateQuarterly, type Quarterly } from './quarterly.ts'

/** What a part of the text stands for. */
export type Value =
  | {
      readonly kind: 'series'
      readonly operand: Operand
      /** Trading days read before the day itself, those of built-in factors not counted. */
      readonly lookback: number
      /** Of an enumeration: its values, the cells are indices into them. */
      readonly values: readonly string[] | null
    }
  | { readonly kind: 'attribute'; readonly attribute: Attribute }
  /** Made of report items alone: a number for each quarter. */
  | { readonly kind: 'report'; readonly quarterly: Quarterly }
  | { readonly kind: 'text'; readonly text: string }

export const plainSeries = (operand: Operand, lookback: number): Value => ({ kind: 'series', operand, lookback, values: null })

export const lookbackOf = (value: Value): number => (value.kind === 'series' ? value.lookback : 0)

/** The operand of a value that must be a number. */
export function numberOf(graph: Graph, value: Value, span: Span): Operand {
  if (value.kind === 'series') return value.operand
  if (value.kind === 'report') return graph.apply(asSeen(value.quarterly), [])
  if (value.kind === 'text') throw new FormulaError(22002, '公式语法错误{place}：文字只能用 == 或 != 与评级等枚举字段比较', span)
  const { key, label } = value.attribute
  throw new FormulaError(22002, `公式语法错误{place}：“${label}”（${key}）是文字，只能用于 ==、!=、in、switch_eq 和分组函数`, span)
}

export function reportOf(quarterly: Quarterly, span: Span): Value {
  if (quarterly.cost > limits.inputs) throw new FormulaError(22005, '公式计算量过大{place}，请减少期数', span)
  return { kind: 'report', quarterly }
}

/** Two values made of report items, or one and a constant: what is made of them is another. */
export function operatedQuarterly(graph: Graph, operator: BinaryOperator, left: Value, right: Value): Quarterly | null {
  if (left.kind !== 'report' && right.kind !== 'report') return null
  const [x, y] = [quarterlyOf(graph, left), quarterlyOf(graph, right)]
  return x && y ? operateQuarterly(operator, x, y) : null
}

function quarterlyOf(graph: Graph, value: Value): Quarterly | null {
  if (value.kind === 'report') return value.quarterly
  const constant = value.kind === 'series' ? graph.constantOf(value.operand) : null
  return constant === null ? null : constantQuarterly(constant)
}

/** 1 where the enumeration or attribute is the text. */
export function textMatches(graph: Graph, key: Value, text: string, keySpan: Span, span: Span): Operand {
  if (key.kind === 'attribute') return attributeIs(graph, key.attribute, text)
  const values = key.kind === 'series' ? key.values : null
  if (!values) throw new FormulaError(22002, '公式语法错误{place}：文字只能用 == 或 != 与评级等枚举字段比较', span)
  const index = values.indexOf(text)
  if (index < 0) throw new FormulaError(22002, `公式语法错误{place}：没有取值“${quoted(text)}”，可选：${values.join('、')}`, span)
  return operate(graph, '==', numberOf(graph, key, keySpan), graph.constant(index))
}

/** A value that is an enumeration or an attribute, as the function wants it. */
export function keyOf(entry: FunctionEntry, value: Value, span: Span): Value {
  if (value.kind === 'attribute' || (value.kind === 'series' && value.values)) return value
  throw new FormulaError(22007, `函数${entry.name}的第一个参数{place}应为评级、板块、地区等枚举字段`, span, [entry.name])
}

export function groupBy(graph: Graph, entry: FunctionEntry, value: Value, span: Span): Operand {
  if (value.kind === 'attribute') return groupOf(graph, value.attribute)
  if (value.kind === 'series' && (value.values || graph.isMadeBy(value.operand, 'cs_bin'))) return value.operand
  throw new FormulaError(22007, `函数${entry.name}的分组{place}应为行业、板块、评级等字段，或 cs_bin(x, n)`, span, [entry.name])
}
