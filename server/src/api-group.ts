import type { Logger } from 'pino'
import { type Channel, channelTo } from './base/group-channel.ts'
import { openLog } from './base/log.ts'
import { checkPort } from './base/port.ts'
import { entryFile } from './base/program-files.ts'
import { StartError } from './base/start-error.ts'
import { stopSeconds } from './base/stop-deadline.ts'
import { type Supervised, supervise } from './base/supervise.ts'
import { threadPoolEnvironment } from './config/child-environment.ts'
import type { Config } from './config/config.ts'
import { connect } from './db/connect.ts'
import { groupPages, type MemberCounts } from './metrics/group.ts'
import { type AnswerPage, type OwnPort, ownPort } from './metrics/pages.ts'
import { checkStart } from './system/start-checks.ts'

const main = entryFile('main')
/** More than a process takes, and less than a supervisor waits for all of them. */
const moreSeconds = 5
const startMs = 60_000
const answerMs = 3_000

interface Member {
  readonly supervised: Supervised
  readonly channel: Channel
}

/**
 * An api of several processes on one port, which the kernel shares among them: each is an api in every respect. 1 what would stop all of them
 * is asked once, 2 the processes are started and kept alive, 3 METRICS_PORT is served for all, 4 SIGUSR2 starts one after the other anew.
 * Returns after a stop signal, when none runs any more.
 * @throws StartError
 */
export async function runApiGroup(config: Config): Promise<void> {
  if (process.platform !== 'linux') throw new StartError('API_PROCESSES 大于 1 需要 Linux：请改用多个端口与反向代理')
  const databaseUrl = config.databaseUrl ?? ''
  const waitSeconds = stopSeconds(config) + moreSeconds
  const log = openLog(config, 'api')
  let problem: StartError | null = null
  let stop = () => {}
  let isStopping = false
  const stopped = new Promise<void>((resolve) => {
    stop = () => {
      isStopping = true
      resolve()
    }
  })
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, () => stop())
  process.once('disconnect', () => stop())
  const members: Member[] = []
  let isRolling = false
  process.on('SIGUSR2', async () => {
    if (isRolling) return
    isRolling = true
    await rollOver(members, waitSeconds, log)
    isRolling = false
  })
  const checked = checkStart(config, databaseUrl).then(() => checkPort(config))
  await Promise.race([checked, stopped])
  if (isStopping) return
  const pages = await serveGroup(config, databaseUrl, members, log)
  try {
    for (let number = 1; number <= config.apiProcesses; number++) {
      const onHopeless = () => {
        problem ??= new StartError('网页服务的一个进程无法启动，原因见上')
        stop()
      }
      members.push(startMember(config, number, onHopeless))
    }
    await stopped
  } finally {
    await Promise.all(members.map(({ supervised }) => supervised.stop(waitSeconds)))
    await pages?.close()
  }
  if (problem) throw problem
}

function startMember(config: Config, number: number, onHopeless: () => void): Member {
  const env = {
    ...process.env,
    ...threadPoolEnvironment(config),
    ...{ API_PROCESSES: '1', API_GROUP: '1' },
  }
  const channel: Channel = channelTo((message) => supervised.send(message))
  const supervised: Supervised = supervise({
    ...{ name: `网页服务进程 ${number}`, program: main, args: ['api'], env, onHopeless, onMessage: channel.onMessage },
    onEvent: (sentence) => console.error(sentence),
  })
  return { supervised, channel }
}

/** One after the other: the next is stopped when the one before listens again. */
async function rollOver(members: readonly Member[], waitSeconds: number, log: Logger): Promise<void> {
  for (const { supervised, channel } of members) {
    const listens = channel.untilListening(waitSeconds * 1_000 + startMs)
    await supervised.restart(waitSeconds)
    if (await listens) continue
    log.error('a process of the group did not come back, the others go on as they are')
    return
  }
  log.info('all processes of the group are started anew')
}

/** `/metrics`, `/status` and `/readyz` of all processes, on METRICS_PORT. */
async function serveGroup(config: Config, databaseUrl: string, members: readonly Member[], log: Logger): Promise<OwnPort | null> {
  const { metrics } = config
  if (!metrics || metrics.port === null) return null
  const directUrl = config.databaseDirectUrl ?? databaseUrl
  const onError = (error: Error) => log.warn({ err: error }, 'database')
  const store = connect(databaseUrl, { directUrl, name: 'convexa-api-group', max: 2, answerTimeoutMs: 10_000, onError })
  const askAll = (question: 'metrics' | 'ready') => Promise.all(members.map(({ channel }) => channel.ask(question, answerMs)))
  const counts = async () => (await askAll('metrics')) as (MemberCounts | null)[]
  const pages = groupPages({ db: store.db, now: () => new Date(), config, log }, counts)
  const answer: AnswerPage = async (url, authorization) =>
    url?.split('?', 1)[0] === '/readyz' ? readinessPage((await askAll('ready')) as (MemberReadiness | null)[]) : pages(url, authorization)
  const port = ownPort({ port: metrics.port, host: metrics.host }, answer)
  await port.listen()
  return {
    ...port,
    close: async () => {
      await port.close()
      await store.close()
    },
  }
}

/** What a process answers to `/readyz`. */
export interface MemberReadiness {
  readonly status: number
  readonly body: string
}

/** Ready when all are, else the answer of the first that is not. */
function readinessPage(answers: readonly (MemberReadiness | null)[]) {
  const headers = { 'content-type': 'application/json; charset=utf-8' }
  const silent = { status: 503, body: JSON.stringify({ code: 50301, msg: '尚未就绪：有进程没有应答', data: null }) }
  const told = answers.map((one) => one ?? silent)
  const { status, body } = told.find((one) => one.status !== 200) ?? told[0] ?? silent
  return { status, headers, body }
}
