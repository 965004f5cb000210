/**
 * `npm run fuzz:requests`: what no client of ours would send, to every call, and nearly right requests to everything that computes on real
 * data (G5). Prints how they were answered; exit 1 when one was answered by HTTP 500, out of contract or after more than five seconds.
 * `npm test` asks 3,200 times.
 *
 *   100,000 of each kind (`-- --requests 10000`: fewer)
 */
import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'

const { values } = parseArgs({ options: { requests: { type: 'string', default: '100000' } } })
const root = fileURLToPath(new URL('../..', import.meta.url))
const files = ['malformed', 'quant-properties'].map((name) => `server/test/flows/${name}.test.ts`)
const { status } = spawnSync('vitest', ['run', '--project', 'server', ...files], {
  cwd: root,
  env: { ...process.env, MALFORMED: values.requests },
  stdio: ['ignore', 'inherit', 'inherit'],
})
process.exit(status ?? 1)
