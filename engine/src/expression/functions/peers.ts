import { orderRow } from '../../kernels/index.ts'
import type { Operation } from '../graph.ts'
import { type FunctionEntry, line, x, y } from './function.ts'
import { quantileOfSorted } from './statistics.ts'

interface Room {
  readonly keys: Float64Array
  readonly values: Float64Array
  readonly who: Int32Array
  /** Values of those near, ascending. */
  readonly near: Float64Array
}

let room: Room | null = null

/** Used again for every row; it grows with the market. */
function roomFor(count: number): Room {
  if (room && room.keys.length >= count) return room
  const cells = () => new Float64Array(count)
  room = { keys: cells(), values: cells(), who: new Int32Array(count), near: cells() }
  return room
}

/** A window that slides along the securities in the order of x; the values inside it are kept sorted. */
const medianOfNear = (width: number): Operation => ({
  name: `cs_peer_median ${width}`,
  crossSection: true,
  weight: 8,
  run: ({ out, at, count, inputs: [y, x], from: [p, q], listed, listedFrom, scratch }) => {
    const { keys, values, who, near } = roomFor(count)
    let many = 0
    for (let i = 0; i < count; i++) {
      out[at + i] = Number.NaN
      const key = x[q + i]
      const value = y[p + i]
      if (listed[listedFrom + i] === 0 || key !== key || value !== value) continue
      keys[many] = key
      values[many] = value
      who[many++] = i
    }
    orderRow(keys, 0, many, null, scratch)
    const { order } = scratch
    let low = 0
    let high = 0
    for (let k = 0; k < many; k++) {
      const key = keys[order[k]]
      for (; high < many && keys[order[high]] - key <= width; high++) insert(near, high - low, values[order[high]])
      for (; key - keys[order[low]] > width; low++) remove(near, high - low, values[order[low]])
      out[at + who[order[k]]] = quantileOfSorted(near, high - low, 0.5)
    }
  },
})

function placeOf(sorted: Float64Array, count: number, value: number): number {
  let low = 0
  let high = count
  while (low < high) {
    const middle = (low + high) >> 1
    if (sorted[middle] < value) low = middle + 1
    else high = middle
  }
  return low
}

function insert(sorted: Float64Array, count: number, value: number): void {
  const place = placeOf(sorted, count, value)
  sorted.copyWithin(place + 1, place, count)
  sorted[place] = value
}

function remove(sorted: Float64Array, count: number, value: number): void {
  const place = placeOf(sorted, count, value)
  sorted.copyWithin(place, place + 1, count)
}

export const peers: readonly FunctionEntry[] = [
  line({
    name: 'cs_peer_median',
    label: '同类中位数',
    category: '截面',
    args: [
      { ...y, label: '取中位数的值' },
      { ...x, label: '比较的值' },
      { name: 'width', label: '相差不超过', kind: 'number', least: 0 },
    ],
    isCrossSection: true,
    doc: '当日 x 与自身相差不超过 width 的标的（含自身）的 y 的中位数；x 或 y 缺失的标的不参与',
    example: 'conv_prem - cs_peer_median(conv_prem, conv_value, 5)',
    build: (graph, { series, numbers: [width] }) =>
      graph.apply(
        medianOfNear(width),
        series.map((each) => graph.series(each)),
      ),
  }),
]
