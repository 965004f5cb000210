import { fork } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { asRoot } from './binaries.ts'
import { connect } from './connect.ts'
import { type Embedded, openEmbedded, runningEmbedded } from './embedded.ts'
import { clusterOf, ensureCluster, startPostgres } from './postgres.ts'

let place: string
let dataDir: string
const folders: string[] = []
const open: Embedded[] = []

// Only we may enter `place`, as below /root or in a folder of mktemp: PostgreSQL runs as another user when we are root.
// initdb takes its time: one folder serves all tests but those that begin with none.
beforeAll(() => {
  place = mkdtempSync(join(tmpdir(), 'convexa-embedded-'))
  newFolder()
})

afterEach(async () => {
  for (const embedded of open.splice(0)) await embedded.close()
})

afterAll(() => {
  for (const folder of folders) rmSync(clusterOf(folder).privateFolder, { recursive: true, force: true })
  rmSync(place, { recursive: true, force: true })
})

function newFolder(): void {
  dataDir = join(place, `data-${folders.length}`)
  mkdirSync(dataDir)
  folders.push(dataDir)
}

async function use(kind: 'server' | 'command', onEvent?: (sentence: string) => void): Promise<Embedded> {
  const embedded = await openEmbedded(dataDir, kind, onEvent)
  open.push(embedded)
  return embedded
}

const postmaster = () => Number(readFileSync(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8').split('\n')[0])
const isAlive = (pid: number) => {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

async function remember(embedded: Embedded, text: string): Promise<void> {
  const { db, close } = connect(embedded.connectionString)
  await sql`create table if not exists note (text text)`.execute(db)
  await sql`truncate note`.execute(db)
  await sql`insert into note values (${text})`.execute(db)
  await close()
}

async function remembered(embedded: Embedded): Promise<string[]> {
  const { db, close } = connect(embedded.connectionString)
  const { rows } = await sql<{ text: string }>`select text from note order by text`.execute(db)
  await close()
  return rows.map(({ text }) => text)
}

test('started, stopped without a trace, started again with all that was written', async () => {
  const first = await use('server')
  expect(first.adopted).toBe(false)
  await remember(first, 'one')
  const pid = postmaster()
  expect(await runningEmbedded(dataDir)).toBe(first.connectionString)
  await open.pop()!.close()
  expect(isAlive(pid)).toBe(false)
  expect(await runningEmbedded(dataDir)).toBe(null)
  expect(readdirSync(dataDir).sort()).toEqual(['postgres', 'postgres.log'])
  expect(await remembered(await use('server'))).toEqual(['one'])
})

test('stopped while it is being brought back, it does not outlive us', async () => {
  const events: string[] = []
  await use('server', (sentence) => events.push(sentence))
  process.kill(postmaster(), 'SIGKILL')
  await expect.poll(() => events, { interval: 5 }).toContain('PostgreSQL 中断，正在重新启动')
  await open.pop()!.close()
  // What was being started would be up by now.
  await sleep(2_000)
  expect(await runningEmbedded(dataDir)).toBe(null)
})

test('nobody but us may enter, and no network reaches it', async () => {
  const { connectionString } = await use('server')
  const { db, close } = connect(connectionString)
  const { rows } = await sql`select name, setting from pg_settings
    where name in ('listen_addresses', 'fsync', 'full_page_writes', 'unix_socket_permissions') order by name`.execute(db)
  await close()
  expect(rows).toEqual([
    { name: 'fsync', setting: 'on' },
    { name: 'full_page_writes', setting: 'on' },
    { name: 'listen_addresses', setting: '' },
    { name: 'unix_socket_permissions', setting: '0700' },
  ])
  if (existsSync('/proc/self')) {
    const owner = /^Uid:\s+(\d+)/m.exec(readFileSync(`/proc/${postmaster()}/status`, 'utf8'))?.[1]
    expect(Number(owner)).toBe(asRoot ? 65_534 : process.getuid?.())
  }
})

test('a second server on the directory is refused in a sentence, and the first goes on', async () => {
  const first = await use('server')
  await expect(openEmbedded(dataDir, 'server')).rejects.toThrow('这个数据目录正被另一个凸度量化使用')
  await remember(first, 'still here')
})

test('two that start at once on an empty folder: one comes up, the other is refused', async () => {
  newFolder()
  const both = await Promise.allSettled([use('server'), use('server')])
  expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
})

test('commands share it; the last one to leave stops it', async () => {
  const [one, two] = await Promise.all([use('command'), use('command')])
  await remember(one, 'x')
  const pid = postmaster()
  open.splice(0)
  await one.close()
  expect(isAlive(pid)).toBe(true)
  expect(await remembered(two)).toEqual(['x'])
  await two.close()
  expect(isAlive(pid)).toBe(false)
})

test('a command beside a server leaves it running', async () => {
  await use('server')
  const command = await openEmbedded(dataDir, 'command')
  expect(command.adopted).toBe(true)
  await command.close()
  expect(isAlive(postmaster())).toBe(true)
})

test('PostgreSQL that is killed comes back, with everything', async () => {
  const events: string[] = []
  const server = await use('server', (sentence) => events.push(sentence))
  await remember(server, 'before')
  const pid = postmaster()
  process.kill(pid, 'SIGKILL')
  await expect.poll(() => events, { timeout: 60_000 }).toContain('PostgreSQL 已恢复')
  expect(postmaster()).not.toBe(pid)
  expect(await remembered(server)).toEqual(['before'])
})

test('a launcher that is killed leaves an orphan; the next one adopts it, and stops it', async () => {
  const holder = fork(fileURLToPath(new URL('../../test/drills/hold-postgres.ts', import.meta.url)), [dataDir], { detached: true })
  await once(holder, 'message')
  const pid = postmaster()
  await expect(openEmbedded(dataDir, 'server')).rejects.toThrow('正被另一个')
  holder.kill('SIGKILL')
  await once(holder, 'exit')
  expect(isAlive(pid)).toBe(true)
  const next = await use('server')
  expect(next.adopted).toBe(true)
  expect(postmaster()).toBe(pid)
  await open.pop()!.close()
  expect(isAlive(pid)).toBe(false)
})

test('one that cannot start says why', async () => {
  const cluster = clusterOf(dataDir)
  await ensureCluster(cluster)
  await expect(startPostgres(cluster, ['-c', 'shared_buffers=nonsense'])).rejects.toThrow(/PostgreSQL 没有启动：.*shared_buffers/)
})

test('a folder that others may walk through works as well', async () => {
  chmodSync(place, 0o755)
  await remember(await use('server'), 'x')
})
