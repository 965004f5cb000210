import { randomWalk } from '../inputs.ts'
import { startPeer } from '../peers.ts'
import type { Options, Section } from '../section.ts'
import { clockOf, cpuOf, type Run, short, told } from '../times.ts'
import { startOwn } from '../worker.ts'
import type { Answer, Question } from './ours.ts'

const repetitions = 5
/** Turns before those that count, as of the other rotations: V8 has not compiled a day loop that it has seen but once. */
const warming = 16
const goals = { first: 150, cached: 1 }

/** A rotation over all stocks by three factors, and the same in pandas. */
export async function stocks({ quick, peers }: Options): Promise<Section[]> {
  const [days, securities] = quick ? [250, 1000] : [2500, 5500]
  const input = await randomWalk(days, securities)
  const own = await startOwn('./stocks/ours.ts', [input.folder])
  const ask = (part: Question['part'], turn: number) => own.ask<Answer>({ part, turn } satisfies Question)
  const first = await ask('run', 0)
  for (let turn = 0; turn < warming; turn++) await ask('cached', turn)
  const [whole, cached]: [Run[], Run[]] = [[], []]
  for (let turn = 1; turn <= repetitions; turn++) {
    whole.push(await ask('run', turn))
    cached.push(await ask('cached', turn))
  }
  await own.end()
  const pandas = peers ? await startPeer('stocks_pandas.py', ['numpy', 'pandas'], [input.folder]) : { why: 'not asked for' }
  const theirs = 'ask' in pandas ? await pandas.ask<Run & { last: number }>({ turn: 0 }) : null
  if ('end' in pandas) await pandas.end()
  const apart = theirs ? Math.abs(theirs.last / first.last - 1) : Number.NaN
  const [run, sim] = [clockOf(whole), clockOf(cached)]
  return [
    {
      title: 'A rotation over all stocks',
      about: `Milliseconds, ${securities} stocks × ${days} days of a random walk, the best twenty of three factors every 5 days. From the request to the ledger: first of the process, then, after ${warming} to warm it, median (best–worst) of ${repetitions}, one day moved each time; ranks cached is the simulation alone. pandas has its tables at hand, ranks the rebalance days and loops over the days, once.`,
      columns: ['first', 'warm', 'cpu', 'ranks cached', 'pandas', 'ratio', 'last net value'],
      rows: [
        [
          short(first.ms),
          told(run),
          short(cpuOf(whole).median),
          told(sim),
          theirs ? short(theirs.ms) : '–',
          theirs ? `${short(theirs.ms / run.median)}× (cpu ${short(theirs.cpu / cpuOf(whole).median)}×)` : '–',
          theirs ? (apart < 1e-9 ? 'equal' : `apart by ${apart.toExponential(1)}`) : '–',
        ],
      ],
      notes: [...('why' in pandas ? [`pandas: ${pandas.why}.`] : []), `Input ${input.name}: ${input.about}; sha256 ${input.sha256}`],
      goals: quick
        ? []
        : [
            {
              job: 'stock rotation, first run',
              goal: `≤ ${goals.first} ms`,
              measured: `${short(first.ms)} ms`,
              met: first.ms <= goals.first,
            },
            {
              job: 'stock rotation, warm',
              goal: `≤ ${goals.first} ms`,
              measured: `${short(run.median)} ms`,
              met: run.median <= goals.first,
            },
            {
              job: 'stock rotation, ranks cached',
              goal: `≤ ${goals.cached} ms`,
              measured: `${short(sim.median)} ms`,
              met: sim.median <= goals.cached,
            },
          ],
    },
  ]
}
