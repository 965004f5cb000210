import { existsSync } from 'node:fs'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { compareCells, type Equality } from '../equal.ts'
import type { Input } from '../inputs.ts'
import { startPeer } from '../peers.ts'
import { clockOf, cpuOf, type Run, type Times } from '../times.ts'
import { startOwn, type Worker } from '../worker.ts'
import { stepsOf } from './steps.ts'

export interface Measured {
  readonly first: number
  readonly warm: Times
  readonly cpu: Times
  /** Of a peer's result with ours, on the same turn. */
  readonly equality: Equality | null
}

export const peerNames = ['alpha-lib', 'polars_ta', 'pandas'] as const
export type PeerName = (typeof peerNames)[number]

const peers: Readonly<Record<PeerName, { readonly script: string; readonly packages: readonly string[] }>> = {
  'alpha-lib': { script: 'alphas_alpha_lib.py', packages: ['numpy', 'alpha'] },
  polars_ta: { script: 'alphas_polars_ta.py', packages: ['numpy', 'polars', 'polars_ta'] },
  pandas: { script: 'alphas_pandas.py', packages: ['numpy', 'pandas'] },
}

/** By side (`ours` or a peer) and alpha; `why` says which peers are missing or what one could not do. */
export interface Outcome {
  readonly limit: number
  readonly sides: ReadonlyMap<string, ReadonlyMap<number, Measured>>
  readonly why: readonly string[]
}

/**
 * Ours and the peers on one input, alpha by alpha and turn by turn: each side runs once on the same moved input, then the next turn.
 * The first turn counts for nothing but the results, which are compared cell by cell.
 */
export async function measure(
  input: Input,
  numbers: readonly number[],
  asked: readonly PeerName[],
  turnsOf: (alpha: number) => number,
): Promise<Outcome> {
  const why: string[] = []
  const own = await startOwn('./alphas/ours.ts', [input.folder])
  const workers = new Map<string, Worker>([['ours', own]])
  for (const name of asked) {
    const { script, packages } = peers[name]
    const peer = await startPeer(script, packages, [input.folder])
    if ('why' in peer) why.push(`${name}: ${peer.why}.`)
    else workers.set(name, peer)
  }
  const { limit } = await own.ask<{ limit: number }>({ limit: true })
  const sides = new Map([...workers.keys()].map((name) => [name, new Map<number, Measured>()]))
  // A peer makes new memory for each answer: beside one, so do we.
  const kept = workers.size === 1
  const results = await mkdtemp(join(tmpdir(), 'convexa-bench-'))
  for (const alpha of numbers) {
    const steps = stepsOf(alpha)
    const runs = new Map<string, Run[]>()
    for (let turn = 0; turn <= turnsOf(alpha); turn++) {
      for (const [name, worker] of workers) {
        const what = name === 'ours' ? { alpha, kept } : { steps }
        const to = turn === 0 && workers.size > 1 ? { to: join(results, `${name}.f64`) } : {}
        try {
          runs.set(name, [...(runs.get(name) ?? []), await worker.ask<Run>({ ...what, turn, ...to })])
        } catch (error) {
          if (name === 'ours') throw error
          if (turn === 0) why.push(`${name} could not do alpha ${alpha}: ${error instanceof Error ? error.message : error}.`)
          await rm(join(results, `${name}.f64`), { force: true })
        }
      }
    }
    const ours = workers.size > 1 ? await cellsOf(join(results, 'ours.f64')) : null
    for (const [name, [first, ...later]] of runs) {
      const theirs = ours && name !== 'ours' ? await cellsOf(join(results, `${name}.f64`)) : null
      const equality = ours && theirs ? compareCells(ours, theirs) : null
      sides.get(name)!.set(alpha, { first: first!.ms, warm: clockOf(later), cpu: cpuOf(later), equality })
    }
  }
  for (const worker of workers.values()) await worker.end()
  await rm(results, { recursive: true, force: true })
  return { limit, sides, why }
}

async function cellsOf(path: string): Promise<Float64Array | null> {
  if (!existsSync(path)) return null
  const { buffer, byteOffset, byteLength } = await readFile(path)
  return new Float64Array(buffer.slice(byteOffset, byteOffset + byteLength))
}

/** Of a group of alphas: the sums of what each took. */
export function sumOf(group: readonly number[], times: ReadonlyMap<number, Measured>, what: 'warm' | 'cpu' = 'warm'): Times {
  const of = (which: 'median' | 'best' | 'worst') => group.reduce((sum, alpha) => sum + times.get(alpha)![what][which], 0)
  return { median: of('median'), best: of('best'), worst: of('worst'), count: group.length * 2 }
}
