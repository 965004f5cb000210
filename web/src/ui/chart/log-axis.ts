interface Extent {
  min: number
  max: number
}

const steps = [1, 1.2, 1.5, 2, 2.5, 3, 4, 5, 6, 8]

/** Round numbers from the one at or below `low` to the one at or above `high`, evenly enough for a log axis; at most about ten. */
export function logTicks(low: number, high: number): number[] {
  if (!(low > 0) || !(high >= low)) return []
  const all: number[] = []
  for (let power = Math.floor(Math.log10(low)) - 1; power <= Math.ceil(Math.log10(high)); power++)
    for (const step of steps) all.push(Number((step * 10 ** power).toPrecision(3)))
  const from = all.findLastIndex((value) => value <= low)
  const to = all.findIndex((value) => value >= high)
  const ticks = all.slice(from, to + 1)
  const every = Math.ceil(ticks.length / 10)
  const one = Math.max(0, ticks.indexOf(1))
  return ticks.filter((_, i) => (i - one) % every === 0 || i === 0 || i === ticks.length - 1)
}

/** A value axis on which equal steps are equal shares: from the round number below what is shown to the one above, not from decade to decade. */
export function asLog<A extends { axisLabel: object }>(axis: A, values: readonly (number | null | undefined)[]) {
  const known = values.filter((value) => value !== null && value !== undefined)
  const ticks = logTicks(Math.min(...known), Math.max(...known))
  if (ticks.length === 0) return { ...axis, type: 'log' }
  return {
    ...axis,
    type: 'log',
    min: ({ min }: Extent) => logTicks(min, min).at(0) ?? min,
    max: ({ max }: Extent) => logTicks(max, max).at(-1) ?? max,
    axisTick: { show: false, customValues: ticks },
    axisLabel: { ...axis.axisLabel, customValues: ticks },
  }
}
