/**
 * `npm run fuzz:runs`: random runs of both markets, stored and computed again by other threads and processes, in whole, in parts and by days,
 * against the engine's own report. Status 0 only if all are the same bytes. `npm test` compares twelve.
 *
 *   200 runs (`-- --runs 40`: fewer; `-- --seed 7`: others)
 */
import { readDrillOptions } from '../drills/drill-options.ts'
import { compareRuns } from './same-bytes.ts'

const { runs: wanted, seed } = readDrillOptions({ runs: { whole: 200, quick: 40 }, seed: { whole: 1, quick: 1 } })
const { runs, refused, wrong } = await compareRuns(wanted, seed, (line) => console.log(line))
console.log(wrong === null ? `${runs} runs, ${refused} of them refused: 0 differences` : `difference: ${wrong}`)
console.log(wrong === null ? '1 passed, 0 failed' : '0 passed, 1 failed')
process.exitCode = wrong === null ? 0 : 1
