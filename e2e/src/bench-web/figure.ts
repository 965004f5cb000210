/** One measured number beside its goal. */
export interface Figure {
  name: string
  value: number
  unit: string
  /** At most this much. */
  goal: number
  /** Processor time of the page's main thread for one, in milliseconds: it counts no waiting for others. */
  cpu?: number
}

export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.floor((sorted.length - 1) * share)] ?? Number.NaN
}

export const median = (values: readonly number[]): number => quantile(values, 0.5)

const cpuText = (cpu: number | undefined) => (cpu === undefined ? '' : cpu.toFixed(1))

export const lineOf = ({ name, value, unit, goal, cpu }: Figure): string =>
  `${value <= goal ? 'ok  ' : 'OVER'} ${name.padEnd(62)} ${value.toFixed(1).padStart(8)} ${unit.padEnd(7)} of ${String(goal).padEnd(6)}${cpu === undefined ? '' : `main thread ${cpuText(cpu)} ms`}`

/** All of a run as a page of Markdown. */
export const tableOf = (figures: readonly Figure[]): string =>
  [
    '| what | measured | goal | main thread, ms |',
    '|---|---|---|---|',
    ...figures.map(
      ({ name, value, unit, goal, cpu }) =>
        `| ${name} | ${value <= goal ? '' : '**'}${value.toFixed(1)} ${unit}${value <= goal ? '' : '**'} | ${goal} | ${cpuText(cpu)} |`,
    ),
  ].join('\n')
