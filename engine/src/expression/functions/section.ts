/**
 * Cross-section functions over groups of a day's securities: all listed ones, or those of one industry, rating, bin … A statistic gives every
 * member of its group the same value; a transformation gives each valid member its own.
 */
import { type RankScratch, rankScratch } from '../../kernels/index.ts'
import type { Kernel, Operation, Row, WasmCall } from '../graph.ts'

/** The valid values of one group, in the order of codes, with room for results and for another order of them. */
export interface Group {
  count: number
  readonly values: Float64Array
  readonly results: Float64Array
  readonly other: Float64Array
  readonly ranking: RankScratch
}

export type GroupStatistic = (group: Group) => number
/** Fills `results`. */
export type GroupTransformation = (group: Group) => void

interface Room extends Group {
  readonly who: Int32Array
  /** Members of the groups one after the other, and where each group begins. */
  readonly members: Int32Array
  starts: Int32Array
}

let room: Room | null = null

/** Used again for every row; it grows with the market. */
function roomFor(count: number): Room {
  if (room && room.values.length >= count) return room
  const cells = () => new Float64Array(count)
  const indices = () => new Int32Array(count)
  room = {
    ...{ count: 0, values: cells(), results: cells(), other: cells(), ranking: rankScratch(count) },
    ...{ who: indices(), members: indices(), starts: new Int32Array(64) },
  }
  return room
}

/** Puts the listed securities together by group (all of them without `groups`): the number of groups. */
function partition(row: Row, groups: Float64Array | null, from: number, { members }: Room): number {
  const { count, listed, listedFrom } = row
  const found = room as Room
  if (groups === null) {
    let many = 0
    for (let i = 0; i < count; i++) if (listed[listedFrom + i] === 1) members[many++] = i
    found.starts[0] = 0
    found.starts[1] = many
    return 1
  }
  let most = -1
  for (let i = 0; i < count; i++) if (listed[listedFrom + i] === 1 && groups[from + i] > most) most = whole(groups[from + i])
  if (found.starts.length < most + 3) found.starts = new Int32Array(2 * (most + 3))
  const { starts } = found
  starts.fill(0, 0, most + 3)
  for (let i = 0; i < count; i++) if (listed[listedFrom + i] === 1 && groups[from + i] >= 0) starts[whole(groups[from + i]) + 2]++
  for (let g = 2; g < most + 3; g++) starts[g] += starts[g - 1]
  for (let i = 0; i < count; i++)
    if (listed[listedFrom + i] === 1 && groups[from + i] >= 0) members[starts[whole(groups[from + i]) + 1]++] = i
  return most + 1
}

/** Inputs: the values, then the groups if it is by group. */
function byGroup(isGrouped: boolean, visit: (group: Room, members: Int32Array, from: number, to: number, row: Row) => void): Kernel {
  return (row) => {
    const { out, at, count, inputs, from } = row
    out.fill(Number.NaN, at, at + count)
    const found = roomFor(count)
    const groups = partition(row, isGrouped ? inputs[1] : null, isGrouped ? from[1] : 0, found)
    const { members, starts, values, who } = found
    const [x] = inputs
    const [p] = from
    for (let g = 0; g < groups; g++) {
      let valid = 0
      for (let k = starts[g]; k < starts[g + 1]; k++) {
        const i = members[k]
        const v = x[p + i]
        if (v !== v) continue
        values[valid] = v
        who[valid] = i
        valid++
      }
      found.count = valid
      if (starts[g + 1] > starts[g]) visit(found, members, starts[g], starts[g + 1], row)
    }
  }
}

const whole = (value: number): number => value | 0

/** One number of the group, told to all its members. */
export const groupStatistic = (name: string, isGrouped: boolean, of: GroupStatistic, empty = Number.NaN): Operation => ({
  name,
  crossSection: true,
  run: byGroup(isGrouped, (group, members, from, to, { out, at }) => {
    const v = group.count === 0 ? empty : of(group)
    for (let k = from; k < to; k++) out[at + members[k]] = v + (v - v)
  }),
})

/** A number of its own for each valid member. */
export const transformed = (name: string, isGrouped: boolean, of: GroupTransformation, wasm?: WasmCall): Operation => ({
  name,
  ...(wasm ? { wasm } : {}),
  crossSection: true,
  weight: 4,
  run: byGroup(isGrouped, (group, _members, _from, _to, { out, at }) => {
    const { count, who, results } = group
    if (count === 0) return
    of(group)
    for (let k = 0; k < count; k++) {
      const v = results[k]
      out[at + who[k]] = v + (v - v)
    }
  }),
})

/** Absent members get the statistic of the others. */
export const filled = (name: string, isGrouped: boolean, of: GroupStatistic): Operation => ({
  name,
  crossSection: true,
  run: byGroup(isGrouped, (group, members, from, to, { out, at, inputs, from: begins }) => {
    const stand = group.count === 0 ? Number.NaN : of(group)
    for (let k = from; k < to; k++) {
      const v = inputs[0][begins[0] + members[k]]
      out[at + members[k]] = v === v ? v : stand
    }
  }),
})
