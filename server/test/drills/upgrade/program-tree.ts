import { execFileSync, spawn } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { testCode, testSecret } from '../../fixtures/code.ts'

/** A program of ours in a folder of its own, with the libraries of this one. */
export interface ProgramTree {
  readonly folder: string
  /** `server/src/main.ts` of it. */
  readonly main: string
  readonly version: string
  /** Runs one of its files to its end. */
  run(file: string, args: readonly string[], env: Record<string, string>, input?: string): Promise<Ran>
  remove(): void
}

export interface Ran {
  readonly exit: number | null
  readonly out: string
  readonly err: string
}

/** Environment: the processes of a tree start its own sources, not the bundle of this program. */
export const fromSources = { SERVER_BUNDLE: '' }

const repository = fileURLToPath(new URL('../../../../', import.meta.url))
const packages = ['contract', 'engine', 'server'] as const

/** null: this is no clone, and there is no history. */
export function hasCommit(commit: string): boolean {
  try {
    execFileSync('git', ['cat-file', '-e', `${commit}^{commit}`], { cwd: repository, stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

/** Of a commit; null: as the files are here, which need not be committed. */
export function programTree(commit: string | null): ProgramTree {
  const folder = mkdtempSync(join(tmpdir(), 'convexa-program-'))
  if (commit === null) {
    const skipped = /(^|\/)(node_modules|dist|\.tsc|\.cache)(\/|$)/
    for (const name of [...packages, 'package.json'])
      cpSync(join(repository, name), join(folder, name), {
        recursive: true,
        filter: (path) => !skipped.test(path.slice(repository.length)),
      })
  } else {
    const archive = execFileSync('git', ['archive', commit, 'package.json', ...packages], { cwd: repository, maxBuffer: 1 << 30 })
    execFileSync('tar', ['-x', '-C', folder], { input: archive })
  }
  linkLibraries(folder)
  const { version } = JSON.parse(readFileSync(join(folder, 'server', 'package.json'), 'utf8')) as { version: string }
  return {
    ...{ folder, version, main: join(folder, 'server', 'src', 'main.ts') },
    run: (file, args, env, input = '') => run([join(folder, file), ...args], env, input),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  }
}

/** Our own packages are those of the folder, all others those that are installed here. */
function linkLibraries(folder: string): void {
  const installed = join(repository, 'node_modules')
  mkdirSync(join(folder, 'node_modules', '@convexa'), { recursive: true })
  for (const name of readdirSync(installed)) if (name !== '@convexa') symlinkSync(join(installed, name), join(folder, 'node_modules', name))
  for (const name of packages) {
    symlinkSync(join(folder, name), join(folder, 'node_modules', '@convexa', name))
    const own = join(repository, name, 'node_modules')
    if (existsSync(own)) symlinkSync(own, join(folder, name, 'node_modules'))
  }
}

function run(args: readonly string[], env: Record<string, string>, input: string): Promise<Ran> {
  const { DATABASE_URL: _url, DATA_DIR: _dir, ...inherited } = process.env
  const child = spawn(process.execPath, args, {
    env: { ...inherited, ...testCode, ...fromSources, ENV_FILE: 'off', ...(env['DATABASE_URL'] && { SECRET_KEY: testSecret }), ...env },
    stdio: ['pipe', 'pipe', 'pipe'],
  })
  const texts = { out: '', err: '' }
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    texts.out += text
  })
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    texts.err += text
  })
  child.stdin.on('error', () => {})
  child.stdin.end(input)
  return new Promise((resolve) => child.once('close', (exit) => resolve({ exit, ...texts })))
}
