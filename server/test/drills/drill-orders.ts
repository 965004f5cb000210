import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { openFigures } from '../fixtures/figures.ts'
import { readDrillOptions } from './drill-options.ts'

// `npm run drill:orders [-- --sequences 20000 --from 1]`: the property test of orders (`drills/order-model.test.ts`) for long, and with its first
// part 100,000 histories of grants (`src/user/subscription.test.ts`). In parts, each with a seed and a database of its own: one that was broken off
// goes on with `--from`. Ends at the first part that finds something.

const { sequences, from } = readDrillOptions({ sequences: { whole: 20_000, quick: 100 }, from: { whole: 1, quick: 1 } })
const ofPart = Math.min(250, sequences)
const parts = Math.ceil(sequences / ofPart)
const root = fileURLToPath(new URL('../../..', import.meta.url))
const figures = openFigures()
const began = performance.now()
const different: string[] = []
for (let part = from; part <= parts && different.length === 0; part++) {
  const { status, stdout, stderr } = spawnSync(
    join(root, 'node_modules/.bin/vitest'),
    ['run', '--project', 'server', 'order-model', ...(part === 1 ? ['vip/subscription'] : [])],
    {
      cwd: root,
      env: { ...process.env, ORDER_SEQUENCES: String(ofPart), ORDER_SEED: String(part), GRANT_HISTORIES: '100000', NO_COLOR: '1' },
      encoding: 'utf8',
      maxBuffer: 1 << 26,
    },
  )
  if (status !== 0) {
    console.log(`${stdout}${stderr}`)
    different.push(`part ${part} (ORDER_SEED=${part})`)
  }
  const seconds = Math.round((performance.now() - began) / 1_000)
  figures.fact(`part ${part} of ${parts}, ${ofPart} histories`, `${/orders: (.*)/.exec(stdout)?.[1] ?? 'no figures'}; ${seconds} s`)
}
figures.none('parts with a history that differs from the model', different)
process.exit(figures.end())
