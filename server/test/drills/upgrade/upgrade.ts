import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Kysely, sql } from 'kysely'
import { freePort } from '../../../../scripts/free-port.mjs'
import { claimDataDir } from '../../../src/base/data-dir.ts'
import type { Database } from '../../../src/db/tables.ts'
import type { Figures } from '../../fixtures/figures.ts'
import { generator } from '../../fixtures/generator.ts'
import { newUser, type Process, startApiProcess, startWorkerProcess, until } from '../../fixtures/processes.ts'
import { parameters } from '../../fixtures/requests.ts'
import { askedOfEach } from '../../machines/asked-of-each.ts'
import { codePost } from '../../machines/code-post.ts'
import { cb, letUsersIn } from '../../machines/users.ts'
import { balancer } from './balancer.ts'
import { fromSources, type ProgramTree, type Ran } from './program-tree.ts'

export interface UpgradeGiven {
  readonly db: Kysely<Database>
  readonly databaseUrl: string
  readonly old: ProgramTree
  readonly next: ProgramTree
  /** Of load, while old and new are beside each other and each alone. */
  readonly seconds: number
  readonly users: number
  readonly seed: number
  /** Has the next release take away what the old one needs; null: it takes nothing away. */
  readonly contract: (() => void) | null
  readonly progress?: (line: string) => void
}

const range = { start: '2022-01-04', end: '2022-12-30' }
const market = { from: range.start, to: '2023-12-29', securities: 24 }
/** A proxy looks five times in the first of them, and asks no more. */
const stopping = { DRAIN_SECONDS: '2', STREAM_GRACE_SECONDS: '15' }
const mostUnavailableMs = 1_000
const readyMs = 120_000

/**
 * A site of the old program under load is upgraded without a stop: migrate, workers, apis; the old ones go on, start once more on the new tables,
 * and leave. Then the contract migration: the old program is refused. Adds what was seen to the figures.
 */
