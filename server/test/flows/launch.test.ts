import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { freePort } from '../../../scripts/free-port.mjs'
import { claimDataDir } from '../../src/base/data-dir.ts'
import { entryFile } from '../../src/base/program-files.ts'
import { connect } from '../../src/db/connect.ts'
import { openEmbedded, runningEmbedded } from '../../src/db/embedded.ts'
import { migrate } from '../../src/db/migrate.ts'
import { clusterOf } from '../../src/db/postgres.ts'
import { demoAccount } from '../../src/user/guests.ts'
import { testCode, testSecret } from '../fixtures/code.ts'
import { publishSmallMarket } from '../fixtures/market/small-market.ts'
import { until } from '../fixtures/processes.ts'

// `npm start` as its user has it: one process to start and to stop, whatever happens to its children.

const main = entryFile('main')
const onLinux = existsSync('/proc/self/stat')

interface Launched {
  readonly child: ChildProcess
  readonly url: string
  readonly dataDir: string
  output(): string
  ready(): Promise<void>
  /** Sends a signal and waits for the end. @returns the exit code */
  end(signal: NodeJS.Signals): Promise<number | null>
}

let place: string
let dataDir: string
const launched: Launched[] = []

beforeAll(async () => {
  place = mkdtempSync(join(tmpdir(), 'convexa-launch-'))
  dataDir = join(place, 'data')
  claimDataDir(dataDir)
  // A small market is there already: the demo market has tests of its own.
  const embedded = await openEmbedded(dataDir, 'command')
  const { db, close } = connect(embedded.connectionString)
  await migrate(db)
  for (const kind of ['cb', 'stk'] as const) {
    await publishSmallMarket(db, dataDir, { kind, from: '2024-01-01', to: '2024-03-29', securities: 12 })
  }
  await close()
  await embedded.close()
})

afterAll(async () => {
  for (const one of launched) await one.end('SIGINT')
  for (const folder of readdirSync(place)) rmSync(clusterOf(join(place, folder)).privateFolder, { recursive: true, force: true })
  rmSync(place, { recursive: true, force: true })
})

async function launch(given: { dataDir?: string; port?: number; env?: Record<string, string> } = {}): Promise<Launched> {
  const folder = given.dataDir ?? dataDir
  const port = given.port ?? (await freePort())
  const { DATABASE_URL: _none, ...inherited } = process.env
  const env = { ...inherited, ...testCode, NODE_ENV: '', PORT: String(port), HOST: '127.0.0.1', DATA_DIR: folder, ...given.env }
  const child = spawn(process.execPath, [main], { env, detached: true, stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  child.stdout.on('data', (text) => (output += text))
  child.stderr.on('data', (text) => (output += text))
  const ended = new Promise<number | null>((resolve) => child.once('exit', resolve))
  const url = `http://127.0.0.1:${port}`
  const one: Launched = {
    child,
    url,
    dataDir: folder,
    output: () => output,
    ready: () => until(async () => (await fetch(`${url}/readyz`).catch(() => null))?.status === 200, `${url} is ready: ${output}`, 60_000),
    end: (signal) => {
      if (child.exitCode === null && child.signalCode === null) child.kill(signal)
      return ended
    },
  }
  launched.push(one)
  return one
}

/** A start that must fail: its exit code and all that it said. */
async function refused(given: Parameters<typeof launch>[0]): Promise<{ code: number | null; said: string }> {
  const one = await launch(given)
  const code = await new Promise<number | null>((resolve) => one.child.once('exit', resolve))
  return { code, said: one.output().trim() }
}

/** Every process below the launcher, by name of its role. */
function family(one: Launched): Record<string, number> {
  const found: Record<string, number> = {
    postgres: Number(readFileSync(join(one.dataDir, 'postgres', 'postmaster.pid'), 'utf8').split('\n')[0]),
  }
  const parents = new Map<number, number>()
  for (const name of readdirSync('/proc').filter((entry) => /^\d+$/.test(entry))) {
    const [, parent] = /\) \S (\d+) /.exec(read(`/proc/${name}/stat`)) ?? []
    if (parent) parents.set(Number(name), Number(parent))
  }
  const below = (pid: number): boolean => pid !== 0 && (parents.get(pid) === one.child.pid || below(parents.get(pid) ?? 0))
  for (const pid of parents.keys()) {
    if (!below(pid)) continue
    const line = read(`/proc/${pid}/cmdline`).split('\0')
    if (line.some((word) => word.startsWith(main))) found[line.at(-2) ?? ''] = pid
    if (line.some((word) => word.startsWith(entryFile('child-main')))) found['compute'] = pid
  }
  return found
}

/** Empty for a process that has gone meanwhile. */
function read(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}

const living = (pids: Iterable<number>) => [...pids].filter(isAlive)

/** A zombie is dead: only its parent has not looked yet. */
const isAlive = (pid: number): boolean => !/^$|\) Z /.test(read(`/proc/${pid}/stat`))

