/** Windows of pairs: sums of products about the means, merged from block to block as squares are in window.ts. */
import type { Graph, Operand, Operation, Row } from '../graph.ts'
import { gather } from './gather.ts'
import { correlation, noSpread, type OfPairs, ofPairs, type PairSums } from './statistics.ts'
import { blocks, daysOf, fewDays, fourTimes, mean, meanOfBlock, squares } from './window.ts'

type Cells = Float64Array

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

const at = (cells: Cells, place: number): number => cells[place]

/** Inputs: means of x and y, Σxx, Σxy, Σyy, and today's x and y. */
const fromSums = (name: string, window: number, of: OfPairs): Operation => {
  const sums = { count: window, meanOfX: 0, meanOfY: 0, xx: 0, xy: 0, yy: 0 } satisfies PairSums
  return {
    name: `${name} ${window}`,
    run: ({ out, at: to, count, inputs, from }) => {
      for (let i = 0; i < count; i++) {
        sums.meanOfX = at(inputs[0], from[0] + i)
        sums.meanOfY = at(inputs[1], from[1] + i)
        sums.xx = at(inputs[2], from[2] + i)
        sums.xy = at(inputs[3], from[3] + i)
        sums.yy = at(inputs[4], from[4] + i)
        const v = of(sums, at(inputs[5], from[5] + i), at(inputs[6], from[6] + i))
        out[to + i] = v + (v - v)
      }
    },
  }
}

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
export function ofPairWindow(graph: Graph, name: string, of: OfPairs, x: Operand, y: Operand, window: number, minimum: number): Operand {
  if (minimum < window) {
    const kernel = of === correlation ? { kernel: 'correlation_of_members' } : {}
    return gather(graph, { name, of: ofPairs(of), ...kernel }, [x, y], window, minimum)
  }
  const isShort = window > 1 && window <= fewDays
  if (isShort && of === correlation)
    return graph.apply(correlationOfDays(window), [...daysOf(graph, x, window), ...daysOf(graph, y, window)])
  const a = graph.apply(paired, [x, y])
  const b = graph.apply(paired, [y, x])
  const sums = [squares(graph, a, window), products(graph, a, b, window), squares(graph, b, window)]
  const means = [mean(graph, a, window), mean(graph, b, window)]
  if (of === correlation) return graph.apply(correlated(window), [...means, ...sums])
  return graph.apply(fromSums(name, window, of), [...means, ...sums, x, y])
}
