/** Windows of pairs: sums of products about the means, merged from block to block as squares are in window.ts. */
import type { BinaryOperator } from '../ast.ts'
import type { Graph, Operand, Operation, Row } from '../graph.ts'
import { gather } from './gather.ts'
import { operate } from './operators.ts'
import { noSpread, ofPairs, type PairStatistic } from './statistics.ts'
import { blocks, daysOf, fewDays, fourTimes, mean, meanOfBlock, squares } from './window.ts'

/** x where y is there too. */
const paired: Operation = {
  name: 'paired',
  wasm: { kernel: 'paired' },
  run: ({ out, at, count, inputs, from }) => {
    const [a, b] = inputs
    const [p, q] = from
    for (let i = 0; i < count; i++) out[at + i] = a[p + i] + (b[q + i] - b[q + i])
  },
}

/** Inputs: the whole means of x and y, then for each block those of the block and its own products (none of a single day). */
const mergeProducts = (name: string, sizes: readonly number[]): Operation => ({
  name,
  wasm: { kernel: 'merge_products', list: sizes },
  run: (row) => {
    let next = 2
    for (let k = 0; k < sizes.length; k++) {
      addPart(row, next, sizes[k], k === 0)
      next += sizes[k] > 1 ? 3 : 2
    }
  },
})

function addPart({ out, at, count, inputs, from }: Row, k: number, size: number, first: boolean): void {
  const [m, n, a, b] = [inputs[0], inputs[1], inputs[k], inputs[k + 1]]
  const [o, s, p, q] = [from[0], from[1], from[k], from[k + 1]]
  if (size === 1) {
    for (let i = 0; i < count; i++) {
      const v = (first ? 0 : out[at + i]) + (a[p + i] - m[o + i]) * (b[q + i] - n[s + i])
      out[at + i] = v + (v - v)
    }
    return
  }
  const c = inputs[k + 2]
  const r = from[k + 2]
  for (let i = 0; i < count; i++) {
    const v = (first ? 0 : out[at + i]) + ((a[p + i] - m[o + i]) * (b[q + i] - n[s + i]) * size + c[r + i])
    out[at + i] = v + (v - v)
  }
}

function productsOfBlock(graph: Graph, x: Operand, y: Operand, size: number): Operand {
  const quarter = size / 4
  const means = [x, y].map((each) => fourTimes(graph, meanOfBlock(graph, each, quarter), quarter))
  const products = quarter > 1 ? fourTimes(graph, productsOfBlock(graph, x, y, quarter), quarter) : null
  const parts = [0, 1, 2, 3].flatMap((k) => [means[0][k], means[1][k], ...(products ? [products[k]] : [])])
  const wholes = [x, y].map((each) => meanOfBlock(graph, each, size))
  return graph.apply(mergeProducts(`products_of_block ${size}`, [quarter, quarter, quarter, quarter]), [...wholes, ...parts])
}

/** As squaresOfDays of window.ts. Inputs: the days of x, then those of y. */
const productsOfDays = (window: number): Operation => ({
  name: `products_of_days ${window}`,
  wasm: { kernel: 'products_of_days', numbers: [window] },
  run: ({ out, at: to, count, inputs, from }) => {
    const part = 1 / window
    for (let i = 0; i < count; i++) {
      const x = inputs[0][from[0] + i]
      const y = inputs[window][from[window] + i]
      let sumOfX = 0
      let sumOfY = 0
      let products = 0
      for (let k = 1; k < window; k++) {
        const u = inputs[k][from[k] + i] - x
        const v = inputs[window + k][from[window + k] + i] - y
        sumOfX += u
        sumOfY += v
        products += u * v
      }
      const v = products - sumOfX * (sumOfY * part)
      out[to + i] = v + (v - v)
    }
  },
})

/** `correlation` of statistics.ts in one pass over the days of x and y; a NaN on any of them makes all sums NaN. */
const correlationOfDays = (window: number): Operation => ({
  name: `correlation_of_days ${window}`,
  wasm: { kernel: 'correlation_of_days', numbers: [window] },
  run: ({ out, at: to, count, inputs, from }) => {
    const part = 1 / window
    const degrees = window - 1
    for (let i = 0; i < count; i++) {
      const x = inputs[0][from[0] + i]
      const y = inputs[window][from[window] + i]
      let a = 0
      let b = 0
      let c = 0
      let d = 0
      let e = 0
      for (let k = 1; k < window; k++) {
        const u = inputs[k][from[k] + i] - x
        const v = inputs[window + k][from[window + k] + i] - y
        a += u
        b += v
        c += u * u
        d += v * v
        e += u * v
      }
      const meanOfA = a * part
      const meanOfB = b * part
      const xx = c - a * meanOfA
      const yy = d - b * meanOfB
      const xy = e - a * meanOfB
      const leastX = noSpread * (1 + Math.abs(x + meanOfA))
      const leastY = noSpread * (1 + Math.abs(y + meanOfB))
      const isSpread = xx >= leastX * leastX * degrees && yy >= leastY * leastY * degrees
      const v = xy / (Math.sqrt(xx) * Math.sqrt(yy))
      out[to + i] = isSpread ? Math.max(-1, Math.min(1, v)) : Number.NaN
    }
  },
})

