import { type Browser, type BrowserContext, chromium, type LaunchOptions, type Page } from 'playwright-core'
import { chromiumLaunches } from './chromium.ts'
import { endLater } from './closing.ts'
import { watchRequests } from './quiet.ts'

let shared: Promise<Browser> | null = null

/**
 * A browser for a file of journeys. Files that run one after the other in one process share it: its `close` ends the pages of the file, and
 * the browser itself ends with the process. Elsewhere every call starts its own. `signals` false: Playwright does not end the process on a
 * signal, so that a script can clean up first (closing.ts).
 * @throws as `startBrowser`
 */
export async function launchBrowser({ signals = true } = {}): Promise<Browser> {
  if (!process.env['VITEST']) return startBrowser(signals)
  shared ??= startBrowser(true).then((browser) => {
    browser.close = async () => void (await Promise.all(browser.contexts().map((context) => context.close())))
    browser.on('disconnected', () => {
      shared = null
    })
    return browser
  })
  return shared
}

/**
 * A real Chromium, the first of `chromiumLaunches` that starts.
 * @throws one sentence how to set CHROME_PATH where none is found
 */
async function startBrowser(signals: boolean): Promise<Browser> {
  const handle = { handleSIGINT: signals, handleSIGTERM: signals, handleSIGHUP: signals }
  const launched = async (options: LaunchOptions) => {
    const browser = await chromium.launch({ ...options, ...handle })
    if (!signals) endLater(() => browser.close())
    return browser
  }
  for (const options of await chromiumLaunches()) {
    // A channel may not be installed here; a browser of a given path must start.
    const browser = await (options.channel ? launched(options).catch(() => null) : launched(options))
    if (browser) return browser
  }
  throw new Error('找不到浏览器：请把环境变量 CHROME_PATH 设为本机 Chrome 或 Edge 的路径。')
}

/** What a page threw and the calls that led to it: a fault that is seen once in a hundred runs must say enough the first time. */
function whereFrom({ message, stack = '' }: Error): string {
  const calls = stack.split('\n').filter((line) => /^\s+at /.test(line))
  return [message, ...calls.slice(0, 12)].join('\n')
}

/**
 * Every warning, error and exception of a page and every answer that failed, for the journey to judge. Not that a busy server asked for
 * a moment's patience (503): the page asks again by itself, and what a journey waits for comes, or it fails.
 */
export function faultsOf(page: Page): string[] {
  const faults: string[] = []
  const keep = (fault: string) => !/\b503\b/.test(fault) && faults.push(fault)
  page.on('console', (message) => {
    if (!['error', 'warning'].includes(message.type())) return
    keep(`${message.type()}: ${message.text()}`)
  })
  page.on('pageerror', (error) => faults.push(`page error: ${whereFrom(error)}`))
  page.on('response', (answer) => answer.status() >= 400 && keep(`${answer.status()} ${answer.url()}`))
  return faults
}

/** The pages that are open now with their faults: what is shown of a test that failed (`failure.ts`). */
export const openPages = new Map<Page, string[]>()

/** What a browser has stored: a login, a draft. */
export type StorageState = Awaited<ReturnType<BrowserContext['storageState']>>

/**
 * A page as our users have it: Chinese, at a desk, with what is stored from before. `prefetch`: code of pages that are linked to is fetched ahead, as for visitors who do
 * not save data. Most journeys save them: code that nobody goes to is a tenth of what their browsers compute.
 */
export async function openContext(
  browser: Browser,
  baseURL: string,
  viewport = { width: 1440, height: 900 },
  { prefetch = !process.env['VITEST'], storageState }: { prefetch?: boolean; storageState?: StorageState } = {},
) {
  const own = { locale: 'zh-CN', timezoneId: 'Asia/Shanghai', baseURL, viewport }
  const context: BrowserContext = await browser.newContext({ ...own, ...(storageState && { storageState }) })
  // As patient as a test: what is waited for comes late on a machine that others use too.
  context.setDefaultTimeout(90_000)
  if (!prefetch) await saveData(context)
  watchRequests(context)
  context.on('page', (opened) => {
    openPages.set(opened, faultsOf(opened))
    opened.once('close', () => openPages.delete(opened))
  })
  const page = await context.newPage()
  return { context, page, faults: faultsOf(page) }
}

/** Has the pages of a context save data: they fetch nothing ahead (`web/src/ui/prefetch.ts`). */
export const saveData = (context: BrowserContext): Promise<unknown> =>
  context.addInitScript(() => Object.defineProperty(Navigator.prototype, 'connection', { configurable: true, value: { saveData: true } }))
