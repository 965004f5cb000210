import type { GridAxis, Parameters } from '@convexa/contract'
import { isFraction } from '@convexa/contract/enums/hold-range'
import { periodOf, rebalanceLabel } from '@convexa/contract/enums/rebalance-type'

/** A check grid: the numbers of a rule that are moved to either side, and where its own stand among them. */
export interface CheckAxes {
  readonly axes: readonly [GridAxis, GridAxis]
  readonly own: [number, number]
}

const shares = [0.6, 0.8, 1, 1.2, 1.4]
const rotations = [1, 2, 3, 5, 10, 15, 20, 40, 60]
/** Neighbours on either side of the run's own number of days. */
const neighbours = 2
const leastValues = 3
const mostPlaces = 10_000
const mostBuffer = 1_000

/**
 * How many are held, by how often they are looked at; a rule that rotates by weeks or months varies its buffer instead. At most five by six
 * cells, the run's own among them (experience.md 1.4).
 */
export function checkAxes({ hold_method: hold, rebalance_method: rebalance }: Parameters): CheckAxes {
  const holdValues = isFraction(hold)
    ? sharesAround(hold.hold_range_start, hold.hold_range_end)
    : placesAround(hold.hold_range_start, hold.hold_range_end)
  const first: GridAxis = {
    path: 'parameters.hold_method.hold_range_end',
    label: isFraction(hold) ? '持有到前百分之几' : '持有到第几名',
    values: holdValues,
  }
  const own = (values: readonly number[], value: number) => values.indexOf(value)
  if (periodOf(rebalance) === null) {
    const days = daysAround(rebalance.rebalance_value)
    const second: GridAxis = { path: 'parameters.rebalance_method.rebalance_value', label: rebalanceLabel, values: days }
    return { axes: [first, second], own: [own(holdValues, hold.hold_range_end), own(days, rebalance.rebalance_value)] }
  }
  const places = isFraction(hold) ? usualPlaces : hold.hold_range_end - hold.hold_range_start + 1
  const buffers = buffersAround(places, hold.hold_threshold)
  const second: GridAxis = { path: 'parameters.hold_method.hold_threshold', label: '缓冲名次', values: buffers }
  return { axes: [first, second], own: [own(holdValues, hold.hold_range_end), own(buffers, hold.hold_threshold)] }
}

/** Of a holding that is a share of the pool, for the steps of its buffer. */
const usualPlaces = 10

const distinct = (values: readonly number[]): number[] => [...new Set(values)].sort((a, b) => a - b)

function placesAround(start: number, end: number): number[] {
  const values = distinct(shares.map((share) => Math.round(share * end)).filter((value) => value >= start && value <= mostPlaces))
  for (let value = end + 1; values.length < leastValues; value++) if (!values.includes(value)) values.push(value)
  return distinct(values)
}

function sharesAround(start: number, end: number): number[] {
  const around = shares.map((share) => (share === 1 ? end : Number((share * end).toPrecision(4))))
  return distinct(around.filter((value) => value > start && value <= 1))
}

function daysAround(own: number): number[] {
  const all = distinct([...rotations, own])
  const at = all.indexOf(own)
  const from = Math.max(0, Math.min(at - neighbours, all.length - 2 * neighbours - 1))
  return all.slice(from, from + 2 * neighbours + 1)
}

const buffersAround = (places: number, own: number): number[] =>
  distinct([0, 0.5, 1, 1.5, 2].map((times) => Math.min(mostBuffer, Math.round(times * places))).concat(own))