/** Σ (x − mean)(y − mean) over the window. */
function products(graph: Graph, x: Operand, y: Operand, window: number): Operand {
  if (window > 1 && window <= fewDays)
    return graph.apply(productsOfDays(window), [...daysOf(graph, x, window), ...daysOf(graph, y, window)])
  const parts = blocks(window)
  const inputs = parts.flatMap(({ size, delay }) => {
    const own = [meanOfBlock(graph, x, size), meanOfBlock(graph, y, size)]
    if (size > 1) own.push(productsOfBlock(graph, x, y, size))
    return own.map((part) => graph.delay(part, delay))
  })
  const sizes = parts.map(({ size }) => size)
  return graph.apply(mergeProducts(`products ${window}`, sizes), [mean(graph, x, window), mean(graph, y, window), ...inputs])
}

/** As `beta` of statistics.ts. Inputs: mean of x, Σxx, Σxy. */
const regressed = (window: number): Operation => ({
  name: `regressed ${window}`,
  run: ({ out, at, count, inputs, from }) => {
    const [mean, squares, products] = inputs
    const [p, q, r] = from
    for (let i = 0; i < count; i++) {
      const xx = squares[q + i]
      const variance = xx / (window - 1)
      const isSpread = variance < Number.POSITIVE_INFINITY && Math.sqrt(variance) >= noSpread * (1 + Math.abs(mean[p + i]))
      const v = products[r + i] / xx
      out[at + i] = isSpread ? v + (v - v) : Number.NaN
    }
  },
})

/** As `correlation` of statistics.ts, in a bare loop: it is the most used of them. Inputs: means of x and y, Σxx, Σxy, Σyy. */
const correlated = (window: number): Operation => ({
  name: `correlated ${window}`,
  wasm: { kernel: 'correlated', numbers: [window] },
  run: ({ out, at: to, count, inputs, from }) => {
    const [m, n, a, b, c] = inputs
    const [o, s, p, q, r] = from
    const degrees = window - 1
    for (let i = 0; i < count; i++) {
      const xx = a[p + i]
      const yy = c[r + i]
      const leastX = noSpread * (1 + Math.abs(m[o + i]))
      const leastY = noSpread * (1 + Math.abs(n[s + i]))
      const v = b[q + i] / (Math.sqrt(xx) * Math.sqrt(yy))
      const isSpread = xx >= leastX * leastX * degrees && yy >= leastY * leastY * degrees && degrees > 0
      out[to + i] = isSpread ? Math.max(-1, Math.min(1, v)) : Number.NaN
    }
  },
})

/** A statistic of the pairs of a window; days on which one of the two is absent are no pairs. */
export function ofPairWindow(
  graph: Graph,
  name: string,
  of: PairStatistic,
  x: Operand,
  y: Operand,
  window: number,
  minimum: number,
): Operand {
  if (minimum < window) {
    const kernel = of === 'correlation' ? { kernel: 'correlation_of_members' } : {}
    return gather(graph, { name, of: ofPairs(of), ...kernel }, [x, y], window, minimum)
  }
  const isShort = window > 1 && window <= fewDays
  if (of === 'correlation' && isShort)
    return graph.apply(correlationOfDays(window), [...daysOf(graph, x, window), ...daysOf(graph, y, window)])
  const apply = (operator: BinaryOperator, a: Operand, b: Operand) => operate(graph, operator, a, b)
  if (of === 'explained') {
    const r = ofPairWindow(graph, name, 'correlation', x, y, window, window)
    return apply('*', r, r)
  }
  // Either is absent where the other is: days that are no pairs leave no window whole.
  const a = graph.apply(paired, [x, y])
  const b = graph.apply(paired, [y, x])
  const xy = products(graph, a, b, window)
  if (of === 'covariance') return apply('/', xy, graph.constant(window - 1))
  const meanOfX = mean(graph, a, window)
  const meanOfY = mean(graph, b, window)
  const xx = squares(graph, a, window)
  if (of === 'correlation') return graph.apply(correlated(window), [meanOfX, meanOfY, xx, xy, squares(graph, b, window)])
  const beta = graph.apply(regressed(window), [meanOfX, xx, xy])
  if (of === 'beta') return beta
  if (of === 'alpha') return apply('-', meanOfY, apply('*', beta, meanOfX))
  return apply('-', apply('-', y, meanOfY), apply('*', beta, apply('-', x, meanOfX)))
}
