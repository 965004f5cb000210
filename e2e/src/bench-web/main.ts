/**
 * `npm run bench:web [-- names]`: what a browser does, measured in Chromium on the built web against a real server with a wide market
 * (5,500 stocks; made first, or a ready one: BENCH_DATA_DIR). One table with the goals of performance.md 2; it judges nothing.
 */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Browser } from 'playwright-core'
import { launchBrowser } from '../browser.ts'
import { type Product, startProduct } from '../product.ts'
import { type Figure, lineOf } from './figure.ts'
import { measureFirstLoads } from './first-load.ts'
import { measureLiveCurve } from './live.ts'
import { measurePreview } from './preview.ts'
import { measureReport } from './report.ts'

const root = fileURLToPath(new URL('../../..', import.meta.url))

/** Those that ask a server are begun with one. */
const measures: Record<string, { served: boolean; measure: (browser: Browser, url: string) => Promise<Figure[]> }> = {
  loads: { served: true, measure: measureFirstLoads },
  live: { served: true, measure: measureLiveCurve },
  report: { served: true, measure: measureReport },
  preview: { served: false, measure: measurePreview },
  grid: { served: false, measure: async () => measureGrid() },
}

/** The big table alone, with its own build: 5,500 rows × 12 columns. */
function measureGrid(): Figure[] {
  const said = execFileSync(process.execPath, ['web/scripts/bench-grid.mjs', '--json'], { cwd: root, encoding: 'utf8' })
  return JSON.parse(said) as Figure[]
}

const wanted = process.argv.slice(2)
const chosen = Object.entries(measures).filter(([name]) => wanted.length === 0 || wanted.includes(name))
const given = process.env['BENCH_DATA_DIR']
const dataDir = given ?? mkdtempSync(join(tmpdir(), 'convexa-wide-'))
let product: Product | null = null
const browser = await launchBrowser()
try {
  if (chosen.some(([, { served }]) => served)) {
    if (!given) {
      const env = { ...process.env, NODE_ENV: '', DATA_DIR: dataDir }
      execFileSync(process.execPath, ['server/src/cli/main.ts', 'demo', '--size', 'wide'], { cwd: root, env, stdio: 'ignore' })
    }
    product = await startProduct(180, { dataDir })
  }
  for (const [, { measure }] of chosen) for (const figure of await measure(browser, product?.url ?? '')) console.log(lineOf(figure))
} finally {
  await browser.close()
  await product?.stop()
  if (!given) rmSync(dataDir, { recursive: true, force: true })
}
