// Takes pictures of scenes: a browser context for each variant, in which every scene is opened, made ready and photographed.
import type { Browser, Page } from 'playwright-core'
import { faultsOf, openContext } from '../browser.ts'
import { within } from '../closing.ts'
import { logIn } from '../log-in.ts'
import { reader } from '../user-desk.ts'
import { goTo, type Scene } from './scenes.ts'

/** Widths and themes; those with `asked` are drawn only where they are named. */
export const variants = [
  { name: 'light', colorScheme: 'light', viewport: { width: 1440, height: 900 } },
  { name: 'dark', colorScheme: 'dark', viewport: { width: 1440, height: 900 } },
  { name: 'phone-light', colorScheme: 'light', viewport: { width: 390, height: 844 } },
  { name: 'phone-dark', colorScheme: 'dark', viewport: { width: 390, height: 844 } },
  { name: 'narrow-light', colorScheme: 'light', viewport: { width: 320, height: 568 }, asked: true },
  { name: 'narrow-dark', colorScheme: 'dark', viewport: { width: 320, height: 568 }, asked: true },
  { name: 'middle-light', colorScheme: 'light', viewport: { width: 1024, height: 768 }, asked: true },
  { name: 'middle-dark', colorScheme: 'dark', viewport: { width: 1024, height: 768 }, asked: true },
] as const
export type Variant = (typeof variants)[number]

/** How the pictures of a set are taken. */
export interface Taking {
  /** With a slash at its end. */
  folder: string
  /** The clock of the pages, where pictures are to be compared: then nothing moves either. */
  now: (() => Date) | null
  /** Called when a scene stands, before its picture is taken. */
  onScene?: (page: Page, scene: Scene, variant: Variant) => Promise<unknown>
}

/** Of one scene in one variant. */
const mostSeconds = 180
/** Somebody who has bought, and who seldom does anything else. */
export const buyer = 'buyer@example.com'

/**
 * Takes `{scene}-{variant}.png` of every scene in one browser context: screens without a login first, then the reader's, then a buyer's.
 * @returns what went wrong
 */
export async function takeAll(
  browser: Browser,
  url: string,
  variant: Variant,
  scenes: readonly Scene[],
  taking: Taking,
): Promise<string[]> {
  const { now } = taking
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
    await within(mostSeconds, 'the scene', takeOne(visit, variant, scene, taking, note), () => visit.page.close()).catch(note)
  }
  await context.close()
  return [...wrong, ...faults.flat().map((fault) => `${variant.name}: ${fault}`)]
}

/** A page, and as who it has been entered. */
interface Visit {
  page: Page
  as: 'reader' | 'buyer' | null
}

async function takeOne(visit: Visit, variant: Variant, scene: Scene, taking: Taking, note: (error: Error) => void): Promise<void> {
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
  await taking.onScene?.(page, scene, variant)
  const as = { path: `${taking.folder}${scene.name}-${variant.name}.png`, animations: 'disabled' } as const
  await (scene.part ? scene.part(page).screenshot(as) : page.screenshot({ ...as, fullPage: scene.whole ?? false }))
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
