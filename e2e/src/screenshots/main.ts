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
import type { Page } from 'playwright-core'
import { accountAt } from '../asking.ts'
import { launchBrowser } from '../browser.ts'
import { runToEnd } from '../closing.ts'
import { type FakePay, startFakePay } from '../fake-pay.ts'
import { password } from '../log-in.ts'
import { nothingOrdered, payDesk } from '../pay-desk.ts'
import { type Product, startProduct } from '../product.ts'
import { importBonds } from '../real-bonds.ts'
import { seed } from '../seed.ts'
import { drawSheet } from '../sheet.ts'
import { accountOn, ageOrdersOn, newReader, startUserDesk } from '../user-desk.ts'
import { beginOnEvening, folderOf } from './comparable.ts'
import { type Scene, scenesOf } from './scenes.ts'
import { buyer, takeAll, type Variant, variants } from './take.ts'

/** What the READMEs show: small files. */
const shown = [
  { file: 'workbench', scene: 'cb-screen', variant: 'light', height: 720 },
  { file: 'report', scene: 'cb-report', variant: 'light', height: 900 },
  { file: 'phone', scene: 'cb-report', variant: 'phone-light', height: 844 },
] as const
const pictures = fileURLToPath(new URL('../../../docs/pictures/', import.meta.url))
const forReadme = process.argv.includes('readme')

const { values, positionals } = parseArgs({ options: { as: { type: 'string' }, out: { type: 'string' } }, allowPositionals: true })
const folder = folderOf(values.out ?? 'screens')
/** Of the pages, where pictures are to be compared. */
const now = values.out === undefined ? null : beginOnEvening()
const asked = values.as?.split(',')
const wanted = forReadme ? shown.map(({ scene }): string => scene) : positionals

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
    (await Promise.all(used.map((variant) => takeAll(browser, product.url, variant, some, { folder, now, onScene: takeForReadme })))).flat()
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

async function takeForReadme(page: Page, scene: Scene, variant: Variant): Promise<void> {
  const readme = forReadme && shown.find((one) => one.scene === scene.name && one.variant === variant.name)
  const { width } = variant.viewport
  if (readme) await page.screenshot({ path: `${pictures}${readme.file}.png`, clip: { x: 0, y: 0, width, height: readme.height } })
}

/** Somebody of whose orders one was paid, one forgotten, and one paid too late. */
async function bought(product: Product, pay: FakePay) {
  const desk = await startUserDesk(product.dataDir)
  await accountOn(desk.url, { address: buyer, nickname: '买家', password })
  const ordered = await payDesk(await accountAt(product.url, buyer, password), pay.url, (seconds) => ageOrdersOn(desk.url, buyer, seconds))
  await desk.stop()
  return ordered
}
