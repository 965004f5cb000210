/**
 * `npm run drill:session -- --speed 60`: a trading day at sixty times its speed. Tencent and Sina as stand-ins over HTTP, of which one is
 * lost in every way a source can be, then both; the product's adapters, chain and ticker at that clock, api and worker as processes of
 * their own; readers who ask for screens all day. A price tells when it was made: every row of every answer is held against the time that
 * the answer says it is of. Prints what was seen; exit 1 when an answer was wrong, went back in time, or stayed behind what was known.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { MarketFigures, RealtimeFactors, ScreenResult } from '@convexa/contract'
import { claimDataDir } from '../../src/base/data-dir.ts'
import { shanghaiTime } from '../../src/base/time.ts'
import { connect } from '../../src/db/connect.ts'
import { openEmbedded } from '../../src/db/embedded.ts'
import { chain } from '../../src/feeds/chain.ts'
import { startQuotePoller } from '../../src/feeds/live/quote-poller.ts'
import { newestStamp, type QuoteSnapshot, readTape } from '../../src/feeds/live/quote-store.ts'
import { sina } from '../../src/feeds/sina.ts'
import { prefixed } from '../../src/feeds/source/codes.ts'
import { transport } from '../../src/feeds/source/transport.ts'
import { tencent } from '../../src/feeds/tencent.ts'
import { openFigures, quantile } from '../fixtures/figures.ts'
import { makeTables } from '../fixtures/make-tables.ts'
import { publishSmallMarket } from '../fixtures/market/small-market.ts'
import { call, newUser, startApiProcess, startWorkerProcess } from '../fixtures/processes.ts'
import { parameters } from '../fixtures/requests.ts'
import { type Manner, priceAt, quotedDay } from '../stand-ins/quoted-day.ts'
import { readDrillOptions } from './drill-options.ts'

const { speed } = readDrillOptions({ speed: { whole: 60, quick: 180 } })
const figures = openFigures()
const day = '2023-12-29'
const at = (time: string) => Date.parse(`${day}T${time}+08:00`)
const clockOf = (ms: number) => shanghaiTime(new Date(ms)).slice(11, 19)
const path = '/v1/quant/convertible-bond'

/** From when each source behaves how; the breaks of the day are passed over. */
const course: readonly { from: string; tencent: Manner; sina: Manner; until?: string }[] = [
  { from: '09:13', tencent: 'answers', sina: 'answers' },
  { from: '10:00', tencent: 'refuses', sina: 'answers' },
  { from: '10:20', tencent: 'page', sina: 'answers' },
  { from: '10:35', tencent: 'cut', sina: 'answers' },
  { from: '10:50', tencent: 'hangs', sina: 'answers' },
  { from: '11:05', tencent: 'frozen', sina: 'answers' },
  { from: '11:20', tencent: 'answers', sina: 'answers', until: '11:36' },
  { from: '12:58', tencent: 'answers', sina: 'answers' },
  { from: '13:30', tencent: 'refuses', sina: 'refuses' },
  { from: '13:45', tencent: 'answers', sina: 'refuses' },
  { from: '14:20', tencent: 'frozen', sina: 'frozen' },
  { from: '14:30', tencent: 'answers', sina: 'answers', until: '15:06' },
]

let began = { real: performance.now(), day: at('09:13:00') }
const now = () => began.day + (performance.now() - began.real) * speed
const dataDir = mkdtempSync(join(tmpdir(), 'convexa-drill-session-'))
claimDataDir(dataDir)
const postgres = await openEmbedded(dataDir, 'command')
const { db, close } = connect(postgres.connectionString, { max: 6 })
const stands = await quotedDay(now)
const wrong: string[] = []
const note = (what: string) => wrong.length < 50 && wrong.push(`${clockOf(now())} ${what}`)

/** Of each code its close; a price that is not the one of the time that its row has is noted. */
function closesOf({ codes, columns, madeAt }: QuoteSnapshot): Map<string, number> {
  const close = columns.get('close')!
  codes.forEach((code, i) => {
    const right = priceAt(prefixed(code), madeAt[i]!)
    if (close[i] !== right) note(`${code} at ${close[i]} was kept as of ${clockOf(madeAt[i]!)}: ${right}`)
  })
  return new Map(codes.map((code, i) => [code, close[i]!]))
}

/** What one reader saw in a part of the day: answers, how old the quotes were at their worst (of the day, s), and from whom they were. */
interface Seen {
  answers: number
  oldest: number
  sources: Set<string>
}

