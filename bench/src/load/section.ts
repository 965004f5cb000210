import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { MarketId } from '@convexa/contract'
import { compareCells, equalityText, isEqual } from '../equal.ts'
import { load as loadAverage } from '../machine.ts'
import { startPeer } from '../peers.ts'
import type { Goal, Options, Section } from '../section.ts'
import { clockOf, cpuOf, type Run, short, told } from '../times.ts'
import { startOwn, type Worker } from '../worker.ts'
import { type MadeStore, madeStore, writeShape } from './stores.ts'

const repetitions = 5
const words: Readonly<Record<MarketId, string>> = { cb: 'convertible bonds', stk: 'stocks' }
/** What no loading into fresh doubles goes below: processor time, the least of eight, all parts in one run. */
const floors: Readonly<Record<MarketId, string>> = {
  cb: 'Floor, convertible bonds: of 114 ms of processor time 59 are the first touch of 104 MB of memory and 36 reading and checking; read(2) alone into one warm buffer is 11, which is what 25 times quicker than DuckDB would be (decisions/0049).',
  stk: 'Floor, stocks: floats become doubles, so 1.2 GB of memory are touched first: 0.52 ms a megabyte, 0.6 s of processor time before anything is read; 350 ms stand for columns that stay floats, which the engine does not read (decisions/0049).',
}
/** Of the time that DuckDB takes to ours; for stocks the goal is a time. */
const ratioGoal = 25

/** Both markets from disk (page cache) into shared memory, turn by turn with DuckDB. */
export async function load({ peers }: Options): Promise<Section[]> {
  const rows: string[][] = []
  const goals: Goal[] = []
  const notes: string[] = []
  for (const kind of ['cb', 'stk'] as const) {
    const made = await madeStore(kind)
    const { fields } = made
    const cold: Run[] = []
    for (let k = 0; k < 3; k++) {
      const fresh = await start(made)
      cold.push(await fresh.ask<Run>({ fields }))
      await fresh.end()
    }
    const own = await start(made)
    const peer = peers
      ? await startPeer('load_duckdb.py', ['numpy', 'duckdb', 'pyarrow'], [await writeShape(made)], 2)
      : { why: 'not asked for' }
    const warm: Run[] = []
    const theirs: Run[] = []
    const three: Run[] = []
    for (let k = 0; k <= repetitions; k++) {
      warm.push(await own.ask<Run>({ fields }))
      if ('ask' in peer) theirs.push(await peer.ask<Run>({ fields }))
      three.push(await own.ask<Run>({ fields: fields.slice(k % 3, 3 + (k % 3)) }))
    }
    const equal = 'ask' in peer ? await compared(own, peer, fields) : '–'
    await own.end()
    if ('ask' in peer) await peer.end()
    else notes.push(`DuckDB, ${words[kind]}: ${peer.why}.`)
    const [mine, other] = [clockOf(warm.slice(1)), clockOf(theirs.slice(1))]
    const ratio = other.median / mine.median
    const cpu = cpuOf(theirs.slice(1)).median / cpuOf(warm.slice(1)).median
    const both = `${short(ratio)}× (cpu ${short(cpu)}×)`
    const size = `${fields.length} × ${made.days} × ${made.securities}, ${short(made.bytes / 1e6)} MB`
    const speed = `${short(made.bytes / 1e6 / mine.median)} GB/s`
    const ours = [told(clockOf(cold)), told(mine), short(cpuOf(warm.slice(1)).median), speed, told(clockOf(three.slice(1)))]
    rows.push([words[kind], size, ...ours, theirs.length > 0 ? told(other) : '–', theirs.length > 0 ? both : '–', equal])
    if (kind === 'stk')
      goals.push({ job: 'load stocks, 10 fields f32', goal: '≤ 350 ms', measured: `${short(mine.median)} ms`, met: mine.median <= 350 })
    else {
      const measured = theirs.length > 0 ? both : 'no peer'
      goals.push({
        job: 'load convertible bonds, 11 fields f64, against DuckDB',
        goal: `≥ ${ratioGoal}×`,
        measured,
        met: theirs.length > 0 ? ratio >= ratioGoal : null,
      })
    }
    notes.push(floors[kind])
    notes.push(`Input ${kind}: made up, sha256 of its manifest ${made.sha256}`)
  }
  return [
    {
      title: 'Loading a market',
      about: `Milliseconds until the panel is there: every column in shared memory as doubles, checksums verified, prices carried over days without a trade; files in the page cache, load ${loadAverage()}. cold: in a fresh process, 3 of them. warm: median (best–worst) of ${repetitions} in one process, in turn with DuckDB (2 threads) reading the same values from Parquet into days × securities arrays; it verifies and carries nothing. Files do not change between runs; nothing of a load is kept.`,
      columns: ['market', 'fields × days × securities', 'cold', 'warm', 'cpu', 'bytes a second', '3 fields', 'DuckDB', 'ratio', 'equal'],
      rows,
      notes,
      goals,
    },
  ]
}

function start({ folder }: MadeStore): Promise<Worker> {
  return startOwn('./load/ours.ts', [folder], ['--expose-gc'])
}

/** One field that is not carried forward, cell by cell. */
async function compared(own: Worker, peer: Worker, fields: readonly string[]): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'convexa-bench-'))
  const cells = async (worker: Worker, name: string) => {
    const to = join(folder, name)
    await worker.ask({ fields, field: 'open', to })
    const { buffer, byteOffset, byteLength } = await readFile(to)
    return new Float64Array(buffer.slice(byteOffset, byteOffset + byteLength))
  }
  const equality = compareCells(await cells(own, 'ours.f64'), await cells(peer, 'duckdb.f64'))
  await rm(folder, { recursive: true, force: true })
  return isEqual(equality) ? 'all cells of `open`' : equalityText(equality)
}
