import type { GridAxis, Parameters } from '@convexa/contract'
import { readCase } from '../rotation/cases.ts'

/** Five factors of the bonds, each by its name here and in the file that the peers read. Small is good of all: only the order matters. */
const factors = [
  ['close', 'close'],
  ['conv_prem', 'conv_prem_pct'],
  ['remain_size', 'remain_yi'],
  ['turnover', 'turnover_pct'],
  ['left_years', 'left_years'],
] as const
const reference = readCase('cb_double_low_20_5d')

/** What the grids vary: the reference rotation's rules, scored by five factors. */
export const parameters: Parameters = {
  ...reference.parameters,
  rank_factors: factors.map(([factor_key]) => ({ ...reference.parameters.rank_factors[0]!, factor_key })),
}
export const { settings } = reference

/** The case as the peers read it. */
export const peerCase = { ...reference, fields: factors.map(([, field]) => field), nav: [] }

const from = (first: number, count: number, step: number) => Array.from({ length: count }, (_, k) => first + k * step)
const axis = (path: string, label: string, values: number[]): GridAxis => ({ path: `parameters.${path}`, label, values })
const axesOf = (weights: number[], holds: number[], buffers: number[]): GridAxis[] => [
  axis('rank_factors.0.weight', '价格权重', weights),
  axis('hold_method.hold_range_end', '持有数量', holds),
  axis('hold_method.hold_threshold', '排名缓冲', buffers),
]

/** The first axis ranks anew, the others hold otherwise. */
export const grids: Readonly<Record<number, readonly GridAxis[]>> = {
  240: axesOf([1, 2, 4], from(5, 10, 5), [0, 2, 5, 10, 15, 20, 30, 40]),
  2000: axesOf(from(1, 10, 0.5), from(5, 20, 2), from(0, 10, 2)),
}

/** A cell as the peers are asked for it. */
export interface PeerCell {
  readonly weights: readonly number[]
  readonly hold: number
  readonly buffer: number
}

/** Every so many-th cell, in the order of the axes' values, with its place. */
export function someCells(axes: readonly GridAxis[], step: number): { at: number; cell: PeerCell }[] {
  const [weights, holds, buffers] = axes.map(({ values }) => values) as [number[], number[], number[]]
  const all = weights.flatMap((weight) =>
    holds.flatMap((hold) => buffers.map((buffer) => ({ weights: [weight, 1, 1, 1, 1], hold, buffer }))),
  )
  return all.flatMap((cell, at) => (at % step === 0 ? [{ at, cell }] : []))
}
