/** How long ago the extreme of a window was: of two halves the better one's, of equal ones the later's. */
import type { Graph, Operand, Operation } from '../graph.ts'
import { subtract } from './operators.ts'

/** Inputs: newer extreme and days since it, older extreme and days since it when the older half ended. */
const later = (isLargest: boolean, apart: number): Operation => ({
  name: `days_since_${isLargest ? 'max' : 'min'} ${apart}`,
  wasm: { kernel: 'days_since', numbers: [apart, Number(isLargest)] },
  run: ({ out, at, count, inputs, from }) => {
    const [a, b, c, d] = inputs
    const [p, q, r, s] = from
    for (let i = 0; i < count; i++) {
      const newer = a[p + i]
      const older = c[r + i]
      const isOlder = Number(isLargest ? older > newer : older < newer)
      out[at + i] = (d[s + i] + apart) * isOlder + b[q + i] * (1 - isOlder)
    }
  },
})

export function daysSinceExtreme(graph: Graph, of: Operand, window: number, operation: Operation, isLargest: boolean): Operand {
  let size = 1
  let extreme = of
  let days = graph.apply(subtract, [of, of])
  const joined = (apart: number) =>
    graph.apply(later(isLargest, apart), [extreme, days, graph.delay(extreme, apart), graph.delay(days, apart)])
  for (; size * 2 <= window; size *= 2) {
    days = joined(size)
    extreme = graph.apply(operation, [extreme, graph.delay(extreme, size)])
  }
  return size === window ? days : joined(window - size)
}
