/**
 * `node server/test/bench/bench-ingest.ts`: days of 5,500 stocks and 600 bonds ingested and published, from the answers to the row. Prints seconds;
 * with `--json` one line for the bench's page.
 */

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connect } from '../../src/db/connect.ts'
import { openEmbedded } from '../../src/db/embedded.ts'
import { migrate } from '../../src/db/migrate.ts'
import { ingest } from '../../src/feeds/ingest/ingest.ts'
import { demoTables, simulateDemo } from '../../src/market/demo.ts'
import type { MarketTable } from '../../src/market/store.ts'
import { tableBefore } from '../fixtures/market/day-of.ts'
import { publishTable } from '../fixtures/market/publish-table.ts'
import { marketFeed, scriptedChain } from '../stand-ins/scripted-feed.ts'

const days = 5
const isJson = process.argv.includes('--json')
const measured: { day: string; rows: string; ms: number; cpu: number }[] = []
const { dates, stocks, bonds } = simulateDemo({ size: 'wide', through: '2026-11-20' })
const [, stk, cb] = demoTables(dates, stocks, bonds) as [MarketTable, MarketTable, MarketTable]
const dataDir = mkdtempSync(join(tmpdir(), 'convexa-bench-ingest-'))
const postgres = await openEmbedded(dataDir, 'command')
const { db, close } = connect(postgres.connectionString, { max: 4 })
try {
  await migrate(db)
  for (const table of [stk, cb]) {
    const before = tableBefore(table, dates.length - days)
    await publishTable({ db, dataDir }, before)
  }
  const chain = scriptedChain(marketFeed({ stk, cb }, () => dates.at(-1)!))
  for (const day of dates.slice(-days)) {
    const [since, cpu] = [performance.now(), process.cpuUsage()]
    const done = await ingest(
      { db, dataDir, chain, signal: new AbortController().signal },
      { through: day, kinds: ['stk', 'cb'], steps: ['quotes'] },
    )
    const used = process.cpuUsage(cpu)
    const [ms, spent] = [performance.now() - since, (used.user + used.system) / 1_000]
    const rows = done.map(({ text }) => /共 (\d+) 行/.exec(text)?.[1]).join(' + ')
    if (done.some(({ state }) => state !== 'published')) throw new Error(done.map(({ text }) => text).join('\n'))
    measured.push({ day, rows, ms, cpu: spent })
    if (!isJson) console.log(`${day}: ${rows} rows, ${(ms / 1_000).toFixed(2)} s (cpu ${(spent / 1_000).toFixed(2)} s)`)
  }
  const resident = Math.round(process.memoryUsage.rss() / 1e6)
  console.log(isJson ? JSON.stringify({ measured, resident }) : `resident ${resident} MB`)
} finally {
  await close()
  await postgres.close()
  rmSync(dataDir, { recursive: true, force: true })
}
