import { equalityText, isEqual } from '../equal.ts'
import { aShares, type Input, randomWalk } from '../inputs.ts'
import { load } from '../machine.ts'
import type { Goal, Options, Section } from '../section.ts'
import { clockOf, cpuOf, type Run, short, told } from '../times.ts'
import { startOwn } from '../worker.ts'
import { all, fifteen, six } from './formulas.ts'
import { type Measured, measure, type Outcome, peerNames, sumOf } from './measure.ts'

type Times = ReadonlyMap<number, Measured>

/** The fifteen are run oftener: a pass through all takes its time. */
const turnsOf = (alpha: number) => (fifteen.includes(alpha) ? 5 : 3)
/** With peers: some of them take seconds. */
const pairedTurns = () => 3

const togetherTurns = 3

const groups = { '6': six, '15': fifteen, '101': all } as const

/** The 101 alphas on a random walk and on real A shares: ours alone, then turn by turn with the peers. */
export async function alphas({ peers, all: everything, quick }: Options): Promise<Section[]> {
  const inputs = { random: await randomWalk(261, 4000), real: await aShares() }
  const own: Section = {
    title: 'The 101 formulaic alphas',
    about: `Milliseconds, formula after formula on one thread (load ${load()}): sums of each formula's median of 3 runs (the fifteen: 5) after the first, one day moved by a billionth each time, answers into a column that is kept, as a rotation's are; in brackets the sums of best and worst. cpu: the same in processor time, all threads of the process; the next two are of it. cold: each formula's first run of the process, compiling included. The fifteen: ${fifteen.join(', ')} — the trial that the goals come from names 2, 3, 4, 12, 26, 40 and 101 of its fifteen, the others are our choice of equal published time (323 ms together). The six: ${six.join(', ')}.`,
    columns: ['job', 'securities × days', 'cold', 'warm', 'cpu', 'ns a cell and formula', '× copy limit'],
    rows: [],
    notes: [],
    goals: [],
  }
  const together: Section = {
    title: 'Alphas in one evaluation',
    about: `Milliseconds, all formulas of a group in one call, so that what they have in common is computed once: median (best–worst) of ${togetherTurns} after the first. The answers' columns and the memory of rows are kept from call to call: the first one touches their pages, the others do not. Two threads: the same call, which a second thread joins as in the server.`,
    columns: ['job', 'threads', 'first', 'warm', 'cpu'],
    rows: [],
    notes: [
      'Floor of the 101 on one thread, by count × cost of each kernel: about 3.1 s on a machine to oneself; of the fifteen likewise two thirds are ranks and correlations. Two threads cost 6 to 12 % more processor time than one: rows and plans twice, waiting at the end of stages (decisions/0026, 0049).',
    ],
    goals: [],
  }
  const paired: Section = {
    title: 'Alphas against peers, turn by turn',
    about:
      'Ours and the peer on the same bytes, each formula: ours, peer, ours, peer …; sums of the medians of 3, one thread each, each answer in new memory. The ratio is theirs to ours, in brackets in processor time. Results are compared cell by cell at 1e-9, absent cells too.',
    columns: ['peer', 'job', 'ours', 'theirs', 'ratio', 'equal in all cells', 'equal but for some'],
    rows: [],
    notes: [],
    goals: [],
  }
  const each: Section = {
    title: 'Alphas against peers, one by one (random walk)',
    about: 'Milliseconds, medians, and how many cells are equal to ours.',
    columns: ['alpha', 'ours', ...peerNames.flatMap((name) => [name, 'equal'])],
    rows: [],
    notes: [],
    goals: [],
  }
  for (const name of ['random', 'real'] as const) {
    const input = inputs[name]
    if (!input) {
      own.notes.push('No reference data in ../shared: nothing was measured on real A shares.')
      continue
    }
    const alone = await measure(input, everything ? all : fifteen, [], turnsOf)
    addAlone(own, name, input, alone)
    for (const threads of [1, 2])
      for (const group of quick || (name === 'real' && !everything) ? [fifteen] : [fifteen, all])
        await addTogether(together, name, input, group, threads)
    if (!peers) continue
    // On real data by default the quickest peer alone: the others take minutes.
    const asked = everything || name === 'random' ? peerNames : (['alpha-lib'] as const)
    const outcome = await measure(input, everything ? all : fifteen, asked, pairedTurns)
    const done: readonly (readonly number[])[] = everything ? [six, fifteen, all] : [six, fifteen]
    for (const group of done) addPaired(paired, name, group, outcome)
    paired.notes.push(...outcome.why)
    if (name === 'random') each.rows.push(...rowsOf(everything ? all : fifteen, outcome))
  }
  if (!peers) return [own, together]
  paired.notes.push(...whyNotEqual)
  return [own, together, paired, each]
}

const whyNotEqual = [
  'Where cells differ: polars_ta ranks a cross-section densely from 0 to 1, ours is place ÷ count with averaged ties, so whatever contains a rank is another number. alpha-lib gives equal values of a window the lowest place, ours the average, and calls a constant window’s correlation otherwise. With pandas, correlations and covariances of ranks that are equal but for the last digit fall on the other side of a comparison or a rank.',
]

