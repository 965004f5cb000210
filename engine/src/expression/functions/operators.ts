import type { BinaryOperator } from '../ast.ts'
import type { Graph, Operand, Operation } from '../graph.ts'
import { binary, each, eachPair, ternary, unary } from './cells.ts'

/** An infix operator of the grammar on two operands. */
export function operate(graph: Graph, operator: BinaryOperator, left: Operand, right: Operand): Operand {
  // a > b is b < a: one calculation for both ways of writing it.
  if (operator === '>' || operator === '>=') return graph.apply(operators[operator], [right, left])
  if (operator === '^') return raise(graph, left, right)
  return graph.apply(operators[operator], [left, right])
}

export function negate(graph: Graph, of: Operand): Operand {
  return graph.apply(negative, [of])
}

export function invert(graph: Graph, of: Operand): Operand {
  return graph.apply(not, [of])
}

/** A constant condition is resolved at compile time: the other branch is neither loaded nor computed. */
export function choose(graph: Graph, test: Operand, yes: Operand, no: Operand): Operand {
  const fixed = graph.constantOf(test)
  if (fixed === null) return graph.apply(chosen, [test, yes, no])
  return fixed !== fixed ? test : fixed !== 0 ? yes : no
}

export const squareRoot: Operation = { name: 'sqrt', wasm: { kernel: 'square_root' }, run: each(Math.sqrt) }

/** Exponents for which a dedicated function is cheaper than `pow`. */
export function raise(graph: Graph, base: Operand, exponent: Operand): Operand {
  const constant = graph.constantOf(exponent)
  if (constant === 1) return base
  if (constant === 2) return graph.apply(multiply, [base, base])
  if (constant === 0.5) return graph.apply(squareRoot, [base])
  if (constant === 3 || constant === 4 || constant === 5) return multiplied(graph, base, constant)
  return graph.apply(power, [base, exponent])
}

/** Small whole exponents are multiplied out: ten times as fast as a logarithm and an exponential. */
function multiplied(graph: Graph, base: Operand, times: 3 | 4 | 5): Operand {
  const square = graph.apply(multiply, [base, base])
  if (times === 3) return graph.apply(multiply, [square, base])
  const fourth = graph.apply(multiply, [square, square])
  return times === 4 ? fourth : graph.apply(multiply, [fourth, base])
}

const add: Operation = {
  name: 'add',
  wasm: { kernel: 'add' },
  run: binary((out, at, count, a, p, b, q) => {
    for (let i = 0; i < count; i++) {
      const v = a[p + i] + b[q + i]
      out[at + i] = v + (v - v)
    }
  }),
}
export const subtract: Operation = {
  name: 'subtract',
  wasm: { kernel: 'subtract' },
  run: binary((out, at, count, a, p, b, q) => {
    for (let i = 0; i < count; i++) {
      const v = a[p + i] - b[q + i]
      out[at + i] = v + (v - v)
    }
  }),
}
export const multiply: Operation = {
  name: 'multiply',
  wasm: { kernel: 'multiply' },
  run: binary((out, at, count, a, p, b, q) => {
    for (let i = 0; i < count; i++) {
      const v = a[p + i] * b[q + i]
      out[at + i] = v + (v - v)
    }
  }),
}
export const divide: Operation = {
  name: 'divide',
  wasm: { kernel: 'divide' },
  run: binary((out, at, count, a, p, b, q) => {
    for (let i = 0; i < count; i++) {
      const v = a[p + i] / b[q + i]
      out[at + i] = v + (v - v)
    }
  }),
}
/**
 * Prices that are computed (a mean of three, a price × a factor, a moving average) are off by some 10⁻¹⁶ of themselves, so that equal ones
 * differ. One tick is more than 10⁻⁹ of any price.
 */
