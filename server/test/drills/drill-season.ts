/**
 * `npm run drill:season [-- --shares 5000 --bonds 380 --days 82 --seed 1]`: a made market from April to July through the product's adapters
 * of Tushare, BaoStock, Eastmoney and Jisilu, PostgreSQL, rounds and clock, with late, partial, odd and refused tables (`fixtures/season/`). What is
 * true is written down before it is asked. `--first 42 --last 45`: of the same season only these days are run.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connect } from '../../src/db/connect.ts'
import { openEmbedded } from '../../src/db/embedded.ts'
import { migrate } from '../../src/db/migrate.ts'
import { openFigures } from '../fixtures/figures.ts'
import { runSeason } from '../fixtures/season/run.ts'
import { readDrillOptions } from './drill-options.ts'

const { shares, bonds, days, first, last, seed, quick } = readDrillOptions({
  shares: { whole: 5_000, quick: 400 },
  bonds: { whole: 380, quick: 120 },
  days: { whole: 82, quick: 21 },
  first: { whole: 1, quick: 1 },
  last: { whole: 82, quick: 21 },
  seed: { whole: 1, quick: 1 },
})
const figures = openFigures()
const dataDir = mkdtempSync(join(tmpdir(), 'convexa-drill-season-'))
const postgres = await openEmbedded(dataDir, 'command')
const { db, close } = connect(postgres.connectionString, { max: 4 })
const since = performance.now()
try {
  await migrate(db)
  const [from, to] = quick ? ['2026-06-01', '2026-06-30'] : ['2026-04-01', '2026-07-31']
  const seen = await runSeason({ db, dataDir }, { shares, bonds, days, first, last, seed, from, to }, (day) => console.log(day))
  figures.fact('trading days, cells compared, wordings of refusals', `${seen.days}, ${seen.cells}, ${seen.refusals}`)
  figures.fact('calls', seen.calls)
  figures.none('days that the source had by 20:00 and that were not published that evening', seen.late)
  figures.none('cells wrong that the source had right by then', seen.wrong)
  figures.none('parts told as open that came, or as whole that did not', seen.misjudged)
  figures.none('securities lost', seen.lost)
  for (const { what, most, allowed } of seen.counts) figures.atMost(what, most, allowed)
  figures.atMost('took', (performance.now() - since) / 60_000, quick ? 5 : 45, 'minutes')
} finally {
  await close()
  await postgres.close()
  rmSync(dataDir, { recursive: true, force: true })
}
process.exit(figures.end())