describe('a running installation', () => {
  let one: Launched
  beforeAll(async () => {
    one = await launch()
    await one.ready()
  })
  // Also where a story failed: the next ones need its directory.
  afterAll(() => one.end('SIGINT'))

  test('prints its address, admits a demo guest and has four processes', async ({ skip }) => {
    await until(async () => one.output().includes(one.url), 'the address is printed')
    expect(one.output()).toContain(`凸度量化已就绪，请在浏览器打开：${one.url}`)
    expect(one.output()).not.toMatch(/意外|[Ee]rror/)
    const answer = await fetch(`${one.url}/v1/authorize/access-token/by-password`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(demoAccount),
    })
    expect(await answer.json()).toMatchObject({ code: 0, data: { user: { nickname: '体验用户' } } })
    if (!onLinux) skip('processes are looked up in /proc')
    expect(Object.keys(family(one)).sort()).toEqual(['api', 'compute', 'postgres', 'worker'])
  })

  test('is not disturbed by a second one on its directory or port, which ends with one sentence', async () => {
    const port = Number(new URL(one.url).port)
    const other = join(place, 'other')
    expect(await Promise.all([refused({}), refused({ dataDir: other, port })])).toEqual([
      { code: 1, said: '启动失败：这个数据目录正被另一个凸度量化使用：请先停止它，或用环境变量 DATA_DIR 另设目录' },
      { code: 1, said: `启动失败：端口 ${port} 已被占用：请停止占用它的程序，或用环境变量 PORT 另设端口` },
    ])
    expect(readdirSync(other)).toEqual(['convexa.json'])
    expect((await fetch(`${one.url}/readyz`)).status).toBe(200)
  })

  test.runIf(onLinux)('restarts a killed api and a killed worker', async () => {
    const before = family(one)
    process.kill(before['api']!, 'SIGKILL')
    process.kill(before['worker']!, 'SIGKILL')
    await until(async () => living([before['api']!, before['worker']!, before['compute']!]).length === 0, 'they are gone')
    await until(async () => Object.keys(family(one)).length === 4, 'both are back')
    await one.ready()
    expect(one.output()).toMatch(/网页服务意外退出（SIGKILL），0.2 秒后重新启动/)
    expect(one.output()).toMatch(/计算进程意外退出（SIGKILL），0.2 秒后重新启动/)
    expect(family(one)['postgres']).toBe(before['postgres'])
  })

  test.runIf(onLinux)('restarts a killed PostgreSQL', async () => {
    const before = family(one)
    process.kill(before['postgres']!, 'SIGKILL')
    await until(async () => one.output().includes('PostgreSQL 已恢复'), 'PostgreSQL is back')
    await one.ready()
    // A worker that was still on its way up may have given up; it is started again then.
    expect(family(one)['api']).toBe(before['api'])
    await until(async () => Object.keys(family(one)).length === 4, 'the family is whole')
    expect(one.output()).not.toContain('Unhandled')
  })

  test('ends by Ctrl-C, which npm passes on a second time, and leaves no process', async () => {
    const pids = onLinux ? Object.values(family(one)) : []
    process.kill(one.child.pid!, 'SIGINT')
    expect(await one.end('SIGINT')).toBe(0)
    expect(living(pids)).toEqual([])
    // Warnings that repeated are counted in the log a second later.
    expect(one.output()).toMatch(/正在停止…\n(\{.*\}\n)*已停止\n$/)
  })
})

test('a foreign directory, a wrong variable or a missing database ends with one sentence and damages nothing', async () => {
  const foreign = join(place, 'foreign')
  mkdirSync(foreign)
  writeFileSync(join(foreign, 'letter.txt'), '')
  const all = [
    refused({ dataDir: foreign }),
    refused({ env: { PORT: 'eighty' } }),
    refused({ env: { DATABASE_URL: 'postgres://me:secret@127.0.0.1:1/none', SECRET_KEY: testSecret, START_WAIT_SECONDS: '0' } }),
    refused({ env: { DATABASE_URL: 'postgres://me:secret@127.0.0.1:1/none', DATA_DIR: join(place, 'keyless') } }),
  ]
  expect(await Promise.all(all)).toEqual([
    { code: 1, said: `启动失败：数据目录 ${foreign} 里已有别的内容（如 letter.txt）：请用环境变量 DATA_DIR 指定一个空目录` },
    { code: 1, said: '启动失败：环境变量 PORT 需为 1 至 65535 的整数，现在是“eighty”' },
    { code: 1, said: '启动失败：连不上数据库（ECONNREFUSED）：请检查环境变量 DATABASE_URL 和数据库是否已启动' },
    { code: 1, said: expect.stringMatching(/^启动失败：设置了 DATABASE_URL 时必须设置 SECRET_KEY 或 SECRET_KEY_FILE（[^\n]*生成$/) },
  ])
  expect(readdirSync(foreign)).toEqual(['letter.txt'])
})

describe.runIf(onLinux)('a killed launcher', () => {
  test('its children end by themselves, and the next launcher takes over PostgreSQL', async () => {
    const one = await launch()
    await one.ready()
    const { postgres, ...children } = family(one)
    await one.end('SIGKILL')
    await until(async () => living(Object.values(children)).length === 0, 'api, worker and compute child are gone')
    expect(await runningEmbedded(dataDir)).not.toBe(null)
    const next = await launch()
    await next.ready()
    expect(next.output()).toContain('数据库（上次留下的）已启动')
    expect(family(next)['postgres']).toBe(postgres)
    expect(await next.end('SIGTERM')).toBe(0)
    expect(living([postgres!])).toEqual([])
  })

  test('Ctrl-C while the demo market is being made ends it and leaves nothing', async () => {
    const one = await launch({ dataDir: join(place, 'fresh') })
    await until(async () => one.output().includes('正在生成演示行情'), 'the demo market is being made', 60_000)
    const { postgres } = family(one)
    expect(await one.end('SIGINT')).toBe(0)
    expect(living([postgres!])).toEqual([])
    expect(one.output()).toMatch(/已停止\n$/)
  })
})
