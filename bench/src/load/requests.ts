import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { requestColumns, requestsTitle, storedColumns, storedTitle } from '../capacity/measured.ts'
import { load } from '../machine.ts'
import type { Section } from '../section.ts'
import { short } from '../times.ts'

const program = fileURLToPath(new URL('../../../server/test/bench/bench-requests.ts', import.meta.url))

interface Told {
  readonly measured: readonly {
    readonly name: string
    readonly requests: number
    readonly api: number
    readonly worker: number
    readonly database: number
    readonly bytes: number
  }[]
  readonly stored: { readonly core: number; readonly row: number; readonly wal: number }
}

/** Requests of every kind of the load model, to an api, a worker and a PostgreSQL of their own, and what is kept of a run. */
export async function requests(): Promise<Section[]> {
  const { stdout } = await promisify(execFile)(process.execPath, [program, '--json'], { maxBuffer: 2 ** 20 })
  return sectionsOf(JSON.parse(stdout.trim().split('\n').at(-1)!), load())
}

/** @param during load while it was measured */
export function sectionsOf({ measured, stored: { core, row, wal } }: Told, during: string): Section[] {
  return [
    {
      title: requestsTitle,
      about: `Milliseconds of processor time for one request, load ${during}: 500 bonds over six years, four users at once, after some to warm it; an api, a worker with its compute child, and PostgreSQL, each with all of its processes. live refresh: a rule that was asked before, on answers that are not shared any more. The capacity page is computed from these rows (\`npm run capacity\`).`,
      columns: requestColumns,
      rows: measured.map((one) => [one.name, String(one.requests), ...[one.api, one.worker, one.database].map(short), String(one.bytes)]),
      notes: [],
      goals: [],
    },
    {
      title: storedTitle,
      about:
        'Bytes of a stored run: 20 of 500 bonds by two factors, every 5 days over six years; the write-ahead log is all that PostgreSQL wrote meanwhile.',
      columns: storedColumns,
      rows: [[core, row, wal].map((bytes) => bytes.toFixed(0))],
      notes: [],
      goals: [],
    },
  ]
}
