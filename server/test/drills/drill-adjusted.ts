/**
 * `npm run drill:adjusted [-- --markets 200 --seed 1]`: random markets of shares written raw with a factor, forward- and back-adjusted, with it
 * and without (`fixtures/random-markets/`). Prints figures; `-- --markets 1 --seed 17` tries one alone.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connect } from '../../src/db/connect.ts'
import { openEmbedded } from '../../src/db/embedded.ts'
import { migrate } from '../../src/db/migrate.ts'
import { openFigures } from '../fixtures/figures.ts'
import { type AdjustedOutcome, tryAdjusted } from '../fixtures/random-markets/try-adjusted.ts'
import { readDrillOptions } from './drill-options.ts'

const { markets, seed } = readDrillOptions({ markets: { whole: 200, quick: 40 }, seed: { whole: 1, quick: 1 } })
const figures = openFigures()
const dataDir = mkdtempSync(join(tmpdir(), 'convexa-drill-adjusted-'))
const postgres = await openEmbedded(dataDir, 'command')
const { db, close } = connect(postgres.connectionString, { max: 2 })
const outcomes: AdjustedOutcome[] = []
try {
  await migrate(db)
  for (let k = 0; k < markets; k++) {
    outcomes.push(await tryAdjusted({ db, dataDir }, seed + k))
    if (outcomes.length % 50 === 0) console.log(`${outcomes.length} markets`)
  }
} finally {
  await close()
  await postgres.close()
  rmSync(dataDir, { recursive: true, force: true })
}

const told = (of: 'imports' | 'returns' | 'formulas' | 'trades' | 'positions') =>
  outcomes.flatMap((outcome) => outcome[of].map((fault) => `${outcome.seed}: ${fault}`))
const sum = (of: 'trades' | 'positions' | 'lots') => outcomes.reduce((total, { compared }) => total + compared[of], 0)
figures.fact('markets', outcomes.length)
figures.none('files with a factor that are no raw market, or files refused', told('imports'))
figures.none('ideal net values apart by more than 1e-9', told('returns'))
figures.none('formulas that are free of levels apart by more than 1e-9', told('formulas'))
figures.none(`realistic runs of files with a factor that trade otherwise, of ${sum('trades')} trades`, told('trades'))
figures.atMost('positions of files without one, apart on the average by lots of their own', sum('lots') / sum('positions'), 1)
figures.none(`and those that are apart by more than the lots of all, of ${sum('positions')}`, told('positions'))
figures.goal('trades and positions compared', `${sum('trades')} and ${sum('positions')}`, 'some', sum('trades') > 0 && sum('positions') > 0)
process.exit(figures.end())
