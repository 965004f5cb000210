import type { Graph, Operand } from '../graph.ts'
import type { Quarterly } from '../quarterly.ts'

export interface FunctionArgument {
  readonly name: string
  /** Chinese name. */
  readonly label: string
  /**
   * series: any number that may change by day and security; window: whole number of trading days; number: a constant;
   * choice: one of the texts of `choices`; text: any value of the `key` before it; key: an enumeration or an attribute of
   * securities; enumeration: a field that is one; group: a key, or `cs_bin(x, n)`; date: a date of securities; benchmark: a market series;
   * report: what is made of report items alone.
   */
  readonly kind: 'series' | 'window' | 'number' | 'choice' | 'text' | 'key' | 'enumeration' | 'group' | 'date' | 'benchmark' | 'report'
  /** An argument that may be left out has one: a number, the name of a field, or a text. */
  readonly default?: number | string
  /** Smallest window; 1 when not given. */
  readonly min?: number
  /** Bounds of a constant; whole: no fraction. */
  readonly least?: number
  readonly most?: number
  readonly whole?: true
  /** No more, or no less, than another number of the same call: its place among the windows and constants. */
  readonly upTo?: number
  readonly from?: number
  readonly choices?: readonly string[]
  /** The last argument may be written again and again. */
  readonly repeat?: true
}

/** What a call gives its function, by kind and in the order of the arguments. */
export interface Call {
  /** Series and groups, then the fields that the function reads by itself. */
  readonly series: readonly Operand[]
  /** Windows and constants. */
  readonly numbers: readonly number[]
  /** Choices, dates, market series. */
  readonly texts: readonly string[]
  /** 1 where the key's value is the text written: one for each. */
  readonly matches: readonly Operand[]
  /** The least number of valid days of a window; the whole window when not written. */
  readonly minimum: number | null
  readonly market: MarketFacts
}

/** The prices of a day that functions read by themselves. */
const barPrices = ['open', 'high', 'low', 'close'] as const
export type BarPrice = (typeof barPrices)[number]

export interface Bars {
  /** What stands before the name of a price: `adj_` where the market has adjusted prices, which are the prices themselves in data without a factor. */
  readonly prefix: 'adj_' | ''
  /** The adjustment factor that the loaded data have. */
  readonly factor: string | null
  /** Smallest step of raw prices. */
  readonly tick: number
}

/** What functions know of the market. */
export interface MarketFacts {
  /** How prices over time are read: adjusted ones, where the market's prices are. */
  readonly bars: Bars
  /** Units (张, 股) in one unit of the field `vol`. */
  readonly volumeUnit: number
  /** The field that is 1 while a security is ST. */
  readonly st: string | null
  /** Fields of the loaded data that tell more of a day at its limit than its close: ST, and the prices of the day. */
  readonly limitFields: readonly string[]
}

/** One line of the table of functions. */
export interface FunctionEntry {
  readonly name: string
  readonly aliases: readonly string[]
  /** Chinese name. */
  readonly label: string
  readonly category: '数学' | '时序' | '截面' | '条件' | '分组' | '财报'
  readonly args: readonly FunctionArgument[]
  /** The arguments by how many are written, where they are not simply `args`; null = not so many. */
  readonly layout?: (given: number) => readonly FunctionArgument[] | null
  /** Facts of the securities that the data must say, or the function is not available. */
  readonly requires?: readonly string[]
  /** Fields that the function reads by itself. */
  readonly fields?: (texts: readonly string[], market: MarketFacts) => readonly string[]
  /** A last argument `mp` may follow: how many valid days of the window suffice. */
  readonly minimum?: true
  /** Trading days before the day itself that the function reads, by its numbers and texts. */
  readonly lookback: (numbers: readonly number[], texts: readonly string[]) => number
  readonly isCrossSection: boolean
  readonly doc: string
  readonly example: string
  /** The function in the language itself: its arguments are local names, `mp` and `volume_unit` too. */
  readonly formula?: string
  /** Prices of the bar in its formula, which there are adjusted ones where the market has them. */
  readonly bar?: readonly BarPrice[]
  /** Its formula where the loaded data have an adjustment factor: `factor` and `tick` are local names too. */
  readonly adjusted?: string
  /** Its answer is in yuan of the day, like a price as traded. */
  readonly isYuanOfDay?: true
  /** Adds the calculation to the graph; of a function that has no formula. */
  readonly build?: (graph: Graph, call: Call) => Operand
  /** The calculation on the axis of quarters; taken when every argument is made of report items. */
  readonly quarterly?: (args: readonly Quarterly[], numbers: readonly number[]) => Quarterly
}

export const x: FunctionArgument = { name: 'x', label: '数值', kind: 'series' }
export const y: FunctionArgument = { name: 'y', label: '数值', kind: 'series' }
export const n: FunctionArgument = { name: 'n', label: '周期（交易日）', kind: 'window' }
/** Of what needs two days to have a value at all: a spread, a slope. */
export const twoDays: FunctionArgument = { ...n, min: 2 }

export type Line = Pick<FunctionEntry, 'name' | 'label' | 'doc' | 'example'> & Partial<FunctionEntry>

/** Most of the table reads its own day and column only. */
export const line = (entry: Line): FunctionEntry => ({
  aliases: [],
  category: '数学',
  args: [x],
  lookback: () => 0,
  isCrossSection: false,
  ...entry,
})
