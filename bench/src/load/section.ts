import type { Kind } from '@convexa/contract'
import { load as loadAverage } from '../machine.ts'
import type { Goal, Options, Section } from '../section.ts'
import { clockOf, cpuOf, type Run, short, told } from '../times.ts'
import { startOwn, type Worker } from '../worker.ts'
import { type MadeStore, madeStore } from './stores.ts'

const repetitions = 7

/** Both markets from disk (page cache) into shared memory. */
export async function load(_: Options): Promise<Section[]> {
  const rows: string[][] = []
  const goals: Goal[] = []
  const notes: string[] = []
  const words: Readonly<Record<Kind, string>> = { cb: 'convertible bonds', stk: 'stocks' }
  for (const kind of ['cb', 'stk'] as const) {
    const made = await madeStore(kind)
    const cold: Run[] = []
    for (let k = 0; k < 3; k++) {
      const fresh = await start(made)
      cold.push(await fresh.ask<Run>({ fields: made.fields }))
      await fresh.end()
    }
    const own = await start(made)
    await own.ask<Run>({ fields: made.fields })
    const warm: Run[] = []
    for (let k = 0; k < repetitions; k++) warm.push(await own.ask<Run>({ fields: made.fields }))
    const three: Run[] = []
    for (let k = 0; k < repetitions; k++) three.push(await own.ask<Run>({ fields: made.fields.slice(k % 3, 3 + (k % 3)) }))
    await own.end()
    const { median } = clockOf(warm)
    const speed = `${short(made.bytes / 1e6 / median)} GB/s`
    const size = `${made.fields.length} × ${made.days} × ${made.securities}, ${short(made.bytes / 1e6)} MB`
    rows.push([words[kind], size, told(clockOf(cold)), told(clockOf(warm)), short(cpuOf(warm).median), speed, told(clockOf(three))])
    if (kind === 'stk')
      goals.push({ job: 'load stocks, 10 fields f32', goal: '≤ 350 ms', measured: `${short(median)} ms`, met: median <= 350 })
    notes.push(`Input ${kind}: made up, sha256 of its manifest ${made.sha256}`)
  }
  return [
    {
      title: 'Loading a market',
      about: `Milliseconds until the panel is there: every column in shared memory as doubles, checksums verified, prices carried over days without a trade; files in the page cache, load ${loadAverage()}. cold: in a fresh process, 3 of them. warm: median (best–worst) of ${repetitions} in one process. Files do not change between runs; nothing of a load is kept.`,
      columns: ['market', 'fields × days × securities', 'cold', 'warm', 'cpu', 'bytes a second', '3 fields'],
      rows,
      notes,
      goals,
    },
  ]
}

function start({ folder }: MadeStore): Promise<Worker> {
  return startOwn('./load/ours.ts', [folder], ['--expose-gc'])
}
