/**
 * `npm run bench:web [-- names]`: what a browser does, measured in Chromium on the built web against a real server with a wide market
 * (5,500 stocks) and one with a long market (ten years); they are made first, or ready ones are named: BENCH_DATA_DIR, BENCH_LONG_DIR.
 * One table with the goals of performance.md 2; it judges nothing. What was measured whole is written to bench/WEB.md.
 */
import { execFile, execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { cpus, loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { Browser } from 'playwright-core'
import { launchBrowser } from '../browser.ts'
import { endLater, runToEnd, within } from '../closing.ts'
import { convexa } from '../command-line.ts'
import { startProduct } from '../product.ts'
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
  grid: { market: null, measure: measureGrid },
}

/** The big table alone, with its own build: 5,500 rows × 12 columns. */
async function measureGrid(): Promise<Figure[]> {
  const running = promisify(execFile)(process.execPath, ['web/scripts/bench-grid.mjs', '--json'], { cwd: root, encoding: 'utf8' })
  const stop = endLater(async () => {
    running.child.kill()
    await running.catch(() => {})
  })
  const { stdout } = await running.finally(stop)
  return JSON.parse(stdout) as Figure[]
}

/** Does something with a server that has this market. */
async function served(market: Market, work: (url: string) => Promise<void>): Promise<void> {
  const dataDir = given[market] ?? mkdtempSync(join(tmpdir(), `convexa-${market}-`))
  const remove = endLater(() => {
    if (!given[market]) rmSync(dataDir, { recursive: true, force: true })
  })
  if (!given[market]) await convexa(dataDir, ['demo', '--size', market])
  const product = await startProduct(180, { dataDir })
  await work(product.url)
  await product.stop()
  await remove()
}

const wanted = process.argv.slice(2)
const chosen = Object.entries(measures).filter(([name]) => wanted.length === 0 || wanted.includes(name))
const figures: Figure[] = []
const missed: string[] = []
/** Of one measure; what hangs is not measured. */
const mostSeconds = 900

await runToEnd(measureAll)

async function measureAll(): Promise<0 | 1> {
  const browser = await launchBrowser({ signals: false })
  const began = (loadavg()[0] ?? 0).toFixed(1)
  for (const market of ['wide', 'long', null] as const) {
    const here = chosen.filter(([, one]) => one.market === market)
    const work = async (url: string) => {
      for (const [name, { measure }] of here) {
        const closePages = () => Promise.all(browser.contexts().map((context) => context.close()))
        const found = await within(mostSeconds, name, measure(browser, url), closePages).catch((error: Error) => {
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
  for (const one of missed) console.log(`not measured: ${one}`)
  if (wanted.length === 0) writeFileSync(join(root, 'bench/WEB.md'), page(tableOf(figures), browser.version(), began))
  return missed.length > 0 || chosen.length === 0 ? 1 : 0
}

function page(table: string, version: string, began: string): string {
  const commit = execFileSync('git', ['rev-parse', '--short', 'HEAD'], { cwd: root, encoding: 'utf8' }).trim()
  const load = `load ${began}–${(loadavg()[0] ?? 0).toFixed(1)}`
  const machine = `${cpus()[0]?.model ?? 'unknown'} × ${cpus().length}`
  return `# The web, timed

${new Date().toISOString().slice(0, 16)}Z · commit ${commit} · ${version} · ${machine} · ${load}

${table}
${missed.map((one) => `\nNot measured: ${one}.\n`).join('')}
By the clock, on a machine that also runs the server; above a load of its number of cores times say little. The last column does not wait for others:
it is the processor time that the page's main thread took for one. Goals are those of performance.md 2 and product.md.
`
}
