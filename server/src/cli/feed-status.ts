import { isSynthetic } from '@convexa/contract/enums/data-mode'
import { shanghaiDate } from '../base/time.ts'
import { type Config, readConfig } from '../config/config.ts'
import { type FeedName, feedNames, needed } from '../config/feeds.ts'
import { runningEmbedded } from '../db/embedded.ts'
import type { Need } from '../db/tables/answers.ts'
import { calendarReach } from '../feeds/calendar-lines.ts'
import { order } from '../feeds/chain.ts'
import { type Feed, FeedError } from '../feeds/feed.ts'
import { keepOutcome } from '../feeds/health.ts'
import { partText } from '../feeds/ingest/day-parts.ts'
import { ingestOrder } from '../feeds/ingest/ingest-order.ts'
import { openParts } from '../feeds/ingest/part-rows.ts'
import { needLabel, needs } from '../feeds/needs.ts'
import { openFeeds } from '../feeds/open.ts'
import { pushedIn, type ReadPushed } from '../feeds/xtdata/pushed-store.ts'
import { addDays, calendarNotice, daysBehind, isTradingDay, lastClosedDay } from '../market/calendar.ts'
import { snapshotLabels } from '../market/manifest.ts'
import { newestSnapshot, type Snapshot } from '../market/snapshot.ts'
import { withCommandContext } from './command-context.ts'
import { exits, Stop } from './exits.ts'
import { calendarText } from './feed-calendar.ts'
import { answer, isJson } from './output.ts'
import { table } from './text.ts'

interface State {
  readonly name: FeedName
  readonly label: string
  readonly on: boolean
  /** null: it needs none. */
  readonly credentials: 'set' | 'missing' | null
  readonly offers: readonly Need[]
  readonly answered: { readonly need: Need; readonly ok: boolean; readonly says: string; readonly ms: number } | null
}

/** `convexa feed status`: which sources are on, what they give, and how far the markets are. Never a secret, nor an address, which may hold one. */
export async function feedStatus({ ask, only }: { ask?: boolean; only?: FeedName }): Promise<void> {
  const reading = readConfig(process.env)
  if (!reading.ok) throw new Stop(exits.usage, reading.problems.join('；'))
  const { config } = reading
  // The database is opened by what is asked of it alone.
  const pushed: ReadPushed = (what) => withCommandContext('database', ({ db }) => pushedIn(db)(what))
  const feeds = openFeeds({ feeds: config.feeds, pushed }, () => new Date(), feedNames)
  const states: State[] = []
  for (const feed of feeds.filter(({ name }) => !only || name === only)) states.push(await stateOf(config, feed, ask === true))
  await release(config, states)
  const enabledOrder = Object.fromEntries(Object.entries(order).map(([need, names]) => [need, names.filter((name) => isOn(config, name))]))
  const parts = [described(states)]
  if (!only && !isJson()) parts.push(orderText(config), await storedText(config))
  if (config.feeds.on.length === 0) parts.push('还没有启用数据源：用环境变量 FEEDS 选择，如 FEEDS=tushare,tencent')
  answer({ feeds: states, order: enabledOrder }, () => parts.join('\n\n'))
  if (states.some(({ answered }) => answered && !answered.ok)) throw new Stop(exits.failed)
}

const isOn = ({ feeds }: Config, name: string): boolean => feeds.on.some((one) => one === name)

async function stateOf(config: Config, feed: Feed, ask: boolean): Promise<State> {
  const name = feedNames.find((known) => known === feed.name)!
  const { feeds } = config
  const given = { tushare: feeds.tushare.token, jisilu: feeds.jisilu.cookie, xtdata: feeds.xtdata.key, file: feeds.file.folder }
  const on = isOn(config, name)
  return {
    name,
    label: feed.label,
    on,
    credentials: needed[name] ? (given[name as keyof typeof given] ? 'set' : 'missing') : null,
    offers: needs.filter((need) => feed.offers[need]),
    answered: ask && on ? await askOne(feed) : null,
  }
}

/** A source that answers an operator is asked again by the server too, which rests it after a ban or a blocked address (`chain.ts`). */
async function release(config: Config, states: readonly State[]): Promise<void> {
  const answered = states.flatMap(({ name, answered }) => (answered?.ok ? [{ source: name, need: answered.need }] : []))
  if (answered.length === 0 || !(await isStoreRunning(config))) return
  await withCommandContext('database', async ({ db }) => {
    for (const each of answered) await keepOutcome(db, { ...each, fault: null, quietUntil: null })
  })
}

const isStoreRunning = async ({ databaseUrl, dataDir }: Config): Promise<boolean> =>
  Boolean(databaseUrl || (await runningEmbedded(dataDir)))

const patienceMs = 20_000

