import { startPeer } from '../peers.ts'
import { inputFiles, shared, snapshots } from '../reference-data.ts'
import type { Goal, Options, Section } from '../section.ts'
import { clockOf, cpuOf, type Run, short } from '../times.ts'
import { startOwn, type Worker } from '../worker.ts'
import { caseNames, readCase } from './cases.ts'
import type { Answer, Question, Ready } from './ours.ts'

/** Turns; ours is asked so many times in each, a peer once. */
const [turns, perTurn] = [5, 8]

interface Peer {
  readonly name: string
  readonly packages: readonly string[]
  /** So slow that it is asked once. */
  readonly once: boolean
}

const peers: readonly Peer[] = [
  { name: 'pandas', packages: ['pandas', 'pyarrow'], once: false },
  { name: 'vectorbt', packages: ['vectorbt', 'pyarrow'], once: false },
  { name: 'backtrader', packages: ['backtrader', 'pyarrow'], once: true },
]
const parts = ['run', 'report', 'cached', 'quick'] as const

/** The reference rotations, each in a process of its own, turn by turn with the same in other programs. */
export async function rotation(options: Options): Promise<Section[]> {
  const inputs = await snapshots()
  const rows: string[][] = []
  const against: string[][] = []
  const goals: Goal[] = []
  const notes: string[] = []
  for (const name of caseNames()) {
    const { kind } = readCase(name)
    const own = await startOwn('./rotation/ours.ts', [name, inputs[kind].snapshot])
    const { days, securities, loadMs } = own.ready as Ready
    const ask = (part: Question['part'], turn: number) => own.ask<Answer>({ part, turn } satisfies Question)
    const cold = await ask('run', -1)
    const runs = { run: [] as Run[], report: [] as Run[], cached: [] as Run[], quick: [] as Run[] }
    for (let k = 0; k < 2 * perTurn; k++) for (const part of parts) await ask(part, k)

    const theirs = options.peers && !options.quick ? await started(name, notes) : []
    const ratios = new Map<string, { runs: Run[]; apart: number }>()
    for (let turn = 0; turn < turns; turn++) {
      let sum = Number.NaN
      for (const part of parts) {
        for (let k = 0; k < perTurn; k++) {
          const answer = await ask(part, part === 'run' && k === perTurn - 1 ? turn : 10 + k)
          runs[part].push(answer)
          if (part === 'run') sum = answer.sum
        }
      }
      for (const { peer, worker } of theirs) {
        if (peer.once && turn > 0) continue
        const answer = await worker.ask<Run & { sum: number }>({ turn })
        const known = ratios.get(peer.name) ?? { runs: [], apart: 0 }
        ratios.set(peer.name, { runs: [...known.runs, answer], apart: Math.max(known.apart, Math.abs(answer.sum / sum - 1)) })
      }
    }
    if ((await ask('run', -1)).sum !== cold.sum) throw new Error('the same input gave another answer')
    await own.end()
    for (const { worker } of theirs) await worker.end()

    const told = (part: Question['part']) => `${short(clockOf(runs[part]).median)} (${short(clockOf(runs[part]).best)})`
    rows.push([
      name,
      `${days} × ${securities}`,
      short(loadMs),
      short(cold.ms),
      told('run'),
      told('report'),
      told('cached'),
      told('quick'),
      cold.worst.toExponential(1),
      cold.sum.toFixed(6),
    ])
    for (const [peer, { runs: times, apart }] of ratios) {
      const of = (part: 'run' | 'cached') => {
        const [clock, cpu] = [clockOf(times).median / clockOf(runs[part]).median, cpuOf(times).median / cpuOf(runs[part]).median]
        return `${short(clock)}× (cpu ${short(cpu)}×)`
      }
      against.push([
        name,
        peer,
        short(clockOf(times).median),
        of('run'),
        of('cached'),
        apart < 1e-9 ? 'equal' : `apart by ${apart.toExponential(1)}`,
      ])
    }
    goals.push(...goalsOf(name, kind, runs, cold, ratios.get('pandas')?.runs))
  }
  const many = turns * perTurn
  return [
    {
      title: 'Reference backtests',
      about: `Milliseconds. load: the columns from disk, checksums verified. cold: the first run of a process. warm: median (best) of ${many} runs on changed input, from the request to the ledger; so are the next two. with report: the whole \`backtest()\`, metrics, reasons and all day pages. ranks cached: the simulation alone. quick run: the request's money alone, as a curve follows an edit.`,
      columns: [
        'case',
        'days × securities',
        'load',
        'cold',
        'warm',
        'with report',
        'ranks cached',
        'quick run',
        '‖nav − reference‖',
        'checksum',
      ],
      rows,
      notes: Object.entries(inputs).map(([kind, { sha256 }]) => `Input ${kind}: sha256 ${sha256}`),
      goals,
    },
    {
      title: 'Reference backtests against peers, turn by turn',
      about: `The same rotation on the same file, ${turns} turns after warming: ours ${perTurn} times, then each peer once, one day moved by a billionth. Their tables are at hand, as our columns are. The ratio is theirs to ours, in brackets in processor time; backtrader runs once. Net values are compared by a sum weighted by place, at 1e-9.`,
      columns: ['case', 'peer', 'ms', 'to our whole run', 'to ours with ranks cached', 'net values'],
      rows: against,
      notes: [
        'vectorbt spends equity from before the forced sales of the day and buys in the order of the amounts, so who goes short of the last cents is another; no option of it says otherwise.',
        ...notes,
      ],
      goals: [],
    },
  ]
}

async function started(name: string, notes: string[]): Promise<{ peer: Peer; worker: Worker }[]> {
  const file = `${shared}/${inputFiles[readCase(name).kind]}`
  const made: { peer: Peer; worker: Worker }[] = []
  for (const peer of peers) {
    const worker = await startPeer(`rotation_${peer.name}.py`, peer.packages, [file, `${shared}/reference/${name}.json`])
    if ('why' in worker) {
      notes.push(`${peer.name}, ${name}: ${worker.why}.`)
      continue
    }
    if (!peer.once) await worker.ask({ turn: 0 })
    made.push({ peer, worker })
  }
  return made
}

function goalsOf(
  name: string,
  kind: string,
  runs: Readonly<Record<Question['part'], readonly Run[]>>,
  cold: Run,
  pandas: readonly Run[] | undefined,
): Goal[] {
  if (kind !== 'cb') return []
  const warm = clockOf(runs.run).median
  const quick = clockOf(runs.quick).median
  const ratio = (ours: number) => (pandas ? clockOf(pandas).median / ours : Number.NaN)
  const goal = (job: string, least: number, ours: number): Goal => ({
    job: `${name}: ${job}`,
    goal: `≥ ${least}× pandas`,
    measured: pandas ? `${short(ratio(ours))}× (${short(ours)} ms)` : 'no peer',
    met: pandas ? ratio(ours) >= least : null,
  })
  return [
    goal('first run of a process', 25, cold.ms),
    { job: `${name}: warm`, goal: '≤ 6 ms', measured: `${short(warm)} ms`, met: warm <= 6 },
    goal('warm', 250, warm),
    { job: `${name}: quick run, warm`, goal: '≤ 20 ms', measured: `${short(quick)} ms`, met: quick <= 20 },
    goal('ranks cached', 10_000, clockOf(runs.cached).median),
  ]
}
