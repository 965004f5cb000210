import { rankRow } from '../../kernels/index.ts'
import type { Operation } from '../graph.ts'
import { type FunctionEntry, x } from './function.ts'

// Over all securities listed that day, suspended ones included, in the order of codes.

const rank: Operation = {
  name: 'cs_rank',
  crossSection: true,
  run: ({ out, at, count, inputs, from, listed, listedFrom, scratch }) => {
    const ranked = rankRow(inputs[0], from[0], count, listed, out, scratch, at, listedFrom)
    for (let i = 0; i < count; i++) out[at + i] /= ranked
  },
}

const zscore: Operation = {
  name: 'cs_zscore',
  crossSection: true,
  run: ({ out, at, count, inputs, from, listed, listedFrom }) => {
    const a = inputs[0]
    const p = from[0]
    // Differences from the first value: a row of equal numbers then has no spread at all, not a rounding error of one.
    let anchor = Number.NaN
    let valid = 0
    let sum = 0
    for (let i = 0; i < count; i++) {
      const v = a[p + i]
      if (v !== v || listed[listedFrom + i] === 0) continue
      if (valid === 0) anchor = v
      valid++
      sum += v - anchor
    }
    const mean = sum / valid
    let squares = 0
    for (let i = 0; i < count; i++) {
      const v = a[p + i]
      if (v !== v || listed[listedFrom + i] === 0) continue
      const d = v - anchor - mean
      squares += d * d
    }
    const spread = Math.sqrt(squares / (valid - 1))
    for (let i = 0; i < count; i++) {
      const v = listed[listedFrom + i] === 0 ? Number.NaN : (a[p + i] - anchor - mean) / spread
      out[at + i] = v + (v - v)
    }
  },
}

const ofRow = (operation: Operation, label: string, doc: string, example: string, aliases: readonly string[]): FunctionEntry => ({
  name: operation.name,
  aliases,
  label,
  category: '截面',
  args: [x],
  lookback: () => 0,
  isCrossSection: true,
  doc,
  example,
  build: (graph, { series: [of] }) => graph.apply(operation, [graph.series(of)]),
})

export const crossSection: readonly FunctionEntry[] = [
  ofRow(rank, '截面排名', '当日全部上市标的中的百分位排名，最大为 1，相同取平均；缺失不参与', 'cs_rank(conv_prem)', ['rank']),
  ofRow(zscore, '截面标准分', '减去当日均值后除以当日标准差（自由度减一）；标准差为 0 时缺失', 'cs_zscore(close)', ['zscore']),
]
