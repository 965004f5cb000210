/**
 * `npm run drill:browsers [-- --quick]`: the site in browsers of 2023, really run: login, screen, backtest and report in Chromium 109 and 114
 * beside today's, once in dark, with a picture of each scene and all of them on a sheet (e2e/artefacts/browsers); the sentence in 89; 106 is
 * shown, not promised. `--quick`: 89 and 109. They are fetched by `npm pack` into a folder outside git; exit 1 where one is missing or fails.
 * Safari, Firefox and WeChat's own are not to be had: for them web/scripts/compat.mjs speaks.
 */
import { mkdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Browser } from 'playwright-core'
import { launchBrowser, openContext } from '../browser.ts'
import { runToEnd, within } from '../closing.ts'
import { startProduct } from '../product.ts'
import { drawSheet } from '../sheet.ts'
import { chromiums, launchOld, type Version } from './chromium.ts'
import { walkThrough } from './story.ts'

const folder = fileURLToPath(new URL('../../artefacts/browsers/', import.meta.url))
const quick = process.argv.includes('--quick')
/** Backdrops and mixed colours are what an old engine draws otherwise: one walk is in dark. */
const walks: readonly { version: Version; dark?: true }[] = quick
  ? [{ version: 109 }]
  : [{ version: 109 }, { version: 109, dark: true }, { version: 114 }, { version: 106 }]
const unpromised = 106
const sentence = '浏览器版本过旧，请用 Chrome 109、Edge 109、Safari 16.4、Firefox 128 或更新版本打开'
const mostSeconds = 240

/** What Chromium of that time says of itself: a policy for what it tried out then, and the attribute that it came to have. */
const isBrowsers = (fault: string) => /Origin trial controlled feature|Found a 'popover' attribute/.test(fault)

await runToEnd(drill)

async function drill(): Promise<0 | 1> {
  mkdirSync(folder, { recursive: true })
  const product = await startProduct(300, { demo: 'small' })
  const lines: string[] = []
  const scenes = new Set<string>()
  let failed = 0
  const judge = async (name: string, promised: boolean, work: () => Promise<unknown>) => {
    const wrong = await work().then(
      () => null,
      (error: Error) => error.message.split('\n')[0],
    )
    if (wrong && promised) failed++
    lines.push(`${wrong ? (promised ? 'FAILED' : 'not so') : 'ok    '} ${name}${wrong ? `: ${wrong}` : ''}`)
    console.log(lines.at(-1))
  }
  const story = async (name: string, browser: Browser, dark = false) => {
    const { context, page, faults } = await openContext(browser, product.url)
    if (dark) await page.emulateMedia({ colorScheme: 'dark' })
    page.setDefaultTimeout(30_000)
    const shot = (scene: string) => {
      scenes.add(scene)
      return page.screenshot({ path: `${folder}${scene}-${name}.png` })
    }
    try {
      await within(mostSeconds, 'the walk', walkThrough(page, shot), () => page.close())
    } catch (error) {
      await page.screenshot({ path: `${folder}failed-${name}.png` }).catch(() => {})
      throw error
    }
    await context.close()
    const own = faults.filter((fault) => !isBrowsers(fault))
    if (own.length > 0) throw new Error(`faults on the console: ${own.join(' | ')}`)
  }
  for (const { version, dark } of walks) {
    const name = `${version}${dark ? '-dark' : ''}`
    await judge(`Chromium ${name}`, version !== unpromised, async () => story(name, await launchOld(version), dark))
  }
  const today = await launchBrowser({ signals: false })
  await judge(`Chromium ${today.version()}`, true, () => story('today', today))
  await judge('Chromium 89: the sentence', true, async () => {
    const browser = await launchOld(89)
    const page = await browser.newPage({ viewport: { width: 1440, height: 900 } })
    await page.goto(`${product.url}/login`)
    await page.waitForFunction((text) => document.body.innerText.includes(text), sentence, { timeout: 30_000 })
    await page.screenshot({ path: `${folder}sentence-89.png` })
  })
  const names = ['today', ...walks.map(({ version, dark }) => `${version}${dark ? '-dark' : ''}`)]
  const rows = [...scenes].map((title) => ({ title, pictures: names.map((name) => ({ file: `${title}-${name}`, width: 688 })) }))
  await drawSheet(today, folder, [...rows, { title: 'Chromium 89', pictures: [{ file: 'sentence-89', width: 688 }] }])
  console.log(
    `\npictures: ${folder}sheet.png\n${lines.length - failed} passed, ${failed} failed; fetched: ${Object.values(chromiums).join(', ')}`,
  )
  return failed === 0 ? 0 : 1
}
