import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { startWorker, type Worker } from './worker.ts'

const exec = promisify(execFile)
const peers = new URL('../peers/', import.meta.url)
/** The peers' own virtual environment, outside git: `npm run bench:peers` makes it. */
const environment = fileURLToPath(new URL('.venv/bin/python', peers))

const peerScript = (name: string): string => fileURLToPath(new URL(name, peers))

/** The Python that has these packages, or why there is none. */
export async function python(packages: readonly string[]): Promise<{ path: string } | { why: string }> {
  if (!existsSync(environment)) return { why: 'there is no bench/peers/.venv (`npm run bench:peers` makes it, with Python 3.12 or later)' }
  for (const name of packages) {
    const has = await exec(environment, ['-c', `import ${name}`]).then(
      () => true,
      () => false,
    )
    if (!has) return { why: `bench/peers/.venv lacks ${name}` }
  }
  return { path: environment }
}

/** A peer as a process that takes turns with ours; one thread, as ours, unless said otherwise. */
export async function startPeer(
  script: string,
  packages: readonly string[],
  args: readonly string[],
  threads = 1,
): Promise<Worker | { why: string }> {
  const found = await python(packages)
  if ('why' in found) return found
  const limits = ['OMP_NUM_THREADS', 'OPENBLAS_NUM_THREADS', 'MKL_NUM_THREADS', 'RAYON_NUM_THREADS', 'POLARS_MAX_THREADS']
  try {
    return await startWorker(found.path, [peerScript(script), ...args], Object.fromEntries(limits.map((name) => [name, String(threads)])))
  } catch (error) {
    return { why: error instanceof Error ? error.message : String(error) }
  }
}
