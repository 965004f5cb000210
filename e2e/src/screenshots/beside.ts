/**
 * `npm run screenshots:beside [-- drawing …]`: every drawing of the second set of mockups, or those named, on one picture with the screens
 * of the product that it draws, of the same width and theme: e2e/artefacts/beside/{drawing}.png, the drawing at the left. The demo market
 * is that of the default seed; its days and figures move, layout is what is compared.
 */
import { existsSync, mkdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { calls } from '@convexa/contract/calls'
import type { Report } from '@convexa/contract/report'
import type { Browser } from 'playwright-core'
import { PNG } from 'pngjs'
import type { Asking } from '../asking.ts'
import { launchBrowser } from '../browser.ts'
import { runToEnd } from '../closing.ts'
import { startProduct } from '../product.ts'
import { seed, settingsOf } from '../seed.ts'
import { newReader } from '../user-desk.ts'
import { folderOf } from './comparable.ts'
import { type Drawing, type DrawnState, drawingsOf, runOfState } from './drawings.ts'
import { takeAll, variants } from './take.ts'

const drawn = fileURLToPath(new URL('../../../../shared/design/mockups/png/', import.meta.url))
const folder = folderOf('beside')
const { positionals: wanted } = parseArgs({ allowPositionals: true })

await runToEnd(drawBeside)

async function drawBeside(): Promise<0 | 1> {
  if (!existsSync(drawn)) {
    console.log(`There are no drawings at ${drawn}: nothing is compared.`)
    return 0
  }
  mkdirSync(folder, { recursive: true })
  const product = await startProduct(300)
  const browser = await launchBrowser({ signals: false })
  const ask = await newReader(product)
  const { runs } = await seed(ask)
  const run = runs.cb.at(-1)!
  const drawings = drawingsOf({ run, code: await tradedCode(ask, run), states: await runsOfStates(ask) }).filter(
    ({ file }) => wanted.length === 0 || wanted.includes(file),
  )
  const wrong: string[] = []
  for (const variant of variants) {
    const scenes = drawings.filter((one) => one.variant === variant.name).flatMap((one) => one.scenes)
    if (scenes.length > 0) wrong.push(...(await takeAll(browser, product.url, variant, scenes, { folder, now: null })))
  }
  for (const drawing of drawings) await draw(browser, drawing)
  console.log(`${drawings.length} drawings beside the product in ${folder}`)
  for (const fault of wrong) console.error(fault)
  return wrong.length > 0 || drawings.length === 0 ? 1 : 0
}

/** The bond that the run has traded most often. */
async function tradedCode(ask: Asking, id: string): Promise<string> {
  const { trades = [] } = (await ask(calls.cb.backtestDetail, {
    params: { id, id2: 'report' },
    query: { parts: 'trades' },
  } as never)) as Partial<Report>
  const times = new Map<string, number>()
  for (const { code } of trades) times.set(code, (times.get(code) ?? 0) + 1)
  return [...times].toSorted(([a, m], [b, n]) => n - m || a.localeCompare(b))[0]![0]
}

/** One finished run of each state that is drawn. */
async function runsOfStates(ask: Asking): Promise<Record<DrawnState, string>> {
  const options = await ask(calls.reference.strategyOptions, {})
  const made: Partial<Record<DrawnState, string>> = {}
  for (const [state, { template, years }] of Object.entries(runOfState) as [DrawnState, (typeof runOfState)[DrawnState]][]) {
    const { parameters } = options.templates.find(({ name }) => name === template)!
    await ask(calls.cb.backtest, { body: { parameters, settings: settingsOf('cb', 'cb_ew', options.ranges.cb!, years), note: state } })
    const { list_items: items } = await ask(calls.quant.backtestList, {})
    made[state] = items[0]!.backtest_id
  }
  return made as Record<DrawnState, string>
}

/** The drawing at the left, its scenes at the right: under one another, those of phones side by side. */
async function draw(browser: Browser, { file, variant, scenes }: Drawing): Promise<void> {
  const { width } = variants.find(({ name }) => name === variant)!.viewport
  const drawing = PNG.sync.read(readFileSync(`${drawn}${file}.png`))
  // A page that is longer than its drawing shows as much, and a third more.
  const most = scenes.length === 1 ? Math.round((drawing.height / drawing.width) * width * 1.3) : null
  const image = (path: string, style = '') =>
    existsSync(path) ? `<img style="${style}" src="data:image/png;base64,${readFileSync(path).toString('base64')}">` : '<p>not taken</p>'
  const isPhone = width < 500
  const page = await browser.newPage({ viewport: { width: 1600, height: 1000 } })
  await page.setContent(
    `<style>body{margin:16px;width:max-content;background:#888}main,div{display:flex;gap:16px;align-items:start}div{max-height:${most === null ? 'none' : `${most}px`};overflow:hidden;flex-direction:${isPhone ? 'row' : 'column'}}</style>
<main>${image(`${drawn}${file}.png`, scenes.length === 1 ? `width:${width}px` : '')}<div>${scenes.map(({ name }) => image(`${folder}${name}-${variant}.png`, `width:${width}px`)).join('')}</div></main>`,
  )
  await page.locator('body').screenshot({ path: `${folder}${file}.png` })
  await page.close()
}
