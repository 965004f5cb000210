import type { Graph, Operand } from '../graph.ts'

export interface FunctionArgument {
  readonly name: string
  /** Chinese name. */
  readonly label: string
  /** series: any number that may change by day and security; window: whole number of trading days; number: a constant. */
  readonly kind: 'series' | 'window' | 'number'
  /** An argument that may be left out has one. */
  readonly default?: number
  /** Smallest window; 1 when not given. */
  readonly min?: number
  /** The last argument may be written again and again. */
  readonly repeat?: true
}

/** What a call gives its function, by kind and in the order of the arguments. */
export interface Call {
  readonly series: readonly Operand[]
  readonly numbers: readonly number[]
  /** The least number of valid days of a window; the whole window when not written. */
  readonly minimum: number | null
}

/** One line of the table of functions. */
export interface FunctionEntry {
  readonly name: string
  readonly aliases: readonly string[]
  /** Chinese name. */
  readonly label: string
  readonly category: '数学' | '时序' | '截面' | '条件' | '分组'
  readonly args: readonly FunctionArgument[]
  /** A last argument `mp` may follow: how many valid days of the window suffice. */
  readonly minimum?: true
  /** Trading days before the day itself that the function reads, by its numbers. */
  readonly lookback: (numbers: readonly number[]) => number
  readonly isCrossSection: boolean
  readonly doc: string
  readonly example: string
  /** Adds the calculation to the graph. */
  readonly build: (graph: Graph, call: Call) => Operand
}

export const x: FunctionArgument = { name: 'x', label: '数值', kind: 'series' }
export const n: FunctionArgument = { name: 'n', label: '周期（交易日）', kind: 'window' }
