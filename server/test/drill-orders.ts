import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'

// `npm run drill:orders [-- --sequences 20000 --from 1]`: the property test of orders (`flows/order-model.test.ts`) for long. In parts, each with
// a seed and a database of its own: one that was broken off goes on with `--from`. Exit 1 at the first part that finds something.

const { values } = parseArgs({ options: { sequences: { type: 'string', default: '20000' }, from: { type: 'string', default: '1' } } })
const ofPart = 250
const parts = Math.ceil(Number(values.sequences) / ofPart)
const root = fileURLToPath(new URL('../..', import.meta.url))
const began = performance.now()
for (let part = Number(values.from); part <= parts; part++) {
  const { status, stdout, stderr } = spawnSync(
    join(root, 'node_modules/.bin/vitest'),
    ['run', '--project', 'server', '--retry=0', 'server/test/flows/order-model.test.ts'],
    {
      cwd: root,
      env: { ...process.env, ORDER_SEQUENCES: String(ofPart), ORDER_SEED: String(part), NO_COLOR: '1' },
      encoding: 'utf8',
      maxBuffer: 1 << 26,
    },
  )
  if (status !== 0) {
    console.log(`${stdout}${stderr}\npart ${part} (ORDER_SEED=${part}) found something`)
    process.exit(1)
  }
  const seconds = Math.round((performance.now() - began) / 1_000)
  console.log(`${part}/${parts} ${/orders: (.*)/.exec(stdout)?.[1] ?? 'no figures'}; ${seconds} s`)
}
