/**
 * `npm run states [-- words]`: every screen of the matrix, or those whose name has one of the words, while its content does not come.
 * Pictures at desktop and phone width are files of e2e/artefacts/states, and one sheet beside them.
 */
import { mkdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { launchBrowser, openContext } from '../browser.ts'
import { runToEnd, within } from '../closing.ts'
import { logIn } from '../log-in.ts'
import { startProduct } from '../product.ts'
import { seed } from '../seed.ts'
import { drawSheet } from '../sheet.ts'
import { newReader, reader } from '../user-desk.ts'
import { matrixOf } from './matrix.ts'
import { states, walk } from './walk.ts'

const folder = fileURLToPath(new URL('../../artefacts/states/', import.meta.url))
const variants = [
  { name: 'desktop', viewport: { width: 1440, height: 900 }, colorScheme: 'light' },
  { name: 'phone', viewport: { width: 390, height: 844 }, colorScheme: 'dark' },
] as const

const words = process.argv.slice(2)
/** Of one screen in one variant. */
const mostSeconds = 180

await runToEnd(takeStates)

async function takeStates(): Promise<0 | 1> {
  mkdirSync(folder, { recursive: true })
  const product = await startProduct()
  const browser = await launchBrowser({ signals: false })
  const saved = await seed(await newReader(product), { kinds: ['cb'], each: 2 })
  const rows = matrixOf(saved).filter(({ screen }) => words.length === 0 || words.some((word) => screen.includes(word)))
  const wrong: string[] = []
  for (const { name, viewport, colorScheme } of variants) {
    const { context, page } = await openContext(browser, product.url, viewport)
    await logIn(page, reader, '/rotation/convertible-bond/screen')
    await page.getByRole('button', { name: '使用模板经典双低' }).click()
    await page.getByRole('region', { name: '筛选结果' }).waitFor()
    await page.close()
    await context.clock.install()
    for (const row of rows) {
      const each = await context.newPage()
      each.setDefaultTimeout(15_000)
      await each.emulateMedia({ colorScheme })
      const picture = (state: string) => each.screenshot({ path: `${folder}${fileOf(row.screen, state, name)}.png` })
      await within(mostSeconds, 'the screen', walk(each, row, picture), () => each.close()).catch((error: Error) =>
        wrong.push(`${row.screen} (${name}): ${error.message.split('\n')[0]}`),
      )
      await each.close()
    }
    await context.close()
  }
  await drawSheet(
    browser,
    folder,
    rows.map(({ screen }) => ({
      title: screen,
      pictures: variants.flatMap(({ name, viewport }) =>
        states.map((state) => ({ file: fileOf(screen, state, name), width: viewport.width > 500 ? 480 : 130 })),
      ),
    })),
  )
  console.log(`${rows.length} screens × ${variants.length} in e2e/artefacts/states, sheet.png shows all`)
  for (const one of wrong) console.error(one)
  return wrong.length > 0 || rows.length === 0 ? 1 : 0
}

function fileOf(screen: string, state: string, variant: string): string {
  return `${screen.replaceAll(' · ', '-')}-${state}-${variant}`
}
