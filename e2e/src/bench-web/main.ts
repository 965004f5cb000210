/**
 * `npm run bench:web [-- names]`: what a browser does, measured in Chromium on the built web against a real server with a wide market
 * (5,500 stocks) and one with a long market (ten years); they are made first, or ready ones are named: BENCH_DATA_DIR, BENCH_LONG_DIR.
 * One table with the goals of performance.md 2; it judges nothing. What was measured whole is written to bench/WEB.md.
 */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { cpus, loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Browser } from 'playwright-core'
import { launchBrowser } from '../browser.ts'
import { type Product, startProduct } from '../product.ts'
import { type Figure, lineOf, tableOf } from './figure.ts'
import { measureFirstLoads } from './first-load.ts'
import { measureLiveCurve } from './live.ts'
import { measurePreview } from './preview.ts'
import { measureReport } from './report.ts'
import { measureTyping } from './typing.ts'

const root = fileURLToPath(new URL('../../..', import.meta.url))

type Market = 'wide' | 'long'
/** Ready ones; what is missing is made and put away again. */
const given: Record<Market, string | undefined> = { wide: process.env['BENCH_DATA_DIR'], long: process.env['BENCH_LONG_DIR'] }

/** Those that ask a server say which market it has. */
const measures: Record<string, { market: Market | null; measure: (browser: Browser, url: string) => Promise<Figure[]> }> = {
  loads: { market: 'wide', measure: measureFirstLoads },
  live: { market: 'wide', measure: measureLiveCurve },
  typing: { market: 'wide', measure: measureTyping },
  report: { market: 'long', measure: measureReport },
  preview: { market: null, measure: measurePreview },
  grid: { market: null, measure: async () => measureGrid() },
}

/** The big table alone, with its own build: 5,500 rows × 12 columns. */
function measureGrid(): Figure[] {
  const said = execFileSync(process.execPath, ['web/scripts/bench-grid.mjs', '--json'], { cwd: root, encoding: 'utf8' })
  return JSON.parse(said) as Figure[]
}

/** Does something with a server that has this market. */
async function served<T>(market: Market, work: (url: string) => Promise<T>): Promise<T> {
  const dataDir = given[market] ?? mkdtempSync(join(tmpdir(), `convexa-${market}-`))
  let product: Product | null = null
  try {
    if (!given[market]) {
      const env = { ...process.env, NODE_ENV: '', DATA_DIR: dataDir }
      execFileSync(process.execPath, ['server/src/cli/main.ts', 'demo', '--size', market], { cwd: root, env, stdio: 'ignore' })
    }
    product = await startProduct(180, { dataDir })
    return await work(product.url)
  } finally {
    await product?.stop()
    if (!given[market]) rmSync(dataDir, { recursive: true, force: true })
  }
}

const wanted = process.argv.slice(2)
const chosen = Object.entries(measures).filter(([name]) => wanted.length === 0 || wanted.includes(name))
const figures: Figure[] = []
const missed: string[] = []
const browser = await launchBrowser()
const began = (loadavg()[0] ?? 0).toFixed(1)
try {
  for (const market of ['wide', 'long', null] as const) {
    const here = chosen.filter(([, one]) => one.market === market)
    const work = async (url: string) => {
      for (const [name, { measure }] of here) {
        const found = await measure(browser, url).catch((error: Error) => {
          // On a machine that is too busy a server refuses: the others are measured all the same.
          missed.push(`${name}: ${error.message.split('\n')[0]}`)
          return []
        })
        figures.push(...found)
        for (const figure of found) console.log(lineOf(figure))
      }
    }
    if (here.length > 0) await (market ? served(market, work) : work(''))
  }
} finally {
  await browser.close()
}
for (const one of missed) console.log(`not measured: ${one}`)
if (wanted.length === 0) writeFileSync(join(root, 'bench/WEB.md'), page(tableOf(figures)))

function page(table: string): string {
  const commit = execFileSync('git', ['rev-parse', '--short', 'HEAD'], { cwd: root, encoding: 'utf8' }).trim()
  const load = `load ${began}–${(loadavg()[0] ?? 0).toFixed(1)}`
  const machine = `${cpus()[0]?.model ?? 'unknown'} × ${cpus().length}`
  return `# The web, timed

${new Date().toISOString().slice(0, 16)}Z · commit ${commit} · ${browser.version()} · ${machine} · ${load}

${table}
${missed.map((one) => `\nNot measured: ${one}.\n`).join('')}
By the clock, on a machine that also runs the server; above a load of its number of cores times say little. The last column does not wait for others:
it is the processor time that the page's main thread took for one. Goals are those of performance.md 2 and product.md.
`
}
