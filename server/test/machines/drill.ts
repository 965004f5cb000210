import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { errorCodes } from '@convexa/contract/enums/error-code'
import { type Kysely, sql } from 'kysely'
import type { Database } from '../../src/db/tables.ts'
import { newestSnapshot } from '../../src/market/snapshot.ts'
import { condemn, condemned, deleteCondemned } from '../../src/store/catalogue.ts'
import { openStore } from '../../src/store/open-store.ts'
import { type Figures, quantile } from '../fixtures/figures.ts'
import { generator } from '../fixtures/generator.ts'
import { childrenOf, until } from '../fixtures/processes.ts'
import { askedOfEach } from './asked-of-each.ts'
import { codePost } from './code-post.ts'
import { type PublishDay, publishDay, publishSurely } from './publisher.ts'
import { childOf, type Machine, openSite, type SharedStore, type Site } from './site.ts'
import { letUsersIn } from './users.ts'

export const victims = ['api', 'api process', 'worker', 'compute child', 'store', 'database', 'publisher'] as const
type Victim = (typeof victims)[number]

export interface DrillGiven {
  readonly db: Kysely<Database>
  readonly databaseUrl: string
  /** null: it is not ours to kill. */
  readonly postgres: { crash(): Promise<void> } | null
  readonly store: SharedStore
  readonly kills: number
  readonly users: number
  /** Of each api. */
  readonly processes: number
  /** Of the one long outage of the store. */
  readonly outageSeconds: number
  readonly seed: number
  /** What the users do around one kill, all together; null: as much as they can. */
  readonly actionsPerKill: number | null
  readonly victims: readonly Victim[]
  readonly progress?: (line: string) => void
  /** No further kill: what was seen so far is judged, and the number of kills is not met. */
  readonly signal?: AbortSignal
}

const range = { start: '2022-01-04', end: '2022-12-30' }
const market = { from: range.start, to: '2023-12-29', securities: 24 }
const firstDays = 260
const readyMs = 180_000
/** Below so many kills no cache is removed and the store is away for no long time. */
const fewKills = 8
const messagesMs = 280_000
/** Ends of a run whose data a worker could not read. */
const forWantOfData: readonly number[] = [errorCodes.noMarketData, errorCodes.damagedMarketData, errorCodes.runDataGone]

/**
 * Two apis and two workers with folders of their own, users who work, and kill -9 of one victim after the other; a day is published in the middle,
 * a cached file is damaged, a cache removed, the store is away for long. Adds what was seen to the figures.
 */
export async function drillMachines(given: DrillGiven, figures: Figures): Promise<void> {
  const { db, store } = given
  const random = generator(given.seed)
  const root = mkdtempSync(join(tmpdir(), 'convexa-machines-'))
  const post = await codePost()
  const { codeAt } = post
  const publication: PublishDay = {
    ...{ databaseUrl: given.databaseUrl, dataDir: join(root, 'publisher'), store: store.settings, firstDays, market },
  }
  const faults: string[] = []
  const readyAgainMs: number[] = []
  const kills = new Map<string, number>()
  let site: Site | null = null
  try {
    await publishSurely(publication)
    site = await openSite({
      ...{ root, db, databaseUrl: given.databaseUrl, processes: given.processes },
      environment: { ...store.environment, ...post.environment },
    })
    const { apis, workers } = site
    await until(site.isReady, 'two apis and two workers are ready', readyMs)
    const users = letUsersIn({ db, apis, count: given.users, random, range, codeAt })

    const killOne = async (victim: Victim): Promise<void> => {
      kills.set(victim, (kills.get(victim) ?? 0) + 1)
      const one = <T>(of: readonly T[]): T => of[Math.floor(random() * of.length)]!
      if (victim === 'api') return one(apis).kill()
      if (victim === 'worker') return one(workers).kill()
      if (victim === 'api process' || victim === 'compute child') {
        const machine = one(victim === 'api process' ? apis : workers)
        const child = childOf(machine, random)
        return child === null ? machine.kill() : killPid(child)
      }
      if (victim === 'publisher') return void (await publishDay(publication, random() * 300))
      if (victim === 'store') {
        await store.kill()
        await sleep(random() * 1_000)
        return store.restart()
      }
      await given.postgres!.crash()
    }

    const atRound = (share: number) => Math.floor(share * given.kills)
    const special: readonly (readonly [round: number, what: () => Promise<void>])[] = [
      [atRound(1 / 4), async () => damageCached(workers[0]!.dataDir, workers[0]!.pid(), random)],
      [atRound(1 / 2), () => publishSurely(publication)],
      ...(given.kills < fewKills
        ? []
        : ([
            [atRound(5 / 8), () => loseCache(workers[1]!)],
            [atRound(3 / 4), () => loseStore(store, given.outageSeconds)],
          ] as const)),
    ]
    for (let round = 0; round < given.kills; round++) {
      if (given.signal?.aborted) break
      if (given.actionsPerKill !== null) users.allow(given.actionsPerKill)
      for (const [at, what] of special) if (at === round) await what()
      await sleep(random() * 1_500)
      const victim = given.victims[round % given.victims.length]!
      const since = performance.now()
      await killOne(victim)
      // What was killed reads as ready until PostgreSQL has seen its end.
      await sleep(150)
      await until(site.isReady, `ready again after the kill of ${victim}`, readyMs).catch((error: Error) => faults.push(error.message))
      readyAgainMs.push(performance.now() - since)
      given.progress?.(`${round + 1}/${given.kills}: ${victim}, ready after ${Math.round(readyAgainMs.at(-1)!)} ms`)
    }
    if (given.victims.includes('publisher')) await publishSurely(publication)
    await users.leave()
    const { seen } = users

    await until(async () => (await openRuns(db)) === 0, 'every run has ended', readyMs).catch((error: Error) => faults.push(error.message))
    const arrived = () => seen.codes.filter((target) => codeAt(target) !== null).length
    await until(async () => arrived() === seen.codes.length, 'every code has arrived', messagesMs).catch(() => null)
    const newest = (await newestSnapshot(db, 'cb'))!.lastDate
    const answers = await askedOfEach({ apis, db, seen, newest })
    await site.stop()
    const stray = await strayObjects(db, store)

    const failed = await runsForWantOfData(db)
    figures.fact('对象存储', store.name)
    figures.fact('kill -9', [...kills].map(([name, count]) => `${name} ${count}`).join(', '))
    figures.fact(
      'answers by status',
      [...seen.statuses]
        .sort(([a], [b]) => a - b)
        .map(([status, count]) => `${status || 'broken off'}: ${count}`)
        .join(', '),
    )
    figures.fact('runs', [...seen.runs].map(([end, count]) => `${end}: ${count}`).join(', '))
    figures.fact('clicks made again', seen.repeated)
    figures.fact('starts refused while something was away', site.refusals())
    figures.goal('杀死的进程', String(readyAgainMs.length), String(given.kills), readyAgainMs.length === given.kills)
    figures.none(`失败的回测（缺数据），共 ${seen.runs.get('result') ?? 0} 次完成`, failed)
    figures.goal(
      '丢失的验证码',
      `${seen.codes.length - arrived()}/${seen.codes.length}`,
      '0',
      arrived() === seen.codes.length && seen.codes.length > 0,
    )
    figures.none('HTTP 500 及其他意外的答复', seen.wrong)
    figures.none(`同一请求不同答案，共 ${answers.asked} 个请求`, answers.different)
    figures.none('同一次点击得到两次回测，或没有结果', seen.lostRuns)
    figures.none(`已确认写入丢失，共 ${answers.writes} 项`, answers.lostWrites)
    figures.none('自行崩溃的进程', site.crashes)
    figures.none('没有恢复就绪', faults)
    figures.none(`存储多余或缺少的对象，共 ${stray.kept} 个`, stray.wrong)
    figures.fact('恢复就绪 p50, p99', `${Math.round(quantile(readyAgainMs, 0.5))} ms, ${Math.round(quantile(readyAgainMs, 0.99))} ms`)
  } finally {
    await site?.stop()
    await post.close()
    rmSync(root, { recursive: true, force: true })
  }
}

