import { calls } from '@convexa/contract/calls'
import type { Report } from '@convexa/contract/report'
import type { Browser } from 'playwright-core'
import { type Asking, newGuest } from '../asking.ts'
import { openContext } from '../browser.ts'
import { comeAs } from '../log-in.ts'
import { settingsOf } from '../seed.ts'
import { type Figure, median } from './figure.ts'
import { mainThreadOf } from './main-thread.ts'

const tries = 5
const years = 8

/**
 * From the report's answer to the frame with its conclusion, and to the one with the chart of its net value too; the page's code is
 * there already. Its processor time is that of all from the link to that frame: leaving a page, the skeleton, reading 4 MB of JSON.
 */
export async function measureReport(browser: Browser, url: string): Promise<Figure[]> {
  const { ask, tokens } = await newGuest(url)
  const id = await longRun(ask)
  const whole = (await ask(calls.stk.backtestDetail, { params: { id, date: 'report' } as never })) as Report
  const days = whole.curves.dates.length
  const { context, page } = await openContext(browser, url)
  await comeAs(page, tokens, '/personal/backtest-history')
  const cpu = await mainThreadOf(page)
  const words: number[] = []
  const charts: number[] = []
  const works: number[] = []
  for (let i = 0; i <= tries; i++) {
    await page.goto('/personal/backtest-history')
    await page.waitForLoadState('networkidle')
    await page.evaluate(() => {
      const seen = window as unknown as { told: Promise<number>; painted: Promise<number> }
      const drawn = (...parts: string[]) =>
        new Promise<number>((resolve) => {
          const look = () => {
            if (parts.every((part) => document.querySelector(part)))
              requestAnimationFrame(() => setTimeout(() => resolve(performance.now())))
            else requestAnimationFrame(look)
          }
          look()
        })
      // The skeleton has a conclusion too, without a name.
      seen.told = drawn('.conclusion[aria-label]')
      seen.painted = drawn('.conclusion[aria-label]', '#overview canvas')
    })
    const before = await cpu()
    // As a link does: the address changes, nothing is loaded anew.
    await page.evaluate((path) => {
      history.pushState(null, '', path)
      dispatchEvent(new PopStateEvent('popstate'))
    }, `/rotation/stock/backtest/${id}`)
    const at = await page.evaluate(async () => {
      const { told, painted } = window as unknown as { told: Promise<number>; painted: Promise<number> }
      const [words, chart] = [await told, await painted]
      const answers = performance
        .getEntriesByType('resource')
        .filter(({ name }) => name.endsWith('/detail/report?parts=core')) as PerformanceResourceTiming[]
      const from = answers.at(-1)?.responseEnd ?? Number.NaN
      return { words: words - from, chart: chart - from }
    })
    works.push((await cpu()) - before)
    words.push(at.words)
    charts.push(at.chart)
  }
  await context.close()
  // The first also loads the chart's code.
  const what = `report of ${days} days × 3 series`
  return [
    { name: `${what}, conclusion`, value: median(words.slice(1)), unit: 'ms', goal: 400 },
    { name: `${what}, first paint with its chart`, value: median(charts.slice(1)), unit: 'ms', goal: 400, cpu: median(works.slice(1)) },
  ]
}

/** A run over the last years of a market of ten. */
async function longRun(ask: Asking): Promise<string> {
  const { templates, ranges, benchmarks } = await ask(calls.reference.strategyOptions, {})
  const template = templates.find(({ kind, parameters }) => kind === 'stk' && parameters.rank_factors.length > 0)
  const benchmark = benchmarks.find(({ kind, available }) => kind === 'stk' && available)?.value ?? 'stk_ew'
  if (!template || !ranges.stk) throw new Error('no stocks')
  await ask(calls.stk.backtest, { body: { parameters: template.parameters, settings: settingsOf('stk', benchmark, ranges.stk, years) } })
  const { list_items: runs } = await ask(calls.quant.backtestList, { query: { kind: 'stk', limit: 1 } })
  const [run] = runs
  if (!run) throw new Error('no run')
  return run.backtest_id
}
