// Colours of a heat map: gains red and losses green where both occur, else one hue in four steps between the lowest and the highest.

export interface HeatColors {
  classOf(value: number | null): string
  legend: readonly { ground: string; words: string }[]
}

/** @param signed the value's sign means gain or loss */
export function heatColors(values: readonly (number | null)[], signed: boolean, write: (value: number) => string): HeatColors {
  const known = values.filter((value) => value !== null)
  const [low, high] = [Math.min(...known), Math.max(...known)]
  if (known.length === 0) return { classOf: () => '', legend: [] }
  if (signed && low < 0 && high > 0) return aroundZero(Math.max(-low, high), write)
  const hue = signed ? (high <= 0 ? 'heat-down' : 'heat-up') : 'seq'
  // Of losses the deepest is the darkest; and so of what is written as a loss: a drawdown.
  return inSteps(low, high, hue, high <= 0, write)
}

function aroundZero(most: number, write: (value: number) => string): HeatColors {
  const [one, two] = [most / 3, (most * 2) / 3]
  const step = (size: number) => (size >= two ? 3 : size >= one ? 2 : 1)
  return {
    classOf: (value) =>
      value === null ? '' : Math.abs(value) < most * 0.02 ? 'sunken' : `heat-${value > 0 ? 'up' : 'down'}-${step(Math.abs(value))}`,
    legend: [
      { ground: 'heat-down-3', words: `≤${write(-two)}` },
      { ground: 'heat-down-1', words: '' },
      { ground: 'sunken', words: '0' },
      { ground: 'heat-up-1', words: '' },
      { ground: 'heat-up-3', words: `≥${write(two)}` },
    ],
  }
}

function inSteps(low: number, high: number, hue: string, deepest: boolean, write: (value: number) => string): HeatColors {
  const at = (share: number) => low + (high - low) * share
  const [a, b, c] = [at(0.25), at(0.5), at(0.75)]
  const names = ['sunken', `${hue}-1`, `${hue}-2`, `${hue}-3`]
  const order = deepest ? [...names].reverse() : names
  const place = (value: number) => (value < a ? 0 : value < b ? 1 : value < c ? 2 : 3)
  if (low === high) return { classOf: (value) => (value === null ? '' : `${hue}-1`), legend: [{ ground: `${hue}-1`, words: write(low) }] }
  const words = [`<${write(a)}`, `${write(a)} 至 ${write(b)}`, `${write(b)} 至 ${write(c)}`, `≥${write(c)}`]
  return {
    classOf: (value) => (value === null ? '' : (order[place(value)] ?? '')),
    legend: words.map((text, i) => ({ ground: order[i] ?? '', words: text })),
  }
}
