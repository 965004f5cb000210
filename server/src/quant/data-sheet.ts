import type { DataSheet, Kind } from '@convexa/contract'
import type { Kysely } from 'kysely'
import type { Database } from '../db/tables.ts'
import { order } from '../feeds/chain.ts'
import { readHealth } from '../feeds/health.ts'
import { newestStamp } from '../feeds/live/tape.ts'
import { needLabel, needs } from '../feeds/needs.ts'
import { isStale } from '../feeds/session.ts'
import { feedLabel } from '../feeds/settings.ts'
import { addDays, lastClosedDay, tradingDays } from '../market/calendar.ts'
import { type Snapshot, snapshotPath } from '../market/snapshot.ts'
import { type Manifest, readManifest, readMask, readSecurities } from '../market/store.ts'
import { shanghaiTime } from '../time.ts'
import type { World } from '../world.ts'
import { coverageOfRefs } from './factor-lists.ts'
import { loadedMarket } from './loaded-market.ts'

/**
 * What the product tells about its data: where they come from, of when they are, what they lack. All of it is kept already: the manifest of
 * the snapshot, what its checks found, what became of the days after it, how the sources answer.
 */

type Ground = Pick<World, 'db' | 'config' | 'compute' | 'now'>

/** What a snapshot's files say; they never change. */
type Said = Pick<DataSheet, 'adjust' | 'sources' | 'listed' | 'delisted'>
const said = new Map<string, Promise<Said>>()
const mostSaid = 8

/** @throws Failure 21008 no data, 21001 and 22005 `refs` are too dear */
export async function dataSheet(
  ground: Ground,
  asker: { readonly id: string },
  kind: Kind,
  refs: readonly string[],
  signal: AbortSignal,
): Promise<DataSheet> {
  const { db, config } = ground
  const now = ground.now()
  const market = await loadedMarket(db, config.dataDir, kind)
  const { snapshot } = market
  const isDemo = snapshot.dataMode === 'demo'
  const files = await saidBy(snapshotPath(config.dataDir, snapshot), snapshot)
  const [covered, step, quotes, lost] = await Promise.all([
    coverageOfRefs(ground, asker, market, refs, signal),
    isDemo ? null : newestSteps(db, kind, snapshot),
    isDemo ? null : newestStamp(db),
    isDemo ? [] : lostSources(db, config.feeds.on),
  ])
  return {
    ...files,
    ...{ trade_date: snapshot.lastDate, first_date: snapshot.firstDate },
    ...{ data_mode: snapshot.dataMode, data_version: snapshot.dataVersion, published_at: shanghaiTime(snapshot.publishedAt) },
    behind: isDemo ? 0 : tradingDays(addDays(snapshot.lastDate, 1), lastClosedDay(now)).length,
    quarantined: step?.quarantined ?? quarantinedBy(snapshot),
    ingestion: isDemo || config.feeds.on.length === 0 ? null : { refused: step?.refused ?? null, waiting: step?.waiting ?? null },
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
      return { factor, coverage: share, values: share === null ? null : Math.round(share * files.listed), reason }
    }),
    counting: covered === null,
  }
}

function saidBy(folder: string, snapshot: Snapshot): Promise<Said> {
  const found = said.get(folder) ?? read(folder, snapshot)
  // Re-inserted: the newest stay.
  said.delete(folder)
  said.set(folder, found)
  for (const old of [...said.keys()].slice(0, Math.max(0, said.size - mostSaid))) said.delete(old)
  found.catch(() => said.delete(folder))
  return found
}

async function read(folder: string, snapshot: Snapshot): Promise<Said> {
  const manifest = await readManifest(folder)
  const [securities, mask] = await Promise.all([readSecurities(folder, manifest), readMask(folder, manifest, 'listed')])
  const last = (manifest.rows - 1) * manifest.stride
  return {
    adjust: manifest.adjust,
    sources: sourcesOf(manifest, snapshot),
    listed: securities.filter((_, i) => mask[last + i] === 1).length,
    delisted: securities.filter(({ delisted }) => delisted !== null && delisted <= snapshot.lastDate).length,
  }
}

/** Ingested files are named `<source>/<need>/<day>`; an import's are files of its user. */
const ingested = /^([a-z]+)\/([a-z-]+)\/(\d{4}-\d{2}-\d{2})$/

/** Files of an import first, then the sources that went on, each with its newest day. */
export function sourcesOf({ source }: Pick<Manifest, 'source'>, { quality }: Pick<Snapshot, 'quality'>): DataSheet['sources'] {
  const days = new Map<string, string>()
  const files = new Set<string>()
  for (const { name } of source.files) {
    const [, feed, , day] = ingested.exec(name) ?? []
    if (feed === undefined || day === undefined) files.add(name)
    else if (day > (days.get(feed) ?? '')) days.set(feed, day)
  }
  const imported = files.size > 0 ? [...files] : days.size > 0 ? [] : quality.source
  return [...imported.map((label) => ({ label, last: null })), ...[...days].map(([feed, last]) => ({ label: feedLabel(feed), last }))]
}

const quarantinedBy = ({ quality }: Snapshot): DataSheet['quarantined'] => ({
  rows: quality.quarantined,
  of: 'import',
  reasons: reasonsOf(quality.findings),
})

const reasonsOf = (findings: readonly { level: string; text: string; count: number }[]) =>
  findings.filter(({ level }) => level === 'quarantine').map(({ text, count }) => ({ text, count }))

/** What became of the newest day, and of those behind it that are not there. */
async function newestSteps(db: Kysely<Database>, kind: Kind, { lastDate }: Snapshot) {
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

/** Sources that are on and gave no answer when they were asked last, for each question of which they are the first that is on. */
async function lostSources(db: Kysely<Database>, on: readonly string[]): Promise<DataSheet['lost']> {
  if (on.length === 0) return []
  const health = await readHealth(db)
  return needs.flatMap((need) => {
    const first = order[need].find((name) => on.includes(name))
    const found = health.find((one) => one.need === need && one.source === first)
    if (!found || found.up || found.failedAt === null) return []
    return [
      {
        label: feedLabel(found.source),
        need: needLabel(need),
        since: shanghaiTime(found.failedAt),
        answered_at: found.answeredAt && shanghaiTime(found.answeredAt),
      },
    ]
  })
}
