import type { Page } from 'playwright-core'

/** A page without requests. Going through it remounts the next page, as a fresh visit would. */
const nowhere = '/no/such/page'

/**
 * Leads an open page to another address of the product as a link does. Nothing is loaded again but what only that page needs: a document,
 * its code and what it fetches ahead cost three seconds. Where it already stands it begins anew. What the page asks for by itself is on
 * its way afterwards (`quietOf`).
 */
export async function leadTo(page: Page, path: string): Promise<void> {
  const fallback = page.getByRole('heading', { name: '页面不存在' })
  await follow(page, nowhere)
  await fallback.waitFor()
  if (path === nowhere) return
  await follow(page, path)
  await fallback.waitFor({ state: 'detached' })
  await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve))))
}

/** Follows a link to an address of the product, from wherever the page stands. */
export const follow = (page: Page, path: string) =>
  page.evaluate((address) => {
    history.pushState(null, '', address)
    dispatchEvent(new PopStateEvent('popstate', { state: null }))
  }, path)
