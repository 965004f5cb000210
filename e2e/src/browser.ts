import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, renameSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { type Browser, type BrowserContext, chromium, type LaunchOptions, type Page } from 'playwright-core'
import { endLater } from './closing.ts'
import { watchRequests } from './quiet.ts'

const browserFolder = new URL('../browser/package.json', import.meta.url)

/** The libraries that a bare Linux lacks come with the npm Chromium when it believes that it runs in the cloud. */
function bringLibraries(): void {
  const known = ['/usr/lib/x86_64-linux-gnu', '/usr/lib64', '/lib64', '/usr/lib']
  if (!known.some((folder) => existsSync(join(folder, 'libnss3.so')))) process.env['AWS_EXECUTION_ENV'] ??= 'AWS_Lambda_nodejs22.x'
}

/**
 * A fonts.conf that shows the test's Chinese font first; without one Chinese text is drawn as boxes. All browsers share it and what
 * fontconfig finds out about the fonts.
 */
export function fontsConfig(): string {
  const font = createRequire(browserFolder).resolve('@expo-google-fonts/noto-sans-sc/400Regular/NotoSansSC_400Regular.ttf')
  const fonts = dirname(dirname(font))
  const folder = join(tmpdir(), `convexa-fonts-${createHash('sha256').update(fonts).digest('hex').slice(0, 12)}`)
  const file = join(folder, 'fonts.conf')
  mkdirSync(folder, { recursive: true })
  // Renamed into its place: another file's browser may be reading it.
  const aside = `${file}.${process.pid}`
  writeFileSync(
    aside,
    `<?xml version="1.0"?><!DOCTYPE fontconfig SYSTEM "fonts.dtd"><fontconfig>
<dir>${join(fonts, '400Regular')}</dir><dir>${join(fonts, '500Medium')}</dir><dir>${join(fonts, '600SemiBold')}</dir>
<cachedir>${join(folder, 'cache')}</cachedir></fontconfig>`,
  )
  renameSync(aside, file)
  return file
}

/** The npm Chromium: it unpacks itself where that has not been done yet: once, before the first journey. */
export async function unpackChromium(): Promise<string | null> {
  if (process.env['CHROME_PATH'] || process.platform !== 'linux' || process.arch !== 'x64') return null
  bringLibraries()
  const packed = createRequire(browserFolder)('@sparticuz/chromium') as { default?: Packed } & Packed
  return (packed.default ?? packed).executablePath()
}

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
 * A real Chromium, in this order: CHROME_PATH, the npm Chromium on Linux x64, an installed Chrome or Edge.
 * @throws one sentence how to set CHROME_PATH where none is found
 */
async function startBrowser(signals: boolean): Promise<Browser> {
  const handle = { handleSIGINT: signals, handleSIGTERM: signals, handleSIGHUP: signals }
  const launched = async (options: LaunchOptions) => {
    const browser = await chromium.launch({ ...options, ...handle })
    if (!signals) endLater(() => browser.close())
    return browser
  }
  const args = ['--no-sandbox', '--disable-background-networking', '--disable-component-update', '--disable-sync', '--no-first-run']
  const env = { ...process.env, FONTCONFIG_FILE: fontsConfig() } as Record<string, string>
  const own = process.env['CHROME_PATH']
  if (own) return launched({ executablePath: own, args, env })
  const unpacked = await unpackChromium()
  if (unpacked) {
    return launched({
      executablePath: unpacked,
      args,
      env: { ...env, ...(process.env['LD_LIBRARY_PATH'] ? { LD_LIBRARY_PATH: process.env['LD_LIBRARY_PATH'] } : {}) },
    })
  }
  for (const channel of ['chrome', 'msedge']) {
    const browser = await launched({ channel, args }).catch(() => null)
    if (browser) return browser
  }
  throw new Error('找不到浏览器：请把环境变量 CHROME_PATH 设为本机 Chrome 或 Edge 的路径。')
}

interface Packed {
  executablePath(): Promise<string>
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

/** A page as our users have it: Chinese, at a desk. */
export async function openContext(browser: Browser, baseURL: string, viewport = { width: 1440, height: 900 }) {
  const context: BrowserContext = await browser.newContext({ locale: 'zh-CN', timezoneId: 'Asia/Shanghai', baseURL, viewport })
  // As patient as a test: what is waited for comes late on a machine that others use too.
  context.setDefaultTimeout(90_000)
  watchRequests(context)
  const page = await context.newPage()
  return { context, page, faults: faultsOf(page) }
}
