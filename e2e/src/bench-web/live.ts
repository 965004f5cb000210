import type { Browser, Page } from 'playwright-core'
import { openContext } from '../browser.ts'
import { type Figure, quantile } from './figure.ts'
import { mainThreadOf } from './main-thread.ts'

const edits = 20

/** From a typed number to the curve's own numbers of it, the server's work and the way there and back included. */
export async function measureLiveCurve(browser: Browser, url: string): Promise<Figure[]> {
  const { context, page } = await openContext(browser, url)
  await page.goto('/rotation/convertible-bond/screen')
  await page.getByRole('button', { name: '进入体验账号' }).click()
  await page.getByRole('button', { name: /使用模板经典双低/ }).click()
  const annual = page.getByRole('region', { name: '净值速览' }).locator('dd').first()
  await annual.getByText(/%$/).waitFor({ timeout: 90_000 })
  // The first of a kind warms the server up.
  for (let i = 0; i < 3; i++) await followed(page, 11 + i)
  const cpu = await mainThreadOf(page)
  const before = await cpu()
  const times: number[] = []
  for (let i = 0; i < edits; i++) times.push(await followed(page, 14 + i))
  const each = ((await cpu()) - before) / edits
  await context.close()
  return [
    { name: 'live curve after an edit, end to end', value: quantile(times, 0.5), unit: 'ms p50', goal: 300, cpu: each },
    { name: 'live curve after an edit, end to end', value: quantile(times, 0.95), unit: 'ms p95', goal: 300 },
  ]
}

/** Holds so many instead: milliseconds until the frame that shows numbers of a new curve. */
function followed(page: Page, hold: number): Promise<number> {
  return page.evaluate(
    (hold) =>
      new Promise<number>((resolve) => {
        const input = document.querySelector<HTMLInputElement>('input[aria-label="持有区间止"]')
        const card = document.querySelector('section[aria-label="净值速览"]')
        const write = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set
        if (!input || !card || !write) throw new Error('no builder')
        const words = () => card.querySelector('dl')?.textContent
        const before = words()
        const from = performance.now()
        write.call(input, String(hold))
        input.dispatchEvent(new Event('input', { bubbles: true }))
        input.dispatchEvent(new FocusEvent('focusout', { bubbles: true }))
        const look = () => {
          if (words() !== before || performance.now() - from > 10_000) resolve(performance.now() - from)
          else requestAnimationFrame(look)
        }
        requestAnimationFrame(look)
      }),
    hold,
  )
}
