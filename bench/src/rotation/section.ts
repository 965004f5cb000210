import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { peerScript, python } from '../peers.ts'
import { type Input, inputFiles, shared, snapshots } from '../reference-data.ts'
import type { Options, Section } from '../section.ts'
import { short, timesOf } from '../times.ts'
import { caseNames, readCase } from './cases.ts'
import type { Figures } from './measure.ts'

const exec = promisify(execFile)
const measure = fileURLToPath(new URL('./measure.ts', import.meta.url))

interface Peer {
  readonly ms: number
  /** Index-weighted sum of its net values: the same job, or no comparison. */
  readonly sum: number
}

/** The reference rotations, each in a process of its own, then the same in pandas. */
export async function rotation({ peers }: Options): Promise<Section[]> {
  const inputs = await snapshots()
  const rows: string[][] = []
  const pandas = peers ? await python(['pandas', 'pyarrow']) : { why: 'not asked for' }
  let repetitions = 0
  for (const name of caseNames()) {
    const { kind } = readCase(name)
    const input: Input = inputs[kind]
    const { stdout } = await exec(process.execPath, [measure, name, input.snapshot])
    const row: Figures = JSON.parse(stdout)
    const peer = 'path' in pandas ? await pandasRun(pandas.path, name) : null
    repetitions = row.repetitions
    rows.push([
      row.case,
      `${row.days} × ${row.securities}`,
      short(row.loadMs),
      short(row.coldMs),
      `${short(row.warmMs)} (${short(row.bestMs)})`,
      `${short(row.reportMs)} (${short(row.reportBestMs)})`,
      `${short(row.cachedMs)} (${short(row.cachedBestMs)})`,
      peer ? short(peer.ms) : '–',
      peer ? (Math.abs(peer.sum / row.checksum - 1) < 1e-9 ? `${Math.round(peer.ms / row.warmMs)}×` : 'another result') : '–',
      row.worst.toExponential(1),
      row.checksum.toFixed(6),
    ])
  }
  return [
    {
      title: 'Reference backtests',
      about: `Milliseconds. load: the columns from disk, checksums verified. cold: the first run of a process. warm: median (best) of ${repetitions} runs on changed input, from the request to the ledger; so are the next two. with report: the whole \`backtest()\`, metrics, reasons and all day pages. ranks cached: the simulation alone.`,
      columns: [
        'case',
        'days × securities',
        'load',
        'cold',
        'warm',
        'with report',
        'ranks cached',
        'pandas',
        'warm is',
        '‖nav − reference‖',
        'checksum',
      ],
      rows,
      notes: [
        ...('why' in pandas ? [`pandas: ${pandas.why}.`] : []),
        ...Object.entries(inputs).map(([kind, { sha256 }]) => `Input ${kind}: sha256 ${sha256}`),
      ],
      goals: [],
    },
  ]
}

async function pandasRun(path: string, name: string): Promise<Peer> {
  const args = [peerScript('pandas_rotation.py'), `${shared}/${inputFiles[readCase(name).kind]}`, `${shared}/reference/${name}.json`, '3']
  const { stdout } = await exec(path, args, { timeout: 600_000 })
  const told: { run_ms: number[]; nav_sum: number } = JSON.parse(stdout)
  return { ms: timesOf(told.run_ms).median, sum: told.nav_sum }
}
