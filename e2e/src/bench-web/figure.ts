/** One measured number beside its goal. */
export interface Figure {
  name: string
  value: number
  unit: string
  /** At most this much. */
  goal: number
}

export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.floor((sorted.length - 1) * share)] ?? Number.NaN
}

export const median = (values: readonly number[]): number => quantile(values, 0.5)

export const lineOf = ({ name, value, unit, goal }: Figure): string =>
  `${value <= goal ? 'ok  ' : 'OVER'} ${name.padEnd(62)} ${value.toFixed(1).padStart(8)} ${unit.padEnd(7)} of ${goal}`