function addAlone(own: Section, name: string, input: Input, { limit, sides }: Outcome): void {
  const times = sides.get('ours')!
  const cells = input.codes.length * input.dates.length
  for (const [count, group] of Object.entries(groups)) {
    if (!group.every((alpha) => times.has(alpha))) continue
    const cpu = sumOf(group, times, 'cpu').median
    const perCell = (cpu * 1e6) / cells / group.length
    const first = group.reduce((sum, alpha) => sum + times.get(alpha)!.first, 0)
    const figures = [short(first), told(sumOf(group, times)), short(cpu), short(perCell), short(perCell / limit)]
    own.rows.push([`${count} alphas, ${name}`, `${input.codes.length} × ${input.dates.length}`, ...figures])
  }
  if (name === 'random') {
    own.goals.push(
      goalOf('15 alphas one by one, 4,000 × 261, 1 thread', 300, fifteen, times),
      goalOf('101 alphas one by one, 4,000 × 261, 1 thread', 3_000, all, times),
    )
  } else own.goals.push(goalOf('15 alphas one by one, real A shares, 1 thread', 450, fifteen, times))
  const slowest = [...times].sort(([, a], [, b]) => b.cpu.median - a.cpu.median).slice(0, 12)
  own.notes.push(`Input ${input.name}: ${input.about}; sha256 ${input.sha256}`)
  own.notes.push(`Slowest, ${name}: ${slowest.map(([alpha, { cpu }]) => `${alpha} (cpu ${short(cpu.median)} ms)`).join(', ')}.`)
}

/** Goals of one call, by input, group and threads, in milliseconds. */
const togetherGoals: Readonly<Record<string, number>> = {
  'random 15 1': 300,
  'random 15 2': 180,
  'random 101 1': 3_000,
  'random 101 2': 1_700,
  'real 15 1': 450,
}

async function addTogether(together: Section, name: string, input: Input, group: readonly number[], threads: number): Promise<void> {
  const own = await startOwn('./alphas/together.ts', [input.folder, `${threads}`])
  const runs: Run[] = []
  for (let turn = 0; turn <= togetherTurns; turn++) runs.push(await own.ask<Run>({ alphas: group, turn }))
  await own.end()
  const [first, ...later] = runs
  const [warm, cpu] = [clockOf(later), cpuOf(later)]
  together.rows.push([`${group.length} alphas, ${name}`, `${threads}`, short(first!.ms), told(warm), told(cpu)])
  const goal = togetherGoals[`${name} ${group.length} ${threads}`]
  if (goal === undefined) return
  const job = `${group.length} alphas in one call, ${name === 'real' ? 'real A shares' : '4,000 × 261'}, ${threads === 1 ? '1 thread' : '2 threads'}`
  together.goals.push({
    job,
    goal: `≤ ${goal} ms`,
    measured: `${short(warm.median)} ms (cpu ${short(cpu.median)})`,
    met: warm.median <= goal,
  })
}

function goalOf(job: string, goal: number, group: readonly number[], times: Times): Goal {
  if (!group.every((alpha) => times.has(alpha))) return { job, goal: `≤ ${goal} ms`, measured: 'not run', met: null }
  const { median } = sumOf(group, times)
  return {
    job,
    goal: `≤ ${goal} ms`,
    measured: `${short(median)} ms (cpu ${short(sumOf(group, times, 'cpu').median)})`,
    met: median <= goal,
  }
}

function addPaired(paired: Section, name: string, group: readonly number[], { sides }: Outcome): void {
  const ours = sides.get('ours')!
  for (const peer of peerNames) {
    const theirs = sides.get(peer)
    if (!theirs) continue
    const both = group.filter((alpha) => theirs.has(alpha))
    const [mine, other] = [sumOf(both, ours), sumOf(both, theirs)]
    const cpu = sumOf(both, theirs, 'cpu').median / sumOf(both, ours, 'cpu').median
    const equal = both.filter((alpha) => isEqual(theirs.get(alpha)!.equality!))
    const ratio = other.median / mine.median
    const rest = both.filter((alpha) => !equal.includes(alpha))
    const job = `${both.length} alphas, ${name}`
    paired.rows.push([peer, job, told(mine), told(other), `${short(ratio)}× (${short(cpu)}×)`, `${equal.length}`, rest.join(' ') || '–'])
    if (peer === 'pandas' && name === 'random' && group === six) {
      paired.goals.push({
        job: '6 alphas against pandas, random',
        goal: '≥ 60×',
        measured: `${short(ratio)}× (cpu ${short(cpu)}×)`,
        met: ratio >= 60,
      })
    }
    if (peer === 'alpha-lib' && name === 'random' && group === fifteen) {
      paired.goals.push({
        job: '15 alphas against alpha-lib, random, 1 thread each',
        goal: '≥ 1×',
        measured: `${short(ratio)}× (cpu ${short(cpu)}×)`,
        met: ratio >= 1,
      })
    }
  }
}

function rowsOf(numbers: readonly number[], { sides }: Outcome): string[][] {
  return numbers.map((alpha) => [
    `${alpha}`,
    short(sides.get('ours')!.get(alpha)!.warm.median),
    ...peerNames.flatMap((name) => {
      const measured = sides.get(name)?.get(alpha)
      return measured ? [short(measured.warm.median), equalityText(measured.equality!)] : ['–', '–']
    }),
  ])
}