const roundingShare = 1e-12
/** The difference, 0 where it is no more than rounding. Its sign says which of two computed prices is higher. */
export const difference: Operation = {
  name: 'difference',
  wasm: { kernel: 'difference' },
  run: binary((out, at, count, a, p, b, q) => {
    for (let i = 0; i < count; i++) {
      const v = a[p + i]
      const w = b[q + i]
      const d = v - w
      const u = Math.abs(d) <= roundingShare * Math.max(Math.abs(v), Math.abs(w)) ? 0 : d
      out[at + i] = u + (u - u)
    }
  }),
}
/** The remainder has the sign of the divisor. */
export const remainder: Operation = {
  name: 'remainder',
  run: eachPair((a, b) => {
    const r = a % b
    return r !== 0 && r < 0 !== b < 0 ? r + b : r
  }),
}
// A power of NaN is NaN, also to the 0; 1 to the NaN is NaN.
const power: Operation = { name: 'power', run: eachPair((a, b) => (a !== a ? a : a ** b)) }

// Comparisons are `Number(…)`, which needs no branch; `+ (v - v) + (w - w)` makes absent what is absent on either side.

const less: Operation = {
  name: 'less',
  wasm: { kernel: 'less' },
  run: binary((out, at, count, a, p, b, q) => {
    for (let i = 0; i < count; i++) {
      const v = a[p + i]
      const w = b[q + i]
      out[at + i] = Number(v < w) + (v - v) + (w - w)
    }
  }),
}
export const lessOrEqual: Operation = {
  name: 'less_or_equal',
  wasm: { kernel: 'less_or_equal' },
  run: binary((out, at, count, a, p, b, q) => {
    for (let i = 0; i < count; i++) {
      const v = a[p + i]
      const w = b[q + i]
      out[at + i] = Number(v <= w) + (v - v) + (w - w)
    }
  }),
}
const equal: Operation = {
  name: 'equal',
  wasm: { kernel: 'equal' },
  run: binary((out, at, count, a, p, b, q) => {
    for (let i = 0; i < count; i++) {
      const v = a[p + i]
      const w = b[q + i]
      out[at + i] = Number(v === w) + (v - v) + (w - w)
    }
  }),
}
export const unequal: Operation = {
  name: 'unequal',
  wasm: { kernel: 'unequal' },
  run: binary((out, at, count, a, p, b, q) => {
    for (let i = 0; i < count; i++) {
      const v = a[p + i]
      const w = b[q + i]
      out[at + i] = Number(v !== w) + (v - v) + (w - w)
    }
  }),
}

/** Three values: false and absent = false. */
export const both: Operation = {
  name: 'and',
  revives: true,
  run: binary((out, at, count, a, p, b, q) => {
    for (let i = 0; i < count; i++) {
      const v = a[p + i]
      const w = b[q + i]
      out[at + i] = v === 0 || w === 0 ? 0 : v === v && w === w ? 1 : Number.NaN
    }
  }),
}
/** Three values: true or absent = true. */
const either: Operation = {
  name: 'or',
  revives: true,
  run: binary((out, at, count, a, p, b, q) => {
    for (let i = 0; i < count; i++) {
      const v = a[p + i]
      const w = b[q + i]
      out[at + i] = (v === v && v !== 0) || (w === w && w !== 0) ? 1 : v === v && w === w ? 0 : Number.NaN
    }
  }),
}
const not: Operation = {
  name: 'not',
  run: unary((out, at, count, a, p) => {
    for (let i = 0; i < count; i++) {
      const v = a[p + i]
      out[at + i] = v === 0 ? 1 : v === v ? 0 : Number.NaN
    }
  }),
}
const negative: Operation = {
  name: 'negative',
  wasm: { kernel: 'negative' },
  run: unary((out, at, count, a, p) => {
    for (let i = 0; i < count; i++) out[at + i] = 0 - a[p + i]
  }),
}

/** Absent condition: absent result, whichever branch it would take. */
const chosen: Operation = {
  name: 'if',
  wasm: { kernel: 'choose' },
  run: ternary((out, at, count, a, p, b, q, c, r) => {
    for (let i = 0; i < count; i++) {
      const test = a[p + i]
      out[at + i] = test !== test ? Number.NaN : test !== 0 ? b[q + i] : c[r + i]
    }
  }),
}

const operators: Record<BinaryOperator, Operation> = {
  '+': add,
  '-': subtract,
  '*': multiply,
  '/': divide,
  '%': remainder,
  '^': power,
  '<': less,
  '<=': lessOrEqual,
  '>': less,
  '>=': lessOrEqual,
  '==': equal,
  '!=': unequal,
  and: both,
  or: either,
}
