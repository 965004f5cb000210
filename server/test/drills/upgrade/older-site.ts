import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page, Report, TokenData } from '@convexa/contract'
import { freePort } from '../../../../scripts/free-port.mjs'
import { connect } from '../../../src/db/connect.ts'
import { runningEmbedded } from '../../../src/db/embedded.ts'
import { clusterOf } from '../../../src/db/postgres.ts'
import { testCode } from '../../fixtures/code.ts'
import type { Figures } from '../../fixtures/figures.ts'
import { call, openStream, until } from '../../fixtures/processes.ts'
import { request, slowRequest } from '../../fixtures/requests.ts'
import { cb } from '../../machines/users.ts'
import { fromSources, type ProgramTree } from './program-tree.ts'

const account = { account: 'before@example.cn', password: '一个谁也猜不到的密码' }
const range = { start: '2022-01-04', end: '2022-12-30' }
const launchMs = 300_000

/**
 * A folder as `npm start` of an old program made and left it: an account, a strategy, a finished run, and one that was under way when it was
 * stopped. The new program starts on it. Adds to the figures what of it is there.
 */
export async function drillOlderSite(
  old: ProgramTree,
  next: ProgramTree,
  figures: Figures,
  progress: (line: string) => void,
): Promise<void> {
  const dataDir = mkdtempSync(join(tmpdir(), 'convexa-older-'))
  try {
    const before = await launched(old, dataDir)
    const made: { saved?: string; finished?: string; open?: string; nav?: string } = {}
    try {
      progress(`the site of ${old.folder} is up`)
      const { exit, err } = await old.run(
        'server/src/cli/main.ts',
        ['user', 'create', account.account, '--password-stdin'],
        { DATA_DIR: dataDir },
        `${account.password}\n`,
      )
      if (exit !== 0) throw new Error(`the old program made no account: ${err}`)
      const user = await login(before)
      const body = { strategy_name: '从前的策略', detail: request('cb', range).parameters }
      made.saved = (await call<{ id: string }>(before, user, 'POST', `${cb}/strategy`, body)).data.id
      const whole = await openStream(before, user, `${cb}/advanced-backtest`, request('cb', range)).ended
      if (whole.kind !== 'event') throw new Error(`the old program finished no run: ${JSON.stringify(whole)}`)
      made.finished = String(whole.event['backtest_id'])
      const report = await call<Report>(before, user, 'GET', `${cb}/backtest/${made.finished}/detail/report`)
      made.nav = JSON.stringify(report.data.curves.nav)
      const open = openStream(before, user, `${cb}/advanced-backtest`, slowRequest('cb', { start: '2020-01-02', end: range.end }))
      made.open = String((await open.first('stage'))['run_id'])
    } finally {
      await before.stop()
    }
    progress('it is stopped')

    const after = await launched(next, dataDir)
    try {
      progress(`the program ${next.version} is up on it`)
      const user = await login(after)
      figures.goal('older folder: login by password', user.token ? 'works' : 'refused', 'works', user.token !== '')
      const strategy = await call<{ strategy_name?: string }>(after, user, 'GET', `${cb}/strategy/detail/${made.saved}`)
      figures.goal('older folder: the strategy', `HTTP ${strategy.status}`, 'HTTP 200', strategy.status === 200)
      const report = await call<Report>(after, user, 'GET', `${cb}/backtest/${made.finished}/detail/report`)
      const same = report.status === 200 && JSON.stringify(report.data.curves.nav) === made.nav
      figures.goal('older folder: the finished run', `HTTP ${report.status}`, 'opens with the same net values', same)
      const list = await call<Page<{ backtest_id?: string; id?: string }>>(after, user, 'GET', '/v1/quant/backtest/list')
      figures.goal('older folder: its history', `HTTP ${list.status}`, 'HTTP 200', list.status === 200)
      const { db, close } = connect((await runningEmbedded(dataDir))!, { max: 1 })
      const row = await db
        .selectFrom('backtest_run')
        .select(['status', 'error_code'])
        .where('id', '=', made.open!)
        .executeTakeFirstOrThrow()
      await close()
      figures.goal(
        'older folder: the run that was under way',
        `status ${row.status}, ${row.error_code}`,
        'has ended, by 23022',
        row.status > 2 && row.error_code === 23022,
      )
      const again = await openStream(after, user, `${cb}/advanced-backtest`, request('cb', { ...range, hold: 6 })).ended
      figures.goal('older folder: a new run', again.kind, 'event', again.kind === 'event')
    } finally {
      await after.stop()
    }
  } finally {
    rmSync(clusterOf(dataDir).privateFolder, { recursive: true, force: true })
    rmSync(dataDir, { recursive: true, force: true })
  }
}

interface Launched {
  readonly address: string
  stop(): Promise<void>
}

/** As `npm start` does it. @throws with what it said when it ends instead */
async function launched({ main }: ProgramTree, dataDir: string): Promise<Launched> {
  const port = await freePort()
  const { DATABASE_URL: _url, DATA_DIR: _dir, ...inherited } = process.env
  const env = {
    ...inherited,
    ...testCode,
    ...fromSources,
    ENV_FILE: 'off',
    DATA_DIR: dataDir,
    PORT: String(port),
    HOST: '127.0.0.1',
    LOG_LEVEL: 'error',
  }
  const child = spawn(process.execPath, [main], { env, detached: true, stdio: ['ignore', 'pipe', 'pipe'] })
  let said = ''
  for (const out of [child.stdout, child.stderr]) out.on('data', (text) => (said += text))
  let isOver = false
  const ended = new Promise<void>((resolve) =>
    child.once('exit', () => {
      isOver = true
      resolve()
    }),
  )
  const address = `http://127.0.0.1:${port}`
  const isReady = async () => isOver || (await fetch(`${address}/readyz`).catch(() => null))?.status === 200
  const stop = async () => {
    if (!isOver) child.kill('SIGTERM')
    await ended
  }
  try {
    await until(isReady, `${address} is ready`, launchMs)
    if (isOver) throw new Error('it has ended')
  } catch (error) {
    await stop()
    throw new Error(`${main} did not come up: ${said}`, { cause: error })
  }
  return { address, stop }
}

async function login({ address }: Launched): Promise<{ id: string; token: string }> {
  const response = await fetch(`${address}/v1/authorize/access-token/by-password`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(account),
  })
  const { data } = (await response.json()) as { data: TokenData | null }
  return { id: '', token: data?.access_token ?? '' }
}
