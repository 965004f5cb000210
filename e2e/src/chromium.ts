import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, renameSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

const browserFolder = new URL('../browser/package.json', import.meta.url)

/** How a Chromium is started: of Playwright's launch options those that tell browsers apart. */
export interface ChromiumLaunch {
  executablePath?: string
  channel?: string
  args: string[]
  env: Record<string, string>
}

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

/** `npm test` installs the browser's packages; other commands need none. */
export const isBrowserInstalled = (): boolean => existsSync(new URL('node_modules/@sparticuz/chromium', browserFolder))

/** In the order in which they are tried: CHROME_PATH, the npm Chromium on Linux x64, an installed Chrome or Edge. */
export async function chromiumLaunches(): Promise<ChromiumLaunch[]> {
  const args = ['--no-sandbox', '--disable-background-networking', '--disable-component-update', '--disable-sync', '--no-first-run']
  const own = process.env['CHROME_PATH']
  const unpacked = own ? null : await unpackChromium()
  // Read after unpacking, which may have added a folder of libraries.
  const env = { ...process.env, FONTCONFIG_FILE: fontsConfig() } as Record<string, string>
  const executablePath = own ?? unpacked
  return executablePath ? [{ executablePath, args, env }] : ['chrome', 'msedge'].map((channel) => ({ channel, args, env }))
}

interface Packed {
  executablePath(): Promise<string>
}
