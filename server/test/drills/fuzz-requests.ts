/**
 * `npm run fuzz:requests`: what no client of ours would send, to every call, and nearly right requests to everything that computes on real
 * data (G5). Prints how they were answered; a goal is missed when one was answered by HTTP 500, out of contract or after more than five
 * seconds. `npm test` asks a few hundred times.
 *
 *   100,000 of each kind (`-- --requests 10000`: fewer)
 */
import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { openFigures } from '../fixtures/figures.ts'
import { readDrillOptions } from './drill-options.ts'

const { requests } = readDrillOptions({ requests: { whole: 100_000, quick: 3_000 } })
const root = fileURLToPath(new URL('../../..', import.meta.url))
const figures = openFigures()
for (const [name, said] of [
  ['malformed', 'malformed'],
  ['quant-properties', 'nearly right'],
]) {
  const { status, stdout, stderr } = spawnSync('vitest', ['run', '--project', 'server', `server/test/flows/${name}.test.ts`], {
    cwd: root,
    env: { ...process.env, MALFORMED: String(requests), NO_COLOR: '1' },
    encoding: 'utf8',
    maxBuffer: 1 << 28,
  })
  if (status !== 0) console.log(`${stdout}${stderr}`)
  const answers = stdout.split('\n').find((line) => line.startsWith(`${said}: `))
  figures.fact(`${said} requests`, answers?.slice(`${said}: `.length) ?? 'none')
  figures.none('  answered by HTTP 500, out of contract or late', status === 0 && answers ? 0 : 1)
}
process.exit(figures.end())
