import type { BrowserContext, Page, Request } from 'playwright-core'

/**
 * Resolves when no page of a context has been asking for anything for half a second. Playwright's `networkidle` is told once per
 * document: what a page asks after a step within it is not waited for.
 */
export function quietOf(context: BrowserContext): () => Promise<void> {
  const asking = new Set<Request>()
  let last = performance.now()
  const ended = (request: Request) => {
    asking.delete(request)
    last = performance.now()
  }
  context.on('request', (request) => {
    asking.add(request)
    last = performance.now()
  })
  context.on('requestfinished', ended)
  context.on('requestfailed', ended)
  // What a page was still asking for when it was closed is answered to nobody.
  const left = (page: Page) => page.once('close', () => [...asking].filter((one) => pageOf(one) === page).forEach(ended))
  context.pages().forEach(left)
  context.on('page', left)
  return async () => {
    const until = performance.now() + 30_000
    while (asking.size > 0 || performance.now() - last < 500) {
      if (performance.now() > until) throw new Error(`still asking: ${[...asking].map((one) => one.url()).join(', ')}`)
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
  }
}

/** Null for a document that is only on its way to its frame. */
function pageOf(request: Request): Page | null {
  try {
    return request.frame().page()
  } catch {
    return null
  }
}