/** A question that costs little, of what it gives. */
async function askOne({ offers }: Feed): Promise<State['answered']> {
  const day = lastClosedDay(new Date())
  const asking = { signal: AbortSignal.timeout(patienceMs) }
  const started = performance.now()
  const need = offers.calendar ? 'calendar' : offers.quotes ? 'quotes' : 'stock-day'
  const done = (ok: boolean, says: string) => ({ need, ok, says, ms: Math.round(performance.now() - started) }) as const
  try {
    if (offers.calendar) {
      const days = await offers.calendar({ from: day, to: day }, asking)
      return done(days.length > 0, days.length > 0 ? `应答了 ${day} 的交易日历` : '应答是空的')
    }
    if (offers.quotes) {
      const { codes, suspended, date } = await offers.quotes({ codes: ['000001.SZ', '113052.SH'] }, asking)
      return done(codes.length + (suspended?.length ?? 0) > 0, codes.length > 0 ? `应答了 ${date} 的行情` : '应答里没有所问的证券')
    }
    const { codes } = await offers['stock-day']!({ date: day }, asking)
    return done(true, codes.length > 0 ? `有 ${day} 的 ${codes.length} 只股票` : `没有 ${day} 的股票日线`)
  } catch (error) {
    if (error instanceof FeedError) return done(false, error.message)
    if (asking.signal.aborted) return done(false, '没有及时应答')
    throw error
  }
}

const credentialWords = { set: '已设置', missing: '未设置' } as const

function described(states: readonly State[]): string {
  const rows = states.map(({ name, label, on, credentials, offers, answered }) => [
    name,
    label,
    on ? '启用' : '未启用',
    credentials ? credentialWords[credentials] : '不需要',
    answered ? `${answered.ok ? '正常' : '异常'}（${answered.ms} 毫秒）：${answered.says}` : '',
    offers.map((need) => needLabel(need)).join('、'),
  ])
  const hasAnswers = states.some(({ answered }) => answered)
  const shown = [['名称', '数据源', '状态', '凭据', '应答', '提供'], ...rows]
  return table(hasAnswers ? shown : shown.map((row) => row.filter((_, column) => column !== 4)))
}

function orderText(config: Config): string {
  const rows = needs.map((need) => {
    const names = order[need].filter((name) => isOn(config, name))
    return [needLabel(need), names.join(' → ') || '没有启用的数据源']
  })
  return table([['数据', '询问次序'], ...rows])
}

/** What the exchanges do today, and how far calendar and markets are. Asked where the database runs: to know what is set up none is started. */
async function storedText(config: Config): Promise<string> {
  if (!(await isStoreRunning(config)))
    return '今天是否开市，行情与交易日历到哪一天：服务没有运行，无法查看（./convexa market 与 ./convexa feed calendar show 会自行启动数据库）'
  return withCommandContext('database', async ({ db }) => {
    const rows = await Promise.all(
      ingestOrder.map(async (kind) => [snapshotLabels[kind], reachText(await newestSnapshot(db, kind), new Date())] as const),
    )
    const open = (await openParts(db, addDays(lastClosedDay(new Date()), -openDays))).map(
      ({ market, day, closed, ...part }) => [snapshotLabels[market], day, partText(part), closed ? '不再询问' : '会再询问'] as const,
    )
    const parts = open.length === 0 ? '' : `\n\n${table([['市场', '日期', '未到齐的数据', ''], ...open])}`
    return `${sessionText(new Date())}\n\n${calendarText(await calendarReach(db))}\n\n${table([['市场', '行情到哪一天'], ...rows])}${parts}`
  })
}

/** Days that are looked at for parts that have not come. */
const openDays = 35

/** `2026-11-18，缺 3 个交易日`. */
export function reachText(newest: Pick<Snapshot, 'dataMode' | 'lastDate'> | null, now: Date): string {
  if (!newest) return '还没有行情'
  if (isSynthetic(newest.dataMode)) return `${newest.lastDate}，演示行情，不采集`
  const behind = daysBehind(newest, now)
  if (behind === null) return newest.lastDate
  return behind === 0 ? `${newest.lastDate}，没有缺少的交易日` : `${newest.lastDate}，缺 ${behind} 个交易日`
}

/** What the exchanges do on the day, and that the calendar ends where it does. */
export function sessionText(now: Date): string {
  const notice = calendarNotice(now)
  const isOpen = isTradingDay(shanghaiDate(now))
  if (isOpen === null) return `${notice}。日历里最后一个交易日是 ${lastClosedDay(now)}。`
  const session = `${isOpen ? '今天是交易日' : '今天休市'}，最近收盘的交易日是 ${lastClosedDay(now)}。`
  return notice ? `${session}${notice}。` : session
}
