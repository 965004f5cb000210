import { execFile } from 'node:child_process'
import { chmodSync, createReadStream, createWriteStream, existsSync, mkdirSync, renameSync, rmSync } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { createBrotliDecompress } from 'node:zlib'
import { type Browser, chromium } from 'playwright-core'
import { fontsConfig } from '../chromium.ts'
import { endLater } from '../closing.ts'

const run = promisify(execFile)
/** Outside git, and kept: each is 50 MB to fetch. */
const kept = fileURLToPath(new URL('../../.old-browsers/', import.meta.url))

/** Chromium as npm has it, by its version and the package that it came in. */
export const chromiums = {
  89: 'chrome-aws-lambda@6.0.0',
  106: '@sparticuz/chromium@106.0.2',
  109: '@sparticuz/chromium@109.0.6',
  114: '@sparticuz/chromium@114.0.0',
} as const
export type Version = keyof typeof chromiums

/**
 * A Chromium of that version, fetched from the registry that npm is set to where it is not there yet. They run on Linux x64.
 * @throws where it cannot be fetched, unpacked or started
 */
export async function launchOld(version: Version): Promise<Browser> {
  const folder = await fetched(version)
  const browser = await chromium.launch({
    executablePath: `${folder}/chromium`,
    args: ['--no-sandbox', '--disable-background-networking', '--disable-component-update', '--disable-sync', '--no-first-run'],
    env: { ...process.env, FONTCONFIG_FILE: fontsConfig(), LD_LIBRARY_PATH: `${folder}/lib` } as Record<string, string>,
    ...{ handleSIGINT: false, handleSIGTERM: false, handleSIGHUP: false },
  })
  endLater(() => browser.close())
  const major = Number(browser.version().split('.')[0])
  if (major !== version) throw new Error(`${chromiums[version]} is Chromium ${browser.version()}`)
  return browser
}

async function fetched(version: Version): Promise<string> {
  const folder = `${kept}${version}`
  if (existsSync(folder)) return folder
  const aside = `${kept}aside-${process.pid}`
  rmSync(aside, { recursive: true, force: true })
  mkdirSync(aside, { recursive: true })
  const npm = process.env['npm_execpath']
  const pack = ['pack', chromiums[version], '--pack-destination', aside, '--json', '--loglevel=error']
  const { stdout } = npm ? await run(process.execPath, [npm, ...pack]) : await run('npm', pack)
  const file = /"filename":\s*"([^"]+)"/.exec(stdout)?.[1]?.replace(/^@([^/]+)\//, '$1-')
  await run('tar', ['xzf', `${aside}/${file}`, '-C', aside])
  const bin = `${aside}/package/bin`
  await unpacked(`${bin}/chromium.br`, `${aside}/chromium`)
  chmodSync(`${aside}/chromium`, 0o755)
  for (const part of ['aws', 'swiftshader']) {
    await unpacked(`${bin}/${part}.tar.br`, `${aside}/${part}.tar`)
    await run('tar', ['xf', `${aside}/${part}.tar`, '-C', aside])
    rmSync(`${aside}/${part}.tar`)
  }
  rmSync(`${aside}/${file}`)
  rmSync(`${aside}/package`, { recursive: true })
  renameSync(aside, folder)
  return folder
}

const unpacked = (from: string, to: string) => pipeline(createReadStream(from), createBrotliDecompress(), createWriteStream(to))
