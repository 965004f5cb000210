import { calls } from '@convexa/contract/calls'
import type { Report } from '@convexa/contract/report'
import type { Browser } from 'playwright-core'
import { openContext } from '../browser.ts'
import { type Asking, demoAccount, settingsOf } from '../seed.ts'
import { type Figure, median } from './figure.ts'

const tries = 5

/** From the report's answer to the frame with its conclusion and the chart of its net value; the page's code is there already. */
export async function measureReport(browser: Browser, url: string): Promise<Figure[]> {
  const ask = await demoAccount(url)
  const id = await longRun(ask)
  const whole = (await ask(calls.stk.backtestDetail, { params: { id, date: 'report' } as never })) as Report
  const days = whole.curves.dates.length
  const { context, page } = await openContext(browser, url)
  await page.goto('/personal/backtest-history')
  await page.getByRole('button', { name: '进入体验账号' }).click()
  await page.waitForURL((address) => address.pathname !== '/login')
  const times: number[] = []
  for (let i = 0; i <= tries; i++) {
    await page.goto('/personal/backtest-history')
    await page.waitForLoadState('networkidle')
    await page.evaluate(() => {
      const seen = window as unknown as { painted: Promise<number> }
      seen.painted = new Promise((resolve) => {
        const look = () => {
          const canvas = document.querySelector('#overview canvas')
          if (canvas && document.querySelector('.conclusion-number b'))
            requestAnimationFrame(() => setTimeout(() => resolve(performance.now())))
          else requestAnimationFrame(look)
        }
        look()
      })
    })
    // As a link does: the address changes, nothing is loaded anew.
    await page.evaluate((path) => {
      history.pushState(null, '', path)
      dispatchEvent(new PopStateEvent('popstate'))
    }, `/rotation/stock/backtest/${id}`)
    times.push(
      await page.evaluate(async () => {
        const at = await (window as unknown as { painted: Promise<number> }).painted
        const answers = performance
          .getEntriesByType('resource')
          .filter(({ name }) => name.includes('/detail/report')) as PerformanceResourceTiming[]
        return at - (answers.at(-1)?.responseEnd ?? Number.NaN)
      }),
    )
  }
  await context.close()
  // The first also loads the chart's code.
  return [{ name: `report of ${days} days × 3 series, first paint`, value: median(times.slice(1)), unit: 'ms', goal: 400 }]
}

/** A run over all days that the stocks have. */
async function longRun(ask: Asking): Promise<string> {
  const { templates, ranges, benchmarks } = await ask(calls.reference.strategyOptions, {})
  const template = templates.find(({ kind, parameters }) => kind === 'stk' && parameters.rank_factors.length > 0)
  const benchmark = benchmarks.find(({ kind, available }) => kind === 'stk' && available)?.value ?? 'stk_ew'
  if (!template || !ranges.stk) throw new Error('no stocks')
  await ask(calls.stk.backtest, { body: { parameters: template.parameters, settings: settingsOf('stk', benchmark, ranges.stk, 10) } })
  const { list_items: runs } = await ask(calls.quant.backtestList, { query: { kind: 'stk', limit: 1 } })
  const [run] = runs
  if (!run) throw new Error('no run')
  return run.backtest_id
}
