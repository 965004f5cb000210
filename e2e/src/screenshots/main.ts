/**
 * `npm run screenshots [-- name …]`: the product on a fresh demo market with some evenings' work in it; every screen, or those
 * named, at desktop and phone width, light and dark, as files of e2e/artefacts/screens and on one contact sheet beside them.
 * `--as narrow-light,middle-dark`: in those variants instead, of which 320 and 1024 px are drawn only where asked for.
 * `-- readme` takes the three that the READMEs show, into docs/pictures.
 * `--out before` writes into e2e/artefacts/before pictures that can be compared (compare.ts): of one evening, without motion.
 */
import { mkdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { calls } from '@convexa/contract/calls'
import type { Browser, Page } from 'playwright-core'
import { accountAt } from '../asking.ts'
import { faultsOf, launchBrowser, openContext } from '../browser.ts'
import { runToEnd, within } from '../closing.ts'
import { type FakePay, startFakePay } from '../fake-pay.ts'
import { logIn, password } from '../log-in.ts'
import { nothingOrdered, payDesk } from '../pay-desk.ts'
import { type Product, startProduct } from '../product.ts'
import { importBonds } from '../real-bonds.ts'
import { seed } from '../seed.ts'
import { drawSheet } from '../sheet.ts'
import { accountOn, ageOrdersOn, newReader, reader, startUserDesk } from '../user-desk.ts'
import { beginOnEvening, folderOf } from './comparable.ts'
import { goTo, type Scene, scenesOf } from './scenes.ts'

const variants = [
  { name: 'light', colorScheme: 'light', viewport: { width: 1440, height: 900 } },
  { name: 'dark', colorScheme: 'dark', viewport: { width: 1440, height: 900 } },
  { name: 'phone-light', colorScheme: 'light', viewport: { width: 390, height: 844 } },
  { name: 'phone-dark', colorScheme: 'dark', viewport: { width: 390, height: 844 } },
  { name: 'narrow-light', colorScheme: 'light', viewport: { width: 320, height: 568 }, asked: true },
  { name: 'narrow-dark', colorScheme: 'dark', viewport: { width: 320, height: 568 }, asked: true },
  { name: 'middle-light', colorScheme: 'light', viewport: { width: 1024, height: 768 }, asked: true },
  { name: 'middle-dark', colorScheme: 'dark', viewport: { width: 1024, height: 768 }, asked: true },
] as const
type Variant = (typeof variants)[number]

/** What the READMEs show: small files. */
const shown = [
  { file: 'workbench', scene: 'cb-screen', variant: 'light', height: 720 },
  { file: 'report', scene: 'cb-report', variant: 'light', height: 900 },
  { file: 'phone', scene: 'cb-report', variant: 'phone-light', height: 844 },
] as const
const pictures = fileURLToPath(new URL('../../../docs/pictures/', import.meta.url))
const buyer = 'buyer@example.com'
const forReadme = process.argv.includes('readme')

const { values, positionals } = parseArgs({ options: { as: { type: 'string' }, out: { type: 'string' } }, allowPositionals: true })
const folder = folderOf(values.out ?? 'screens')
/** Of the pages, where pictures are to be compared. */
const now = values.out === undefined ? null : beginOnEvening()
const asked = values.as?.split(',')
const wanted = forReadme ? shown.map(({ scene }): string => scene) : positionals
/** Of one scene in one variant. */
const mostSeconds = 180

await runToEnd(takeScreens)

async function takeScreens(): Promise<0 | 1> {
  for (const each of [folder, pictures]) mkdirSync(each, { recursive: true })
  const pay = await startFakePay()
  const product = await startProduct(300, { env: pay.env })
  const browser = await launchBrowser({ signals: false })
  const orders = wanted.length === 0 || wanted.some((name) => name.startsWith('pay-')) ? await bought(product, pay) : nothingOrdered
  const ask = await newReader(product)
  const own = await seed(ask)
  const all = scenesOf(own, orders)
  const scenes = all.filter(({ name }) => wanted.length === 0 || wanted.includes(name))
  const used = variants.filter((one) =>
    forReadme ? shown.some(({ variant }) => variant === one.name) : asked ? asked.includes(one.name) : !('asked' in one),
  )
  const take = async (some: readonly Scene[]) =>
    (await Promise.all(used.map((variant) => takeAll(browser, product.url, variant, some)))).flat()
  const faults = await take(scenes.filter(({ traded }) => !traded))
  const traded = scenes.filter((scene) => scene.traded)
  const [strategy] = own.strategies.cb
  if (traded.length > 0 && strategy) {
    // Last: bonds that count as real take the place of the demo's.
    await importBonds(product, ask)
    await ask(calls.cb.glance, { params: { id: strategy }, body: {} })
    faults.push(...(await take(traded)))
  }
  await drawSheet(
    browser,
    folder,
    scenes.map(({ name }) => ({
      title: name,
      pictures: used.map((one) => ({ file: `${name}-${one.name}`, width: one.viewport.width > 500 ? 660 : 200 })),
    })),
  )
  console.log(`${scenes.length} screens × ${used.length} in ${folder}, sheet.png shows all`)
  for (const fault of faults) console.error(fault)
  return faults.length > 0 || scenes.length === 0 ? 1 : 0
}

/** Somebody of whose orders one was paid, one forgotten, and one paid too late. */
async function bought(product: Product, pay: FakePay) {
  const desk = await startUserDesk(product.dataDir)
  await accountOn(desk.url, { address: buyer, nickname: '买家', password })
  const ordered = await payDesk(await accountAt(product.url, buyer, password), pay.url, (seconds) => ageOrdersOn(desk.url, buyer, seconds))
  await desk.stop()
  return ordered
}

/** One browser context for a variant: screens without a login first, then the reader's, then a buyer's. Returns what went wrong. */
async function takeAll(browser: Browser, url: string, variant: Variant, scenes: readonly Scene[]): Promise<string[]> {
  const { context, ...first } = await openContext(browser, url, variant.viewport)
  if (now) await context.clock.install({ time: now() })
  const visit: Visit = { page: first.page, as: null }
  const faults = [first.faults]
  const wrong: string[] = []
  for (const scene of scenes.toSorted((a, b) => place(a) - place(b))) {
    const note = (error: Error) => wrong.push(`${scene.name} (${variant.name}): ${error.message.split('\n')[0]}`)
    if (visit.page.isClosed()) {
      visit.page = await context.newPage()
      faults.push(faultsOf(visit.page))
    }
    await visit.page.emulateMedia({ colorScheme: variant.colorScheme, reducedMotion: now ? 'reduce' : null })
    // What hangs ends with its page; the next scene has another.
    await within(mostSeconds, 'the scene', takeOne(visit, variant, scene, note), () => visit.page.close()).catch(note)
  }
  await context.close()
  return [...wrong, ...faults.flat().map((fault) => `${variant.name}: ${fault}`)]
}

/** A page, and as who it has been entered. */
interface Visit {
  page: Page
  as: 'reader' | 'buyer' | null
}

async function takeOne(visit: Visit, variant: Variant, scene: Scene, note: (error: Error) => void): Promise<void> {
  await enter(visit, scene)
  const { page } = visit
  await goTo(page, scene)
  await page.waitForLoadState('networkidle').catch(note)
  await scene.before?.(page).catch(note)
  await page.waitForLoadState('networkidle').catch(note)
  // What sticks to the top stands there, whatever was pressed below.
  if (scene.whole) await page.evaluate(() => window.scrollTo(0, 0))
  // A chart draws itself when its part of the page is there.
  await page.waitForTimeout(600)
  const readme = forReadme && shown.find((one) => one.scene === scene.name && one.variant === variant.name)
  const { width } = variant.viewport
  if (readme) await page.screenshot({ path: `${pictures}${readme.file}.png`, clip: { x: 0, y: 0, width, height: readme.height } })
  await page.screenshot({ path: `${folder}${scene.name}-${variant.name}.png`, fullPage: scene.whole ?? false, animations: 'disabled' })
}

async function enter(visit: Visit, scene: Scene): Promise<void> {
  const { page } = visit
  if (scene.buyer && visit.as !== 'buyer') {
    await page.goto('/favicon.svg')
    await page.evaluate(() => localStorage.clear())
    await logIn(page, buyer, '/personal/subscription')
    visit.as = 'buyer'
  }
  if (scene.guest || scene.buyer || visit.as !== null) return
  await logIn(page, reader, '/')
  visit.as = 'reader'
  if (!scene.traded) for (const segment of ['convertible-bond', 'stock']) await useTemplate(page, segment)
}

function place({ guest, buyer }: Scene): number {
  return guest ? 0 : buyer ? 2 : 1
}

/** The workbench stands on a rule from here on, not on the choice of one. */
async function useTemplate(page: Page, segment: string): Promise<void> {
  await page.goto(`/rotation/${segment}/screen`)
  await page
    .getByRole('button', { name: /^使用模板/ })
    .first()
    .click()
  await page.getByRole('region', { name: '筛选结果' }).first().waitFor()
}
