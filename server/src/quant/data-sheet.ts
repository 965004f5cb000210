import type { DataSheet, MarketId } from '@convexa/contract'
import { isSynthetic } from '@convexa/contract/enums/data-mode'
import { markets } from '@convexa/engine'
import type { Kysely } from 'kysely'
import { shanghaiDate, shanghaiTime } from '../base/time.ts'
import { feedLabel } from '../config/feeds.ts'
import type { AppContext } from '../context/app-context.ts'
import type { Need } from '../db/tables/answers.ts'
import { dayParts } from '../db/tables/day-parts.ts'
import type { Database } from '../db/tables.ts'
import { failingSources } from '../feeds/failing-sources.ts'
import { readHealth } from '../feeds/health.ts'
import { partNames } from '../feeds/ingest/day-parts.ts'
import { completeFrom } from '../feeds/ingest/gather.ts'
import { needsOf } from '../feeds/ingest/ingest-rules.ts'
import { partsOn } from '../feeds/ingest/part-rows.ts'
import { newestStamp } from '../feeds/live/quote-store.ts'
import { needLabel } from '../feeds/needs.ts'
import { isOpen, isStale, phaseAt } from '../feeds/session.ts'
import { damagedInUse } from '../market/damage.ts'
import { expectedDaysBehind, isBeyondCalendar } from '../market/expected-days.ts'
import { readManifest } from '../market/manifest.ts'
import { memoizeRead } from '../market/memoize-read.ts'
import { membersOf } from '../market/read-store.ts'
import { type Snapshot, snapshotPath } from '../market/snapshot.ts'
import { sourcesOfSnapshot } from './data-sources.ts'
import { coverageOfRefs } from './factor-lists.ts'
import { loadedMarket } from './loaded-market.ts'

/**
 * What the product tells about its data: where they come from, of when they are, what they lack. All of it is kept already: the manifest of
 * the snapshot, what its checks found, what became of the days after it, how the sources answer.
 */

type QuantDeps = Pick<AppContext, 'db' | 'config' | 'compute' | 'now'>

/** What a snapshot's files say; they never change. */
type Said = Pick<DataSheet, 'adjust' | 'sources' | 'listed' | 'delisted'>
const said = memoizeRead<Said>(8)

/** @throws ApiError 21008 no data, 21001 and 22005 `refs` are too dear */
export async function dataSheet(
  deps: QuantDeps,
  asker: { readonly id: string },
  kind: MarketId,
  refs: readonly string[],
  signal: AbortSignal,
): Promise<DataSheet> {
  const { db, config } = deps
  const now = deps.now()
  const market = await loadedMarket(db, config.dataDir, kind)
  const { snapshot } = market
  const isDemo = isSynthetic(snapshot.dataMode)
  const files = await said(snapshot.folder, () => read(config.dataDir, snapshot))
  const [covered, step, parts, quotes, lost, damaged] = await Promise.all([
    coverageOfRefs(deps, asker, market, refs, signal),
    isDemo ? null : newestSteps(db, kind, snapshot),
    isDemo ? [] : openPartsOf(db, kind, snapshot.lastDate, now),
    isDemo ? null : newestStamp(db),
    isDemo ? [] : lostFor(db, config.feeds.on, kind, now),
    damagedInUse(db),
  ])
  return {
    ...files,
    ...{ trade_date: snapshot.lastDate, first_date: snapshot.firstDate },
    ...{ data_mode: snapshot.dataMode, data_version: snapshot.dataVersion, published_at: shanghaiTime(snapshot.publishedAt) },
    behind: expectedDaysBehind(snapshot, now),
    calendar_expected: isBeyondCalendar(shanghaiDate(now)),
    damaged: damaged.find((one) => one.kind === kind)?.lastDate ?? null,
    quarantined: step?.quarantined ?? quarantinedBy(snapshot),
    ingestion: isDemo || config.feeds.on.length === 0 ? null : { refused: step?.refused ?? null, waiting: step?.waiting ?? null },
    open_parts: parts,
    lost,
    quotes:
      quotes && quotes.date > snapshot.lastDate
        ? {
            source: feedLabel(quotes.source),
            quoted_at: shanghaiTime(quotes.quotedAt),
            stale: isStale(quotes.quotedAt.getTime(), now),
          }
        : null,
    factors: refs.map((factor, i) => {
      const { share, reason } = covered?.[i] ?? { share: null, reason: null }
      const positive = markets[kind].fields.some((field) => field.key === factor && field.positive === true)
      return { factor, coverage: share, values: share === null ? null : Math.round(share * files.listed), reason, positive }
    }),
    counting: covered === null,
  }
}

async function read(dataDir: string, snapshot: Snapshot): Promise<Said> {
  const folder = snapshotPath(dataDir, snapshot)
  const manifest = await readManifest(folder)
  const [sources, members] = await Promise.all([sourcesOfSnapshot(dataDir, snapshot), membersOf(folder, manifest)])
  return { adjust: manifest.adjust, sources, ...members }
}

const quarantinedBy = ({ quality }: Snapshot): DataSheet['quarantined'] => ({
  rows: quality.quarantined,
  of: 'import',
  reasons: reasonsOf(quality.findings),
})

const reasonsOf = (findings: readonly { level: string; text: string; count: number }[]) =>
  findings.filter(({ level }) => level === 'quarantine').map(({ text, count }) => ({ text, count }))

/** What became of the newest day, and of those behind it that are not there. */
async function newestSteps(db: Kysely<Database>, kind: MarketId, { lastDate }: Snapshot) {
  const rows = await db
    .selectFrom('ingest_step')
    .select(['day', 'state', 'quarantined', 'findings'])
    .where('market', '=', kind)
    .where('step', '=', 'quotes')
    .where('day', '>=', lastDate)
    .orderBy('day')
    .execute()
  const newest = rows.find(({ day, state }) => day === lastDate && state === 'published')
  const after = (state: string) => rows.find((row) => row.day > lastDate && row.state === state)?.day ?? null
  return {
    quarantined: newest && { rows: newest.quarantined, of: 'day' as const, reasons: reasonsOf(newest.findings) },
    refused: after('refused'),
    waiting: after('waiting'),
  }
}

const mostCodes = 5

/** What has not come of a day though its hour is past. */
async function openPartsOf(db: Kysely<Database>, kind: MarketId, day: string, now: Date): Promise<DataSheet['open_parts']> {
  const open = (await partsOn(db, kind, day)).filter(
    ({ part, state }) => state !== 'whole' && shanghaiTime(now) >= `${day}T${completeFrom[part] ?? '00:00'}`,
  )
  return dayParts.flatMap((each) =>
    open
      .filter(({ part }) => part === each)
      .map(({ part, expected, found, lacking }) => ({ label: partNames[part], expected, found, codes: lacking.slice(0, mostCodes) })),
  )
}

/** Sources that left something unanswered which this market needs; quotes are needed while the day is not over. */
async function lostFor(db: Kysely<Database>, on: readonly string[], kind: MarketId, now: Date): Promise<DataSheet['lost']> {
  if (on.length === 0) return []
  const neededNow: Need[] = [...needsOf(kind), ...(isOpen(phaseAt(now)) ? ['quotes' as const] : [])]
  return failingSources(await readHealth(db), on, neededNow).map(({ source, need, fault, since, answeredAt, instead }) => ({
    label: feedLabel(source),
    need: needLabel(need),
    fault,
    since: shanghaiTime(since),
    answered_at: answeredAt && shanghaiTime(answeredAt),
    instead: instead && feedLabel(instead),
  }))
}
