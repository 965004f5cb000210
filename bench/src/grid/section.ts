import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { callHandlings } from '@convexa/contract/enums/call-handling'
import { labelOf, valuesOf } from '@convexa/contract/enums/table'
import { store } from '../inputs.ts'
import { startPeer } from '../peers.ts'
import { inputFiles, shared, snapshots } from '../reference-data.ts'
import type { Goal, Options, Section } from '../section.ts'
import { clockOf, cpuOf, type Run, short, timesOf, told } from '../times.ts'
import { startOwn } from '../worker.ts'
import { grids, peerCase, someCells } from './cases.ts'
import type { Answer, Question } from './ours.ts'

const repetitions = 3

/** What a peer is asked of a grid: every so many-th cell, as all of them would take it an hour. */
const peers = [
  { name: 'pandas', packages: ['pandas', 'pyarrow'], cells: 3 },
  { name: 'vectorbt', packages: ['vectorbt', 'pyarrow'], cells: 20 },
] as const

/** Grids over the reference rotation with five factors, on one thread and on two, and a share of their cells by others. */
export async function grid(options: Options): Promise<Section[]> {
  const { cb } = await snapshots()
  const own = await startOwn('./grid/ours.ts', [cb.snapshot])
  const ask = (question: Question) => own.ask<Answer>(question)
  const rows: string[][] = []
  const against: string[][] = []
  const goals: Goal[] = []
  const notes: string[] = []
  const casePath = join(store, 'grid-case.json')
  await writeFile(casePath, JSON.stringify(peerCase))
  for (const cells of options.quick ? [240] : [240, 2000]) {
    const axes = grids[cells]!
    const first = await ask({ axes, threads: 1, turn: -1 })
    const one: Answer[] = []
    const two: Answer[] = []
    for (let turn = 0; turn < repetitions; turn++) {
      const alone = await ask({ axes, threads: 1, turn })
      const shared = await ask({ axes, threads: 2, turn })
      if (alone.totals.join() !== shared.totals.join()) throw new Error('two threads gave another answer than one')
      one.push(alone)
      two.push(shared)
    }
    const each = clockOf(one).median / cells
    const quicker = clockOf(one).median / clockOf(two).median
    const longest = (answers: readonly Answer[]) => timesOf(answers.map((answer) => answer.longest)).median
    const quickerByCpu = longest(one) / longest(two)
    const byThreads = `${short(quicker)}× (cpu ${short(quickerByCpu)}×)`
    rows.push([
      String(cells),
      short(first.ms),
      told(clockOf(one)),
      short(cpuOf(one).median),
      `${short(each)} (cpu ${short(cpuOf(one).median / cells)})`,
      told(clockOf(two)),
      byThreads,
    ])
    if (cells === 2000) {
      const measured = `${short(each)} ms (cpu ${short(cpuOf(one).median / cells)})`
      goals.push({ job: 'grid of 2,000 cells, a cell', goal: '≤ 0.35 ms', measured, met: each <= 0.35 })
      goals.push({ job: 'grid of 2,000 cells, two threads', goal: '≥ 1.85×', measured: byThreads, met: quicker >= 1.85 })
    }
    if (!options.peers || options.quick) continue
    const least = cells === 2000 ? 5_000 : 2_000
    for (const peer of peers) {
      const worker = await startPeer(`grid_${peer.name}.py`, peer.packages, [`${shared}/${inputFiles.cb}`, casePath])
      if ('why' in worker) {
        notes.push(`${peer.name}: ${worker.why}.`)
        continue
      }
      const asked = someCells(axes, Math.ceil(cells / peer.cells))
      const of = (turn: number) => worker.ask<Run & { last: number[] }>({ turn, cells: asked.map(({ cell }) => cell) })
      if (peer.name === 'vectorbt') await of(0)
      const theirs = await of(-1)
      await worker.end()
      const apart = Math.max(...theirs.last.map((value, k) => Math.abs(value / (1 + first.totals[asked[k]!.at]!) - 1)))
      const ratio = theirs.ms / asked.length / each
      const cpu = theirs.cpu / asked.length / (cpuOf(one).median / cells)
      against.push([
        String(cells),
        peer.name,
        String(asked.length),
        short(theirs.ms / asked.length),
        `${short(ratio)}× (cpu ${short(cpu)}×)`,
        apart < 1e-9 ? 'equal' : `apart by up to ${apart.toExponential(1)}`,
      ])
      if (peer.name === 'pandas')
        goals.push({ job: `grid of ${cells} cells`, goal: `≥ ${least}× pandas`, measured: `${short(ratio)}×`, met: ratio >= least })
    }
  }
  // In turn, so that what the machine does besides falls on all of them.
  const leaving = new Map(valuesOf(callHandlings).map((handling) => [handling, [] as Answer[]]))
  for (let turn = 0; turn < repetitions; turn++)
    for (const [call_handling, answers] of leaving) answers.push(await ask({ axes: grids[240]!, threads: 1, turn, call_handling }))
  await own.end()
  return [
    {
      title: 'Grids',
      about: `Milliseconds, bonds of the reference data, 1336 days, a rotation every 5 days scored by five factors; axes: the weight of one of them (3; 10), places held (10; 20), buffer (8; 10). Everything from the request to the answer: ranks, runs, plateau, PBO. first: the first grid of the process. Then median (best–worst) of ${repetitions}, one day moved each time, one thread and two in turn; of two threads one ranks and offers its cells, the other takes of them; quicker by the clock, in brackets one thread's processor time to that of the longer of two.`,
      columns: ['cells', 'first', 'one thread', 'cpu', 'a cell', 'two threads', 'quicker by'],
      rows,
      notes: [],
      goals,
    },
    {
      title: 'Grids by the way to leave a bond',
      about: `Milliseconds of the grid of 240 cells on one thread, by what becomes of bonds that are called or mature; median (best–worst) of ${repetitions}, in turn.`,
      columns: ['way', 'one thread', 'cpu', 'best total return'],
      rows: [...leaving].map(([handling, answers]) => [
        labelOf(callHandlings, handling),
        told(clockOf(answers)),
        short(cpuOf(answers).median),
        `${(100 * Math.max(...answers[0]!.totals)).toFixed(1)} %`,
      ]),
      notes: [],
      goals: [],
    },
    {
      title: 'Grids against peers',
      about:
        'Cells spread over the grid, ranked once for all of them, by the same rules: milliseconds a cell, and the ratio to ours of the whole grid, in brackets in processor time. The last net value of each cell is compared.',
      columns: ['grid', 'peer', 'cells', 'ms a cell', 'ratio', 'net values'],
      rows: against,
      notes,
      goals: [],
    },
  ]
}