export async function drillUpgrade(given: UpgradeGiven, figures: Figures): Promise<void> {
  const { db, databaseUrl, old, next, progress = () => {} } = given
  const random = generator(given.seed)
  const dataDir = mkdtempSync(join(tmpdir(), 'convexa-upgrade-'))
  claimDataDir(dataDir)
  const post = await codePost()
  const proxy = balancer()
  const crashes: string[] = []
  const running = new Set<Process>()
  const only = { DATABASE_URL: databaseUrl, DATA_DIR: dataDir }
  const env = { ...only, ...fromSources, ...post.environment, ...stopping, LOG_LEVEL: 'error', TRUST_PROXY: '127.0.0.1' }

  const watched = <P extends Process>(name: string, one: P): P => {
    running.add(one)
    one.exited.then(() => running.delete(one) && crashes.push(`${name}: ${JSON.stringify(one.end())}`))
    return one
  }
  const stop = async (one: Process) => {
    running.delete(one)
    await one.stop()
    if (one.end().code !== 0) crashes.push(`a stop ended so: ${JSON.stringify(one.end())}`)
  }
  const startWorker = async (tree: ProgramTree) => watched(`worker ${tree.version}`, await startWorkerProcess(env, db, tree.main))
  const startApi = async (tree: ProgramTree, port: number) => {
    const api = watched(`api ${tree.version}`, await startApiProcess({ ...env, PORT: String(port) }, tree.main))
    proxy.add(api.address)
    await until(async () => proxy.apis.some(({ address }) => address === api.address), `the api ${tree.version} is ready`, readyMs)
    return api
  }
  try {
    done(await old.run('server/src/main.ts', ['migrate'], only), 'migrate of the old program')
    const publication = { databaseUrl, dataDir, store: null, firstDays: 260, market }
    done(await old.run('server/test/machines/publish-day.ts', [JSON.stringify(publication)], {}), 'the market')
    const ports = [await freePort(), await freePort()] as const
    let oldWorker = await startWorker(old)
    let oldApi = await startApi(old, ports[0])
    progress(`the old program ${old.version} is up`)

    const users = letUsersIn({ ...{ db, apis: proxy.apis, count: given.users, random, range }, codeAt: post.codeAt })
    const caller = askOn(db, proxy.apis)
    const part = () => sleep((given.seconds * 1_000) / 4)
    await part()
    const migratedIn = performance.now()
    done(await next.run('server/src/main.ts', ['migrate'], only), 'migrate of the next program')
    const { rows: clock } = await sql<{ at: Date }>`select now() as at`.execute(db)
    progress(`migrated under load in ${Math.round(performance.now() - migratedIn)} ms`)
    const newer = done(await old.run('server/src/main.ts', ['migrate'], only), 'migrate of the old program on newer tables')

    await startWorker(next)
    await startApi(next, ports[1])
    progress(`the next program ${next.version} is beside it`)
    await part()

    await stop(oldWorker)
    oldWorker = await startWorker(old)
    await stop(oldApi)
    oldApi = await startApi(old, ports[0])
    progress('the old program has started once more, on the new tables')
    await part()

    proxy.forget(oldApi.address)
    await stop(oldApi)
    await stop(oldWorker)
    progress('the old program has left')
    await part()
    const crossed = await runsByPrograms(db)
    const inNewQueue = await jobsDone(db)
    const { failed, longestMs } = await caller.leave()
    await users.leave()
    const { seen } = users

    await until(async () => (await openRuns(db)) === 0, 'every run has ended', readyMs).catch((error: Error) => crashes.push(error.message))
    const arrived = () => seen.codes.filter((target) => post.codeAt(target) !== null).length
    await until(async () => arrived() === seen.codes.length, 'every code has arrived', readyMs).catch(() => null)
    const newest = await newestDay(db)
    const answers = await askedOfEach({ ...{ apis: proxy.apis, db, seen, newest } })
    const { rows: since } = await sql<{ id: string; is_filled: boolean }>`
      select id, next_label is not null as is_filled from strategy where created_at > ${clock[0]!.at}`.execute(db)

    figures.fact('old and new program', `${old.version}, ${next.version}`)
    figures.fact('answers by status', [...seen.statuses].map(([status, count]) => `${status || 'broken off'}: ${count}`).join(', '))
    figures.fact('runs', [...seen.runs].map(([end, count]) => `${end}: ${count}`).join(', '))
    figures.fact('clicks made again', seen.repeated)
    figures.none('HTTP 500, and other answers that no client may get', [...seen.wrong, ...failed])
    figures.none('requests without an answer', seen.statuses.get(0) ?? 0)
    figures.atMost('the longest time of 503', longestMs, mostUnavailableMs, 'ms')
    figures.none(`acknowledged writes that were lost, of ${answers.writes}`, answers.lostWrites)
    figures.none('one click and two runs, or none', seen.lostRuns)
    const cutOff = [...seen.runs].filter(([end]) => end !== 'result' && end !== '23022')
    figures.none(
      'runs that ended otherwise than by a result or 23022',
      cutOff.map(([end, count]) => `${end}: ${count}`),
    )
    figures.goal(
      'codes that did not arrive',
      `${seen.codes.length - arrived()}/${seen.codes.length}`,
      '0',
      arrived() === seen.codes.length && arrived() > 0,
    )
    for (const [asked, computed] of [
      [old, next],
      [next, old],
    ] as const) {
      const count = crossed.get(`${asked.version} ${computed.version}`) ?? 0
      figures.goal(`runs asked of ${asked.version} and computed by ${computed.version}`, String(count), '> 0', count > 0)
    }
    figures.goal('jobs that were done from the queue of a new name', String(inNewQueue), '> 0', inNewQueue > 0)
    const notFilled = since.filter((row) => !row.is_filled)
    figures.goal(
      `rows written on the new tables that the trigger did not fill, of ${since.length}`,
      String(notFilled.length),
      '0',
      notFilled.length === 0 && since.length > 0,
    )
    const saysSo = newer.out.includes('本程序没有要做的升级')
    figures.goal('migrate of the old program on newer tables', newer.out.trim(), 'does nothing and says so', saysSo)
    if (given.contract !== null) await contractPart(given.contract)
    for (const one of [...running]) await stop(one)
    figures.none('processes that ended by themselves, or not by 0 when they were stopped', crashes)

    async function contractPart(contract: () => void): Promise<void> {
      const left = await startApi(old, ports[0])
      contract()
      done(await next.run('server/src/main.ts', ['migrate'], only), 'the contract migration')
      const sentence = `数据库需要 ${next.version} 以上的版本，本程序是 ${old.version}：请升级程序`
      for (const role of ['api', 'worker', 'migrate']) {
        const refused = await old.run('server/src/main.ts', [role], { ...only, START_WAIT_SECONDS: '0' })
        const isSo = refused.exit !== 0 && refused.err.includes(`启动失败：${sentence}`)
        figures.goal(`the old ${role} after the contract migration`, refused.err.trim().slice(0, 200), 'is refused by its sentence', isSo)
      }
      const notReady = async () => (await fetch(`${left.address}/readyz`).catch(() => null))?.status === 503
      const says = await until(notReady, 'the old api that runs says that it is not ready', 30_000).then(
        () => 'is not ready',
        (error: Error) => error.message,
      )
      figures.goal('an old api that runs while it is applied', says, 'is not ready', says === 'is not ready')
      await stop(left)
    }
  } finally {
    proxy.close()
    for (const one of [...running]) await stop(one)
    await post.close()
    rmSync(dataDir, { recursive: true, force: true })
  }
}

