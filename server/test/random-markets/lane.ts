/** A process of `npm run drill:imports`: tries the seeds that it is sent on a database of its own. */
import { once } from 'node:events'
import { mkdirSync } from 'node:fs'
import { connect } from '../../src/db/connect.ts'
import { tryIndexes } from './index-trial.ts'
import { makeTrial, tryImport } from './try-import.ts'

const [, , url = '', dataDir = ''] = process.argv
mkdirSync(dataDir, { recursive: true })
const { db, close } = connect(url, { max: 2 })
const [seeds] = (await once(process, 'message')) as [number[]]
for (const seed of seeds) {
  const [market, indexes] = [await tryImport({ db, dataDir }, makeTrial(seed)), await tryIndexes({ db, dataDir }, seed)]
  process.send?.({ ...market, faults: [...market.faults, ...indexes.faults.map((fault) => `${indexes.text}: ${fault}`)] })
}
await close()
process.disconnect?.()
