import { openEmbedded } from '../../src/db/embedded.ts'

// A launcher that has come as far as its PostgreSQL: tests kill it with -9 and see who tidies up.
const [dataDir = ''] = process.argv.slice(2)
const { connectionString } = await openEmbedded(dataDir, 'server')
process.send?.(connectionString)
setInterval(() => {}, 1_000)
