import { load } from '../machine.ts'
import type { Goal, Section } from '../section.ts'
import { at, type Run, short } from '../times.ts'
import { startOwn } from '../worker.ts'
import { type Change, changes } from './recipes.ts'

const repetitions = 200
/** Runs until the code is compiled. */
const warming = 100
const goals: Readonly<Record<Change, readonly [p50: number, p95: number]>> = {
  'all again': [0.8, 1.2],
  'one filter changed': [0.25, 0.5],
  '3 of 10 factors ticked': [0.4, 0.7],
}

const ways = [
  { way: 'standing', rows: 0, answer: 'standing: selection and funnel' },
  { way: 'standing', rows: 50, answer: 'standing: and the rows of 50' },
  { way: 'scratch', rows: 0, answer: 'from scratch: selection and funnel' },
  { way: 'scratch', rows: 1, answer: 'from scratch: and all rows' },
] as const

interface Told extends Run {
  readonly total: number
}

/** Re-screens of 5,500 securities by ten factors and twenty conditions. */
export async function screen(): Promise<Section[]> {
  const own = await startOwn('./screen/ours.ts')
  const rows: string[][] = []
  const met: Goal[] = []
  for (const change of changes) {
    for (const { way, rows: made, answer } of ways) {
      const runs: Told[] = []
      for (let turn = 0; turn <= warming + repetitions; turn++) runs.push(await own.ask<Told>({ way, change, turn, rows: made }))
      const [first] = runs
      const later = runs.slice(1 + warming)
      const by = (what: 'ms' | 'cpu') => later.map((run) => run[what]).sort((a, b) => a - b)
      const [clock, cpu] = [by('ms'), by('cpu')]
      const [p50, p95] = [at(clock, 0.5), at(clock, 0.95)]
      const figures = [first!.ms, p50, p95, clock[0]!, at(cpu, 0.5), at(cpu, 0.95)]
      rows.push([change, answer, ...figures.map(short), `${first!.total}`])
      if (way === 'scratch' || made > 0) continue
      const [goal50, goal95] = goals[change]
      met.push({
        job: `re-screen, ${change}`,
        goal: `p50 ≤ ${goal50}, p95 ≤ ${goal95} ms`,
        measured: `${short(p50)} / ${short(p95)} ms (cpu ${short(at(cpu, 0.5))} / ${short(at(cpu, 0.95))})`,
        met: p50 <= goal50 && p95 <= goal95,
      })
    }
  }
  await own.end()
  return [
    {
      title: 'Re-screen: 5,500 stocks, 10 factors, 20 conditions',
      about: `Milliseconds, ${repetitions} runs in one process after ${warming} to warm it, load ${load()}. all again: every value of the market moved before each run, so every column is put in order again; from scratch its factors are read again too. one filter changed: another bound in another condition each time. 3 of 10 factors ticked: another choice of three each time. standing: the screen that stays on its day while it is edited; its selection is compared with that from scratch each time. A row is made with its values, score and parts.`,
      columns: ['what changed', 'answer', 'first', 'p50', 'p95', 'best', 'cpu p50', 'cpu p95', 'pool'],
      rows,
      notes: [],
      goals: met,
    },
  ]
}
