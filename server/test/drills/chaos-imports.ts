/**
 * `npm run chaos:imports [-- --kills 200]`: imports, appends and publications under kill -9 (`src/market/killed-imports.test.ts`). Exit 1
 * where a snapshot that was published is not whole.
 */
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { openFigures } from '../fixtures/figures.ts'
import { readDrillOptions } from './drill-options.ts'

const { kills } = readDrillOptions({ kills: { whole: 200, quick: 20 } })
const root = fileURLToPath(new URL('../../..', import.meta.url))
const { status } = spawnSync(
  join(root, 'node_modules/.bin/vitest'),
  ['run', '--project', 'server', 'server/src/market/killed-imports.test.ts'],
  { cwd: root, env: { ...process.env, KILLS: String(kills) }, stdio: ['ignore', 'inherit', 'inherit'] },
)
const figures = openFigures()
figures.none(`stories of ${kills} kills that found a snapshot not whole`, status === 0 ? 0 : 1)
process.exit(figures.end())
