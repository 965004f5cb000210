import type { Page } from 'playwright-core'

/**
 * Milliseconds of processor time that the page's main thread has had so far. Of two clocks it is the one that others' work on the
 * machine moves least.
 */
export async function mainThreadOf(page: Page): Promise<() => Promise<number>> {
  const session = await page.context().newCDPSession(page)
  await session.send('Performance.enable', { timeDomain: 'threadTicks' })
  return async () => {
    const { metrics } = await session.send('Performance.getMetrics')
    return (metrics.find(({ name }) => name === 'ThreadTime')?.value ?? Number.NaN) * 1000
  }
}
