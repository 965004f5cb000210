// The drawings of the second set of mockups, and beside each the scenes that show the same screen of the product.
import type { Page } from 'playwright-core'
import type { Scene } from './scenes.ts'
import type { Variant } from './take.ts'

/** What the demo market and an account must hold for these scenes. */
export interface Drawn {
  /** A finished run of a saved strategy of bonds, and a bond that it has traded. */
  run: string
  code: string
  /** Finished runs, by the state of their answer that is drawn. */
  states: Readonly<Record<DrawnState, string>>
}

export type DrawnState = 'no' | 'unclear' | 'yes' | 'short'

export interface Drawing {
  /** A file of the mockups without its ending. */
  file: string
  variant: Variant['name']
  /** A drawing of several states or cards has as many. */
  scenes: readonly Scene[]
}

/** The template that is run for each state, and how many years; half a year is too short for an answer. */
export const runOfState: Readonly<Record<DrawnState, { template: string; years: number }>> = {
  no: { template: '小盘低价', years: 5 },
  unclear: { template: '三低', years: 5 },
  yes: { template: '经典双低', years: 5 },
  short: { template: '高到期收益率', years: 0.5 },
}

const report = (id: string) => `/rotation/convertible-bond/backtest/${id}`
const whole = true

export function drawingsOf({ run, code, states }: Drawn): Drawing[] {
  const security = `/security/cb/${code}?run=${run}`
  const inTwoThemes = (file: string, scenes: readonly Scene[]): Drawing[] => [
    { file, variant: 'light', scenes },
    { file: `${file}-dark`, variant: 'dark', scenes },
  ]
  return [
    ...inTwoThemes('report-head', [{ name: 'drawn-report-head', path: report(run), before: charts, whole }]),
    {
      file: 'report-head-states',
      variant: 'light',
      scenes: (['no', 'unclear', 'yes', 'short'] as const).map((state) => ({
        name: `drawn-head-${state}`,
        path: report(states[state]),
        before: charts,
      })),
    },
    {
      file: 'phone-report-story',
      variant: 'phone-light',
      scenes: ['结论', '钱的曲线', '最难熬', '年月', '现在持有', '靠谱吗'].map((card, at) => ({
        name: `drawn-story-${at + 1}`,
        path: report(run),
        before: (page) => jumpTo(page, card),
      })),
    },
    {
      file: 'report-pictures',
      variant: 'light',
      scenes: ['分年收益', '打乱次序重演 1,000 次', '试得越多，运气越容易好看', '哪个月买、拿多久', '手里拿的是什么样的转债'].map(
        (card, at) => ({
          name: `drawn-picture-${at + 1}`,
          path: report(run),
          before: (page) => comeNear(page, card),
          part: (page) => cardOf(page, card),
        }),
      ),
    },
    ...inTwoThemes('security', [{ name: 'drawn-security', path: security, before: charts, whole }]),
    { file: 'phone-security', variant: 'phone-light', scenes: [{ name: 'drawn-phone-security', path: security, before: charts }] },
    {
      file: 'phone-security-full',
      variant: 'phone-light',
      scenes: [{ name: 'drawn-phone-security-full', path: security, before: charts, whole }],
    },
    {
      file: 'market-map',
      variant: 'light',
      scenes: [{ name: 'drawn-market-map', path: '/rotation/convertible-bond/screen', before: openMap }],
    },
    { file: 'landing', variant: 'light', scenes: [{ name: 'drawn-landing', path: '/login', guest: true }] },
    { file: 'templates-wall', variant: 'light', scenes: [{ name: 'drawn-templates', path: '/templates', whole }] },
    ...inTwoThemes('morning', [{ name: 'drawn-morning', path: '/', before: charts, whole }]),
    { file: 'phone-morning', variant: 'phone-light', scenes: [{ name: 'drawn-phone-morning', path: '/', before: charts, whole }] },
  ]
}

const charts = (page: Page) => page.locator('main canvas').first().waitFor({ timeout: 60_000 })

const cardOf = (page: Page, name: string) => page.getByRole('region', { name }).first()

/** Parts far below are drawn when they come near. */
async function comeNear(page: Page, card: string): Promise<void> {
  await charts(page)
  const found = cardOf(page, card)
  for (let steps = 0; steps < 60 && (await found.count()) === 0; steps++) {
    await page.mouse.wheel(0, 800)
    await page.waitForTimeout(150)
  }
  await found.scrollIntoViewIfNeeded()
  await page.waitForTimeout(800)
}

async function jumpTo(page: Page, card: string): Promise<void> {
  await charts(page)
  await page.getByRole('navigation').getByRole('link', { name: card, exact: true }).click()
  await page.waitForTimeout(800)
}

async function openMap(page: Page): Promise<void> {
  await page.getByRole('region', { name: '筛选结果' }).getByText('演示转债').first().waitFor({ timeout: 60_000 })
  await page.keyboard.press('m')
  await page.waitForTimeout(800)
}