function killPid(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // It has ended by itself meanwhile.
  }
}

/** One bit of a column in a worker's cache is another, and what is loaded of it goes with the compute child. */
function damageCached(dataDir: string, pid: number, random: () => number): void {
  const marketFolder = join(dataDir, 'cache', 'market')
  const folder = readdirSync(marketFolder)
    .filter((name) => !name.startsWith('.'))
    .sort()
    .at(-1)
  if (folder !== undefined) {
    const path = join(marketFolder, folder)
    const name = readdirSync(path).find((each) => each.startsWith('close.'))!
    const bytes = readFileSync(join(path, name))
    bytes[Math.floor(random() * bytes.length)]! ^= 1
    writeFileSync(join(path, name), bytes)
  }
  for (const child of childrenOf(pid)) killPid(child)
}

async function loseCache(worker: Machine): Promise<void> {
  rmSync(join(worker.dataDir, 'cache', 'market'), { recursive: true, force: true })
  await worker.kill()
}

async function loseStore(store: SharedStore, seconds: number): Promise<void> {
  await store.kill()
  await sleep(seconds * 1_000)
  await store.restart()
}

async function openRuns(db: Kysely<Database>): Promise<number> {
  const { rows } = await sql<{ open: number }>`select count(*)::int as open from backtest_run where status in (0, 1)`.execute(db)
  return rows[0]!.open
}

async function runsForWantOfData(db: Kysely<Database>): Promise<string[]> {
  const rows = await db.selectFrom('backtest_run').select(['id', 'error_code']).where('error_code', 'in', forWantOfData).execute()
  return rows.map(({ id, error_code }) => `run ${id}: ${error_code}`)
}

/** After a last collection the store holds what the catalogue has, and nothing else. */
async function strayObjects(db: Kysely<Database>, { settings }: SharedStore): Promise<{ kept: number; wrong: string[] }> {
  const objects = await openStore(settings)
  try {
    await condemn(db, 0)
    for (const key of await condemned(db, 0)) await deleteCondemned(db, key, objects.remove)
    const rows = await db.selectFrom('stored_object').select('key').where('state', '=', 1).execute()
    const known = new Set(rows.map(({ key }) => key))
    const wrong: string[] = []
    let kept = 0
    for await (const { key } of objects.list('o/')) {
      kept++
      if (!known.delete(key)) wrong.push(`nobody needs ${key}`)
    }
    for (const key of known) wrong.push(`not there: ${key}`)
    return { kept, wrong }
  } finally {
    objects.close()
  }
}
