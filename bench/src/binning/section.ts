import { randomWalk } from '../inputs.ts'
import { startPeer } from '../peers.ts'
import type { Goal, Options, Section } from '../section.ts'
import { clockOf, cpuOf, type Run, short, told } from '../times.ts'
import { startOwn } from '../worker.ts'
import type { Answer, Question } from './ours.ts'

const repetitions = 3
const cases = [
  { horizons: [1], goal: null },
  { horizons: Array.from({ length: 20 }, (_, k) => k + 1), goal: 5_000 },
] as const

/** Ten bins of all stocks with their IC at one horizon and at twenty, and the same rank IC in pandas. */
export async function binning({ quick, peers }: Options): Promise<Section[]> {
  const [days, securities] = quick ? [250, 1000] : [2500, 5500]
  const input = await randomWalk(days, securities)
  const own = await startOwn('./binning/ours.ts', [input.folder], ['--max-old-space-size=4096'])
  const rows: string[][] = []
  const goals: Goal[] = []
  const notes: string[] = []
  const pandas = peers ? await startPeer('binning_pandas.py', ['numpy', 'pandas'], [input.folder]) : { why: 'not asked for' }
  if ('why' in pandas) notes.push(`pandas: ${pandas.why}.`)
  for (const { horizons, goal } of cases) {
    const ask = (turn: number) => own.ask<Answer>({ horizons, turn } satisfies Question)
    const first = await ask(0)
    const runs: Run[] = []
    for (let turn = 1; turn <= repetitions; turn++) runs.push(await ask(turn))
    const [clock, cpu] = [clockOf(runs), cpuOf(runs)]
    const cells = days * securities * horizons.length
    const theirs = 'ask' in pandas ? await pandas.ask<Run & { rank_ic: number[] }>({ horizons, turn: 0 }) : null
    const apart = theirs ? Math.max(...first.rankIc.map((value, k) => Math.abs((value ?? Number.NaN) - theirs.rank_ic[k]!))) : Number.NaN
    rows.push([
      String(horizons.length),
      short(first.ms),
      told(clock),
      short(cpu.median),
      short((cpu.median * 1e6) / cells),
      theirs ? short(theirs.ms) : '–',
      theirs ? `${short(theirs.ms / clock.median)}× (cpu ${short(theirs.cpu / cpu.median)}×)` : '–',
      theirs ? (apart < 1e-9 ? 'equal' : `apart by up to ${apart.toExponential(1)}`) : '–',
    ])
    if (goal !== null && !quick) {
      const measured = `${short(clock.median)} ms (cpu ${short(cpu.median)})`
      goals.push({ job: `binning, ${horizons.length} horizons with their IC`, goal: `≤ ${goal} ms`, measured, met: clock.median <= goal })
    }
  }
  await own.end()
  if ('end' in pandas) await pandas.end()
  return [
    {
      title: 'Binning',
      about: `Milliseconds, ${securities} stocks × ${days} days of a random walk, ten bins by the return of five days, formed every 20 days: everything from the request to the answer, that is the factor, bins, curves with the band of other days of formation, IC and rank IC at the horizons asked and at 1, 2, 3, 5, 10, 20 and 60 days. Median (best–worst) of ${repetitions} after the first, one day moved each time. pandas computes the mean rank IC at the horizons asked and nothing else, once.`,
      columns: ['horizons', 'first', 'warm', 'cpu', 'ns a cell and horizon', 'pandas', 'ratio', 'rank IC'],
      rows,
      notes: [...notes, `Input ${input.name}: ${input.about}; sha256 ${input.sha256}`],
      goals,
    },
  ]
}
