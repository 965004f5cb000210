/** Rows of bench/RESULTS.md that the capacity page is computed from. */

export const requestsTitle = 'Requests by part'
export const requestColumns = ['request', 'measured', 'api', 'worker', 'PostgreSQL', 'bytes of an answer'] as const
export const storedTitle = 'Stored run in bytes'
export const storedColumns = ['core', 'row', 'write-ahead log'] as const

/** Kinds of requests of the load model. */
export const kinds = ['screen', 'quick run', 'page or list', 'live refresh', 'stored run', 'report opened', 'day page', 'login'] as const
export type Kind = (typeof kinds)[number]

/** Of one request: milliseconds of processor time, and bytes of its answer. */
export interface Cost {
  readonly api: number
  readonly worker: number
  readonly database: number
  readonly bytes: number
}

export interface Measured {
  /** When, what and on what. */
  readonly on: string
  readonly cost: Readonly<Record<Kind, Cost>>
  /** Bytes of a stored run. */
  readonly stored: { readonly core: number; readonly row: number; readonly wal: number }
}

/** @throws where the page lacks a row */
export function readMeasured(results: string): Measured {
  const { on, rows } = tableOf(results, requestsTitle)
  const byName = new Map(rows.map(([name = '', ...rest]) => [name, rest.map(Number)]))
  const cost = Object.fromEntries(
    kinds.map((kind) => {
      const [, api, worker, database, bytes] = byName.get(kind) ?? []
      if ([api, worker, database, bytes].some((value) => value === undefined || Number.isNaN(value)))
        throw new Error(`bench/RESULTS.md has no row "${kind}" under "${requestsTitle}": npm run bench requests`)
      return [kind, { api, worker, database, bytes }]
    }),
  ) as Record<Kind, Cost>
  const [core = Number.NaN, row = Number.NaN, wal = Number.NaN] = tableOf(results, storedTitle).rows[0]?.map(Number) ?? []
  return { on, cost, stored: { core, row, wal } }
}

function tableOf(results: string, title: string): { on: string; rows: string[][] } {
  const [, section] = results.split(`## ${title}\n`)
  if (section === undefined) throw new Error(`bench/RESULTS.md has no section "${title}": npm run bench requests`)
  const lines = section.split('\n## ')[0]!.split('\n')
  const table = lines.filter((line) => line.startsWith('| ')).slice(2)
  return { on: lines.find((line) => line !== '') ?? '', rows: table.map((line) => line.slice(2, -2).split(' | ')) }
}
