/**
 * `npm run screenshots [-- name …]`: the product on a fresh demo market with some evenings' work in it; every screen, or those
 * named, at desktop and phone width, light and dark, as files of e2e/artefacts/screens and on one contact sheet beside them.
 */
import { mkdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Browser, Page } from 'playwright-core'
import { launchBrowser, openContext } from '../browser.ts'
import { startProduct } from '../product.ts'
import { demoAccount, seed } from '../seed.ts'
import { type Scene, scenesOf } from './scenes.ts'

const folder = fileURLToPath(new URL('../../artefacts/screens/', import.meta.url))
const variants = [
  { name: 'light', colorScheme: 'light', viewport: { width: 1440, height: 900 } },
  { name: 'dark', colorScheme: 'dark', viewport: { width: 1440, height: 900 } },
  { name: 'phone-light', colorScheme: 'light', viewport: { width: 390, height: 844 } },
  { name: 'phone-dark', colorScheme: 'dark', viewport: { width: 390, height: 844 } },
] as const
type Variant = (typeof variants)[number]

const wanted = process.argv.slice(2)
mkdirSync(folder, { recursive: true })
const product = await startProduct()
const browser = await launchBrowser()
try {
  const all = scenesOf(await seed(await demoAccount(product.url)))
  const scenes = all.filter(({ name }) => wanted.length === 0 || wanted.includes(name))
  const faults = (await Promise.all(variants.map((variant) => takeAll(browser, variant, scenes)))).flat()
  await drawSheet(browser, scenes)
  console.log(`${scenes.length} screens × ${variants.length} in e2e/artefacts/screens, sheet.png shows all`)
  for (const fault of faults) console.error(fault)
  process.exitCode = faults.length > 0 ? 1 : 0
} finally {
  await browser.close()
  await product.stop()
}

/** One browser context for a variant: a guest's screens first, then those of the demo account. Returns what went wrong. */
async function takeAll(browser: Browser, variant: Variant, scenes: readonly Scene[]): Promise<string[]> {
  const { context, page, faults } = await openContext(browser, product.url, variant.viewport)
  await page.emulateMedia({ colorScheme: variant.colorScheme })
  const wrong: string[] = []
  let entered = false
  for (const scene of scenes.toSorted((a, b) => Number(b.guest ?? false) - Number(a.guest ?? false))) {
    if (!scene.guest && !entered) {
      await page.goto('/login')
      await page.getByRole('button', { name: '进入体验账号' }).click()
      await page.waitForURL((url) => url.pathname !== '/login')
      for (const segment of ['convertible-bond', 'stock']) await useTemplate(page, segment)
      entered = true
    }
    const note = (error: Error) => wrong.push(`${scene.name} (${variant.name}): ${error.message.split('\n')[0]}`)
    await page.goto(scene.path)
    await page.waitForLoadState('networkidle').catch(note)
    await scene.before?.(page).catch(note)
    await page.waitForLoadState('networkidle').catch(note)
    // A chart draws itself when its part of the page is there.
    await page.waitForTimeout(600)
    await page.screenshot({ path: `${folder}${scene.name}-${variant.name}.png`, fullPage: scene.whole ?? false })
  }
  await context.close()
  return [...wrong, ...faults.map((fault) => `${variant.name}: ${fault}`)]
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

async function drawSheet(browser: Browser, scenes: readonly Scene[]): Promise<void> {
  const page = await browser.newPage({ viewport: { width: 1800, height: 1000 } })
  const data = (name: string) => `data:image/png;base64,${readFileSync(`${folder}${name}.png`).toString('base64')}`
  const row = ({ name }: Scene) =>
    `<h2>${name}</h2><div>${variants.map((variant) => `<img src="${data(`${name}-${variant.name}`)}">`).join('')}</div>`
  await page.setContent(
    `<style>body{font:14px sans-serif;margin:16px}div{display:flex;gap:12px;align-items:flex-start}img{border:1px solid #999;width:200px;height:430px;object-fit:cover;object-position:top left}img:nth-child(-n+2){width:660px}h2{font-size:14px;margin:12px 0 4px}</style>${scenes.map(row).join('')}`,
  )
  await page.screenshot({ path: `${folder}sheet.png`, fullPage: true })
}
