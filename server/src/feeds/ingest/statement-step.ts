/** The late step of an evening: from the kept answers to what of them becomes versions of the market's book. */
import { type Kysely, sql } from 'kysely'
import type { Database } from '../../db/tables.ts'
import { addDays } from '../../market/calendar.ts'
import { readManifest } from '../../market/manifest.ts'
import type { Finding } from '../../market/quality.ts'
import { readReports, readSecurities } from '../../market/read-store.ts'
import { type Snapshot, type SnapshotKind, snapshotPath } from '../../market/snapshot.ts'
import { heardStatements, learnStatements } from './facts.ts'
import type { Made } from './make-day.ts'
import { type Kept, readAnswer } from './raw-answers.ts'
import { bookWith, judgeStatements, type Shelf } from './statements.ts'

/** They come late and are corrected: each evening looks back some days, the first one over a season, the weekly check over a month. */
const lookBack = { evening: 7, check: 30, season: 100 }

/** From which day of publication on an evening asks. */
export async function statementsFrom(db: Kysely<Database>, market: SnapshotKind, day: string, all: boolean): Promise<string> {
  const last = await db
    .selectFrom('ingest_step')
    .select((row) => row.fn.max<string>(sql`to_char(day, 'YYYY-MM-DD')`).as('day'))
    .where('market', '=', market)
    .where('step', '=', 'statements')
    .where('state', '=', 'published')
    .where('day', '<', day)
    .executeTakeFirst()
  const before = (days: number) => addDays(day, -days)
  const since = last?.day == null ? before(lookBack.season) : addDays(last.day, -lookBack.evening)
  const from = all && since > before(lookBack.check) ? before(lookBack.check) : since
  return from < before(lookBack.season) ? before(lookBack.season) : from
}

export interface HeardEvening {
  /** The book says all of it already, and nothing is to be published. */
  readonly isNothing: boolean
  /** The day with the statements; it is made only where there are some. */
  onto(makeDay: () => Made): Made
}

/** Judges and remembers what was heard. */
export async function hearStatements(
  { db, dataDir }: { readonly db: Kysely<Database>; readonly dataDir: string },
  base: Snapshot,
  kept: readonly Kept[],
  day: string,
): Promise<HeardEvening> {
  const shelf = await readShelf(dataDir, base)
  const findings: Finding[] = []
  let [quarantined, rows] = [0, 0]
  for (const each of kept) {
    if (each.need !== 'statements') continue
    const answer = await readAnswer<'statements'>(dataDir, { ...each, need: 'statements' })
    const judged = judgeStatements(shelf, answer ?? [], day)
    findings.push(...judged.findings)
    quarantined += judged.quarantined
    rows += judged.good.length + judged.quarantined
    if (judged.findings.some(({ level }) => level === 'fault'))
      return { isNothing: false, onto: () => ({ day: null, findings, rows, quarantined }) }
    await learnStatements(db, each.source, judged.good, day)
  }
  const heard = await heardStatements(db, day)
  if (bookWith(shelf, shelf.securities, heard).added === 0)
    return { isNothing: true, onto: () => ({ day: null, findings, rows, quarantined }) }
  return {
    isNothing: false,
    onto(makeDay) {
      const made = makeDay()
      if (made.day === null) return made
      const { book, findings: told } = bookWith(shelf, made.day.securities, heard)
      findings.push(...told)
      // What the bars had was told with them.
      const found = { of: 'statements' as const, quarantined, findings }
      return { findings, rows, quarantined, day: { ...made.day, ...(book && { reports: book }), found } }
    },
  }
}

/** The statements that a snapshot has. */
async function readShelf(dataDir: string, snapshot: Snapshot): Promise<Shelf> {
  const folder = snapshotPath(dataDir, snapshot)
  const manifest = await readManifest(folder, snapshot.manifestSha256)
  const [securities, book] = [await readSecurities(folder, manifest), await readReports(folder, manifest, () => true)]
  return { securities, book }
}
