import { calls } from '@convexa/contract/calls'
import type { FactorMeta } from '@convexa/contract/factor'
import type { Browser, Page } from 'playwright-core'
import { newGuest } from '../asking.ts'
import { openContext } from '../browser.ts'
import { type Figure, quantile } from './figure.ts'
import { listed } from './first-load.ts'
import { mainThreadOf } from './main-thread.ts'

const [conditions, factors] = [10, 20]
const edits = 20

/** Typing into a condition of a rule with ten of them and twenty scoring factors: until the funnel tells it, and what held the page up meanwhile. */
export async function measureTyping(browser: Browser, url: string): Promise<Figure[]> {
  const { context, page } = await openContext(browser, url)
  await page.goto('/rotation/stock/screen')
  await page.getByRole('button', { name: '进入体验账号' }).click()
  await page
    .getByRole('button', { name: /^使用模板/ })
    .first()
    .click()
  await listed(page)
  await page.evaluate(widen, { keys: await numbers(url), conditions, factors })
  await page.reload()
  await listed(page)
  const cpu = await mainThreadOf(page)
  // The first bring the browser's own screen and the columns that it needs.
  for (let i = 0; i < 3; i++) await typed(page, 90 - 10 * i, 30_000)
  await page.waitForLoadState('networkidle')
  await page.evaluate(() => {
    const seen = window as unknown as { held: number[] }
    seen.held = []
    new PerformanceObserver((list) => seen.held.push(...list.getEntries().map(({ duration }) => duration))).observe({ type: 'longtask' })
  })
  const before = await cpu()
  const times: number[] = []
  for (let i = 0; i < edits; i++) times.push(await typed(page, 60 - i * 2, 10_000))
  const each = ((await cpu()) - before) / edits
  const held = await page.evaluate(() => (window as unknown as { held: number[] }).held)
  await context.close()
  const what = `5,500 × ${conditions} × ${factors}`
  return [
    { name: `funnel after a typed number, ${what}`, value: quantile(times, 0.5), unit: 'ms p50', goal: 100, cpu: each },
    { name: `funnel after a typed number, ${what}`, value: quantile(times, 0.95), unit: 'ms p95', goal: 100 },
    { name: `longest task while typing, ${what}`, value: Math.max(0, ...held), unit: 'ms max', goal: 200 },
  ]
}

/** Factors of stocks whose values are numbers that the market has. */
async function numbers(url: string): Promise<string[]> {
  const { ask } = await newGuest(url)
  const all = (await ask(calls.stk.factors, { params: { id: 'all' } } as never)) as FactorMeta[]
  return all.filter(({ available, window, category }) => available && !window && category !== '状态').map(({ factor_key: key }) => key)
}

/** The draft that is stored, with so many conditions that exclude nobody behind one of the price, and so many scoring factors. */
function widen({ keys, conditions, factors }: { keys: string[]; conditions: number; factors: number }): void {
  const draft = JSON.parse(localStorage.getItem('stkStrategy') ?? '{}')
  const [rank] = draft.parameters.rank_factors
  const others = keys.filter((key) => key !== 'close')
  const condition = { action: 'exclude', enable: true }
  draft.parameters.filter_factors = [
    { ...condition, factor_key: 'close', operation: 'gt', value: 950 },
    ...others.slice(0, conditions - 1).map((factor_key) => ({ ...condition, factor_key, operation: 'lt', value: -1e12 })),
  ]
  draft.parameters.rank_factors = others.slice(0, factors).map((factor_key) => ({ ...rank, factor_key, weight: 1 }))
  localStorage.setItem('stkStrategy', JSON.stringify(draft))
}

/** Milliseconds from a typed number to the frame whose funnel is of it. */
function typed(page: Page, value: number, patience: number): Promise<number> {
  return page.evaluate(
    ({ value, patience }) =>
      new Promise<number>((resolve, reject) => {
        const input = document.querySelector<HTMLInputElement>('input[aria-label$="取值"]')
        const write = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set
        if (!input || !write) throw new Error('no condition')
        const words = () => document.querySelector('[data-funnel]')?.textContent
        const before = words()
        const from = performance.now()
        input.focus()
        write.call(input, String(value))
        input.dispatchEvent(new Event('input', { bubbles: true }))
        const look = () => {
          if (words() !== before) resolve(performance.now() - from)
          else if (performance.now() - from > patience) reject(new Error(`the funnel stayed at ${before} for ${value}`))
          else requestAnimationFrame(look)
        }
        requestAnimationFrame(look)
      }),
    { value, patience },
  )
}