let over = false
try {
  await makeTables(db)
  await publishSmallMarket(db, dataDir, { kind: 'cb', from: '2023-10-09', to: '2023-12-28', securities: 300, real: true })
  const env = { DATABASE_URL: postgres.connectionString, DATA_DIR: dataDir }
  // The api knows that there are quotes; that a worker asks for them by its own clock is not wanted here.
  const api = await startApiProcess({ ...env, FEEDS: 'tencent,sina' })
  const worker = await startWorkerProcess(env, db)
  const user = await newUser(db, 1)
  const screen = async () => {
    const body = { parameters: parameters('cb', 'close', 5, 5) }
    return (await call<ScreenResult>(api, user, 'POST', `${path}/realtime-screen`, body)).data
  }
  await screen()

  // Whatever waits waits as much shorter as the clock is faster.
  const deps = { now, sleep: (ms: number, signal: AbortSignal) => sleep(ms / speed, undefined, { signal }) }
  const ask = transport(deps, { timeoutMs: 500 })
  const feeds = [tencent({ url: stands.urls.tencent }, ask, deps), sina({ url: stands.urls.sina }, ask, deps)]
  began = { real: performance.now(), day: at('09:13:00') }
  const live = chain(feeds, now, { shares: { quotes: 250 } })
  const silences: string[] = []
  const ticker = startQuotePoller(
    { db, dataDir, chain: live, now: () => new Date(now()) },
    (event, details) => void silences.push(`${clockOf(now())} ${event} ${JSON.stringify(details)}`),
    { everyMs: 3_000 / speed, restMs: 5_000 / speed },
  )

  /** All that was kept, and since when, in real ms. The parts of a market are asked for one after the other: rows have times of their own. */
  const kept: { quotedAt: number; source: string; since: number; closes: ReadonlyMap<string, number> }[] = []
  const watching = (async () => {
    let seen = 0
    while (!over) {
      const stamp = await newestStamp(db)
      const found = stamp && stamp.seq > seen ? await readTape(db) : null
      if (found) {
        seen = found.stamp.seq
        const closes = closesOf(found.tape)
        kept.push({ quotedAt: found.stamp.quotedAt.getTime(), source: found.stamp.source, since: performance.now(), closes })
      }
      await sleep(5)
    }
  })()
  // Errors of other parts are thrown first.
  watching.catch(() => {})

  const parts = new Map(course.map(({ from }) => [from, { answers: 0, oldest: 0, sources: new Set<string>() } as Seen]))
  const lags: number[] = []
  const mixed: { list: ScreenResult; time: number }[] = []
  let unseen = 0
  let part = course[0]!
  const latest = new Map<string, number>()
  const read = async () => {
    const asked = { at: performance.now(), known: kept.length }
    const [list, figures, section] = await Promise.all([
      screen(),
      call<MarketFigures>(api, user, 'GET', `${path}/market`),
      call<RealtimeFactors>(api, user, 'GET', `${path}/realtime-factors?with_values=1&keys=close`),
    ])
    const told = performance.now()
    // Each call keeps its answers for a while of its own: none goes back, and what is shown side by side is hardly apart.
    for (const [name, answer] of Object.entries({ screen: list, market: figures.data, section: section.data })) {
      const moment = Date.parse(answer.data_time)
      const before = latest.get(name) ?? 0
      if (moment < before) note(`${name} of ${clockOf(moment)} after one of ${clockOf(before)}`)
      latest.set(name, moment)
    }
    const time = Date.parse(list.data_time)
    const { answers } = parts.get(part.from)!
    parts.get(part.from)!.answers = answers + 1
    if (!list.realtime) {
      if (asked.known > 0 && told - kept[0]!.since > 5_000) note('a screen of the close while there were quotes')
      return
    }
    const same = kept.filter(({ quotedAt }) => quotedAt === time)
    const isKept = ({ closes }: (typeof kept)[number]) =>
      list.list_items.every(({ code, values: row }) => row['close'] === closes.get(code))
    // Several may be of one moment, and the last of them may have come and gone between two looks.
    if (same.length === 0) unseen++
    else if (!same.some(isKept)) mixed.push({ list, time })
    // The newest that was kept a while before the question must be in the answer.
    const missed = kept.find(({ quotedAt }) => quotedAt > time)
    if (missed && asked.at - missed.since > 5_000) note(`${clockOf(time)} shown, ${clockOf(missed.quotedAt)} known for 5 s`)
    lags.push(missed ? Math.max(0, told - missed.since) : 0)
    const seen = parts.get(part.from)!
    seen.oldest = Math.max(seen.oldest, (now() - time) / 1_000)
    const from = same[0]?.source
    if (from) seen.sources.add(from)
  }

  for (const [i, one] of course.entries()) {
    if (now() < at(`${one.from}:00`) - 60_000) began = { real: performance.now(), day: at(`${one.from}:00`) }
    part = one
    stands.behave('tencent', one.tencent)
    stands.behave('sina', one.sina)
    const until = at(`${one.until ?? course[i + 1]!.from}:00`)
    while (now() < until) {
      await read()
      await sleep(40)
    }
  }
  over = true
  await Promise.all([watching, ticker.close()])
  await Promise.all([api.stop(), worker.stop()])

  // What was kept between two looks is not known to us: such an answer must still be of one moment that was.
  for (const { list, time } of mixed) note(`a screen of ${clockOf(time)} that was never kept: ${list.list_items.length} rows`)

  console.table(
    course.map(({ from, tencent: a, sina: b }) => {
      const { answers, oldest, sources } = parts.get(from)!
      return { from, tencent: a, sina: b, answers, 'oldest (s of the day)': Math.round(oldest), 'quotes of': [...sources].join() }
    }),
  )
  for (const line of silences) console.log(line)
  const lag = (share: number) => Math.round(quantile(lags, share))
  figures.fact('speed', speed)
  figures.fact('quotes kept, requests to the sources', `${kept.length}, ${JSON.stringify(stands.asked)}`)
  figures.fact('behind what was kept', `p50 ${lag(0.5)}, p95 ${lag(0.95)}, at most ${lag(1)} real ms`)
  figures.goal('answers with quotes', `${lags.length}, ${unseen} of a moment that came and went between two looks`, 'some', lags.length > 0)
  figures.none('answers that were wrong, went back in time or stayed behind', wrong)
} finally {
  over = true
  await stands.close()
  await close()
  await postgres.close()
  rmSync(dataDir, { recursive: true, force: true })
}
process.exit(figures.end())