/** @throws Error with what it said where it did not come to its end */
function done(ran: Ran, what: string): Ran {
  if (ran.exit !== 0) throw new Error(`${what} ended with ${ran.exit}: ${ran.err}`)
  return ran
}

/** Somebody who asks every tenth of a second, a list or a screen: how long there is no answer but 503. */
function askOn(db: Kysely<Database>, apis: readonly { readonly address: string }[]) {
  const failed: string[] = []
  let longestMs = 0
  let stop = false
  const ask = async () => {
    let { token } = await newUser(db, 1)
    let since: number | null = null
    for (let number = 0; !stop; number++) {
      // A login lasts half an hour; what one user may ask in a minute is limited.
      if (number % 50 === 49) token = (await newUser(db, 1)).token
      const api = apis[number % apis.length]
      const body = JSON.stringify({ parameters: parameters('cb', 'close', 5, 1 + (number % 20)) })
      const answer =
        api &&
        (await (number % 2
          ? fetch(`${api.address}${cb}/realtime-screen`, {
              method: 'POST',
              headers: { 'access-token': token, 'content-type': 'application/json' },
              body,
            })
          : fetch(`${api.address}/v1/quant/backtest/list`, { headers: { 'access-token': token } })
        ).catch((error: Error) => error))
      if (answer instanceof Error) failed.push(`no answer: ${String(answer.cause ?? answer.message)}`)
      else if (answer && answer.status !== 200 && answer.status !== 503)
        failed.push(`HTTP ${answer.status} ${(await answer.text()).slice(0, 200)}`)
      else await answer?.arrayBuffer()
      if (answer instanceof Response && answer.status === 200) since = null
      else {
        since ??= performance.now()
        longestMs = Math.max(longestMs, performance.now() - since)
      }
      await sleep(100)
    }
  }
  const all = Promise.all([ask(), ask()])
  return {
    async leave() {
      stop = true
      await all
      return { failed, longestMs }
    },
  }
}

/** `asked computed` → finished runs, by the programs of the api that was asked and of the worker that computed. */
async function runsByPrograms(db: Kysely<Database>): Promise<ReadonlyMap<string, number>> {
  const { rows } = await sql<{ programs: string; count: number }>`
    select o.program || ' ' || w.program as programs, count(*)::int as count
    from backtest_run r join process o on o.id = r.owner_id join process w on w.id = r.worker_id where r.status = 2 group by 1`.execute(db)
  return new Map(rows.map(({ programs, count }) => [programs, count]))
}

async function jobsDone(db: Kysely<Database>): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from pgboss.job where name = 'message.2' and state = 'completed'`.execute(db)
  return rows[0]!.count
}

async function newestDay(db: Kysely<Database>): Promise<string> {
  const { rows } = await sql<{ day: string }>`select max(last_date)::text as day from market_snapshot where kind = 'cb'`.execute(db)
  return rows[0]!.day
}

async function openRuns(db: Kysely<Database>): Promise<number> {
  const { rows } = await sql<{ open: number }>`select count(*)::int as open from backtest_run where status in (0, 1)`.execute(db)
  return rows[0]!.open
}
