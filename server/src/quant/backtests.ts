import type { FastifyInstance } from 'fastify'
import type { AppContext } from '../context/app-context.ts'
import { sessionOf } from '../db/connect.ts'
import type { Queue } from '../queue/queue.ts'
import { type Reaper, startReaper } from './reaper.ts'
import { openRunNews, type RunNews } from './run-news.ts'

/** What an api keeps open for runs: the queue's asking side, the news of runs, the reaper. */
export interface Backtests {
  readonly queue: Queue
  readonly news: RunNews
  readonly reaper: Reaper
}

/** Opens them when the api is ready and closes them with it. A failed attempt is made again by the next run. */
export function openBacktests(app: FastifyInstance, context: AppContext): () => Promise<Backtests> {
  const { db, log, queue: openQueue } = context
  let opened: Promise<Backtests> | null = null

  const open = async (): Promise<Backtests> => {
    const queue = await openQueue()
    const news = await openRunNews(sessionOf(db))
    return { queue, news, reaper: startReaper(db, queue, (event, details) => log.warn(details, event)) }
  }
  const opening = () => {
    opened ??= open().catch((error) => {
      opened = null
      throw error
    })
    return opened
  }

  app.addHook('onReady', async () => {
    opening().catch((error) => log.warn({ err: error }, 'queue not open yet'))
  })
  app.addHook('onClose', async () => {
    const last = await opened?.catch(() => null)
    if (last) await Promise.allSettled([last.reaper.close(), last.news.close()])
  })
  return opening
}
