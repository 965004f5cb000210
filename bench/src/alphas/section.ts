import { cpus } from 'node:os'
import { aShares, type Input, randomWalk } from '../inputs.ts'
import { load } from '../machine.ts'
import type { Goal, Options, Section } from '../section.ts'
import { clockOf, cpuOf, type Run, short, type Times, told } from '../times.ts'
import { startOwn } from '../worker.ts'
import { all, fifteen, six } from './formulas.ts'

/** The fifteen are run oftener: a pass through all takes its time. */
const repetitionsOf = (alpha: number) => (fifteen.includes(alpha) ? 5 : 3)

interface Measured {
  readonly first: number
  readonly warm: Times
  readonly cpu: Times
}

/** The 101 alphas on a random walk and on real A shares, one after the other on one thread. */
export async function alphas(_: Options): Promise<Section> {
  const rows: string[][] = []
  const goals: Goal[] = []
  const notes: string[] = []
  const jobs = [
    { name: 'random', input: await randomWalk(261, 4000) },
    { name: 'real', input: await aShares() },
  ]
  for (const { name, input } of jobs) {
    if (!input) {
      notes.push('No reference data in ../shared: nothing was measured on real A shares.')
      continue
    }
    const { limit, times } = await measure(input)
    const groups = { '6': six, '15': fifteen, '101': all }
    for (const [count, group] of Object.entries(groups)) rows.push(rowOf(`${count} alphas, ${name}`, input, group, times, limit))
    if (name === 'random')
      goals.push(
        goalOf('15 alphas, 4,000 × 261, 1 thread', 300, fifteen, times),
        goalOf('101 alphas, 4,000 × 261, 1 thread', 3_000, all, times),
      )
    else goals.push(goalOf('15 alphas, real A shares, 1 thread', 450, fifteen, times))
    notes.push(`Input ${input.name}: ${input.about}; sha256 ${input.sha256}`)
    notes.push(slowest(name, times))
  }
  return {
    title: 'The 101 formulaic alphas',
    about: `Milliseconds, formula after formula on one thread (${cpus().length} cores, load ${load()}): sums of each formula's median of 3 runs (the fifteen 5) after a warm-up, one day moved by a billionth each time; in brackets the sums of best and worst. cpu: the same in processor time, all threads of the process; the next two are of it. cold: each formula's first run of the process, compiling included. The fifteen are ${fifteen.join(', ')}; the six ${six.join(', ')}.`,
    columns: ['job', 'securities × days', 'cold', 'warm', 'cpu', 'ns a cell and formula', '× copy limit'],
    rows,
    notes,
    goals,
  }
}

async function measure(input: Input): Promise<{ limit: number; times: Map<number, Measured> }> {
  const own = await startOwn('./alphas/ours.ts', [input.folder])
  const times = new Map<number, Measured>()
  const { limit } = await own.ask<{ limit: number }>({ limit: true })
  for (const alpha of all) {
    const first = await own.ask<Run>({ alpha, turn: 0 })
    const runs: Run[] = []
    for (let turn = 1; turn <= repetitionsOf(alpha); turn++) runs.push(await own.ask<Run>({ alpha, turn }))
    times.set(alpha, { first: first.ms, warm: clockOf(runs), cpu: cpuOf(runs) })
  }
  await own.end()
  return { limit, times }
}

function rowOf(job: string, input: Input, group: readonly number[], times: ReadonlyMap<number, Measured>, limit: number): string[] {
  const cells = input.codes.length * input.dates.length
  const warm = sumOf(group, times)
  const cpu = sumOf(group, times, 'cpu').median
  const each = (cpu * 1e6) / cells / group.length
  const first = group.reduce((sum, alpha) => sum + times.get(alpha)!.first, 0)
  return [job, `${input.codes.length} × ${input.dates.length}`, short(first), told(warm), short(cpu), short(each), short(each / limit)]
}

function goalOf(job: string, goal: number, group: readonly number[], times: ReadonlyMap<number, Measured>): Goal {
  const { median } = sumOf(group, times)
  return {
    job,
    goal: `≤ ${goal} ms`,
    measured: `${short(median)} ms (cpu ${short(sumOf(group, times, 'cpu').median)})`,
    met: median <= goal,
  }
}

function sumOf(group: readonly number[], times: ReadonlyMap<number, Measured>, what: 'warm' | 'cpu' = 'warm'): Times {
  const of = (which: 'median' | 'best' | 'worst') => group.reduce((sum, alpha) => sum + times.get(alpha)![what][which], 0)
  return { median: of('median'), best: of('best'), worst: of('worst'), count: 2 }
}

function slowest(name: string, times: ReadonlyMap<number, Measured>): string {
  const ordered = [...times].sort(([, a], [, b]) => b.warm.median - a.warm.median).slice(0, 12)
  return `Slowest, ${name}: ${ordered.map(([alpha, { warm }]) => `${alpha} (${short(warm.median)} ms)`).join(', ')}.`
}
