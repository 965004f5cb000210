import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connect } from '@convexa/server/db/connect'
import { openEmbedded } from '@convexa/server/db/embedded'
import { migrate } from '@convexa/server/db/migrate'
import type { Quality } from '@convexa/server/db/tables/quality'
import { appendDay } from '@convexa/server/market/append-day'
import { publish } from '@convexa/server/market/snapshot'
import type { MarketTable } from '@convexa/server/market/store'
import { dayOf, tableBefore } from '../../../server/test/fixtures/market/day-of.ts'
import { load } from '../machine.ts'
import type { Section } from '../section.ts'
import { at, type Run, short, timedAsync } from '../times.ts'
import { marketTable, shapes } from './stores.ts'

const appended = 60
const goal = 20

/** Days appended to the stock market, one after the other, each published. */
export async function append(): Promise<Section[]> {
  const { days, securities, fields } = shapes.stk
  const table = marketTable('stk', shapes.stk)
  const runs = await appendAll(table)
  const by = (what: 'ms' | 'cpu') => runs.map((run) => run[what]).sort((a, b) => a - b)
  const [clock, cpu] = [by('ms'), by('cpu')]
  const figures = [at(clock, 0.5), at(clock, 0.95), clock.at(-1)!, at(cpu, 0.5), at(cpu, 0.95)].map(short)
  const p95 = at(clock, 0.95)
  return [
    {
      title: 'Appending a day',
      about: `Milliseconds, ${appended} days one after the other behind a made-up market, load ${load()}: a row for each field and mask, every file flushed, the manifest last, the folder renamed, the snapshot's row inserted in PostgreSQL (fsync on).`,
      columns: ['market', 'fields × days × securities', 'p50', 'p95', 'max', 'cpu p50', 'cpu p95'],
      rows: [['stocks', `${fields.length} × ${days} × ${securities}`, ...figures]],
      notes: [
        'Floor: flushing fourteen rows, eight at once, two files more and two folders — what the order of a publication asks for — has a p95 of 66 ms in a run in which one flushed write alone has 14 (p50 7 and 1): the tail is the disk’s (decisions/0049).',
      ],
      goals: [
        {
          job: 'append one day, stocks',
          goal: `p95 ≤ ${goal} ms`,
          measured: `${short(p95)} ms (cpu ${short(at(cpu, 0.95))})`,
          met: p95 <= goal,
        },
      ],
    },
  ]
}

async function appendAll(table: MarketTable): Promise<Run[]> {
  const dataDir = await mkdtemp(join(tmpdir(), 'convexa-append-'))
  const postgres = await openEmbedded(dataDir, 'command')
  const { db, close } = connect(postgres.connectionString, { name: 'convexa-bench', statementTimeoutMs: 600_000 })
  try {
    await migrate(db)
    const quality = { rows: 0, listedRows: 0, findings: [], notes: [] } as unknown as Quality
    const first = table.dates.length - appended
    const source = { preset: 'bench', files: [] }
    await publish({ db, dataDir, table: tableBefore(table, first), mode: 'imported', adjust: 'raw', source, quality })
    const runs: Run[] = []
    for (let t = first; t < table.dates.length; t++) {
      const [run, outcome] = await timedAsync(() => appendDay({ db, dataDir }, 'stk', dayOf(table, t)))
      if (!outcome.ok) throw new Error(outcome.refused)
      runs.push(run)
    }
    return runs
  } finally {
    await close()
    await postgres.close()
    await rm(dataDir, { recursive: true, force: true })
  }
}
