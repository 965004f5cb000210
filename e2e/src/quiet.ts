import type { BrowserContext, Page, Request, Route } from 'playwright-core'

interface Watch {
  /** Requests of all pages that have not ended. */
  readonly asking: Set<Request>
  /** When a request last began or ended, by `performance.now()`. */
  last: number
}

const watches = new WeakMap<BrowserContext, Watch>()
const held = new WeakSet<Request>()

/** A handler of routes that does not answer: what it holds is under way for good, and nobody waits for its end. */
export const hold = (route: Route): void => void held.add(route.request())

/** Follows what the pages of a context ask for, from now on. */
export function watchRequests(context: BrowserContext): Watch {
  const known = watches.get(context)
  if (known) return known
  const watch: Watch = { asking: new Set(), last: performance.now() }
  const ended = (request: Request) => {
    watch.asking.delete(request)
    watch.last = performance.now()
  }
  context.on('request', (request) => {
    watch.asking.add(request)
    watch.last = performance.now()
  })
  context.on('requestfinished', ended)
  context.on('requestfailed', ended)
  // What a page was still asking for when it was closed is answered to nobody.
  const left = (page: Page) => page.once('close', () => [...watch.asking].filter((one) => pageOf(one) === page).forEach(ended))
  context.pages().forEach(left)
  context.on('page', left)
  watches.set(context, watch)
  return watch
}

/**
 * Resolves after half a second without a request by any page of a context. Playwright's `networkidle` fires once per document, so it does not
 * wait for requests after a client-side navigation.
 */
export function quietOf(context: BrowserContext): () => Promise<void> {
  const watch = watchRequests(context)
  return () => silence(watch, 500)
}

/**
 * Resolves when nothing has been under way for so many milliseconds.
 * @throws after a minute, with the addresses that are still asked for
 */
export async function silence(watch: Watch, milliseconds: number): Promise<void> {
  const underWay = () => [...watch.asking].filter((request) => !held.has(request))
  const until = performance.now() + 60_000
  while (underWay().length > 0 || performance.now() - watch.last < milliseconds) {
    if (performance.now() > until)
      throw new Error(
        `still asking: ${underWay()
          .map((one) => one.url())
          .join(', ')}`,
      )
    await new Promise((resolve) => setTimeout(resolve, 25))
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
