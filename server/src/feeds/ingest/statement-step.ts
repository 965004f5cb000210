/** The late step of an evening: from the kept answers to what of them becomes versions of the market's book. */
import { namedList } from '@convexa/engine'
import { type Kysely, sql } from 'kysely'
import type { Kept } from '../../db/tables/answers.ts'
import type { Finding } from '../../db/tables/quality.ts'
import type { Database } from '../../db/tables.ts'
import { addDays } from '../../market/calendar.ts'
import { readManifest } from '../../market/manifest.ts'
import { readReports, readSecurities } from '../../market/read-store.ts'
import { type Snapshot, type SnapshotKind, snapshotPath } from '../../market/snapshot.ts'
import { learnedStatements, learnStatements } from './facts.ts'
import type { Made } from './make-day.ts'
import { readAnswer } from './raw-answers.ts'
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
  /** What the report says besides. */
  readonly notes: readonly string[]
  /** The day with the statements; it is made only where there are some. */
  onto(makeDay: () => Made): Made
}

/** Judges and remembers what was heard. */
export async function takeInStatements(
  { db, dataDir }: { readonly db: Kysely<Database>; readonly dataDir: string },
  base: Snapshot,
  kept: readonly Kept[],
  { market, day }: { readonly market: SnapshotKind; readonly day: string },
): Promise<HeardEvening> {
  const shelf = await readShelf(dataDir, base)
  const findings: Finding[] = []
  const [leftOut, stillLeftOut]: [string[], string[]] = [[], []]
  const before = await leftOutBefore(db, market, day)
  let [quarantined, rows] = [0, 0]
  for (const each of kept) {
    if (each.need !== 'statements') continue
    const answer = await readAnswer<'statements'>(dataDir, { ...each, need: 'statements' })
    const judged = judgeStatements(shelf, answer ?? [], day, before)
    findings.push(...judged.findings)
    quarantined += judged.quarantined
    rows += judged.good.length + judged.quarantined + judged.stillLeftOut.length
    leftOut.push(...judged.leftOut)
    stillLeftOut.push(...judged.stillLeftOut)
    if (judged.findings.some(({ level }) => level === 'fault'))
      return { isNothing: false, notes: [], onto: () => ({ day: null, findings, rows, quarantined, parts: [] }) }
    await learnStatements(db, each.source, judged.good, day)
  }
  await rememberLeftOut(db, market, leftOut, day)
  const notes = stillLeftOut.length > 0 ? [stillWords(stillLeftOut)] : []
  const learned = await learnedStatements(db, day)
  if (bookWith(shelf, shelf.securities, learned).added === 0)
    return { isNothing: true, notes, onto: () => ({ day: null, findings, rows, quarantined, parts: [] }) }
  return {
    isNothing: false,
    notes,
    onto(makeDay) {
      const made = makeDay()
      if (made.day === null) return made
      const { book, findings: statementFindings } = bookWith(shelf, made.day.securities, learned)
      findings.push(...statementFindings)
      // Findings of the bars were reported with the bars.
      const found = { of: 'statements' as const, quarantined, findings }
      return { findings, rows, quarantined, parts: made.parts, day: { ...made.day, ...(book && { reports: book }), found } }
    },
  }
}

const mostExamples = 5

function stillWords(all: readonly string[]): string {
  return `另有 ${all.length} 份此前已隔离，数据源仍未更正，继续不采用：${namedList(all, mostExamples)}`
}

/** What earlier evenings left out; the same evening again tells its own as before. */
async function leftOutBefore(db: Kysely<Database>, market: SnapshotKind, day: string): Promise<ReadonlySet<string>> {
  const rows = await db.selectFrom('left_out_statement').select('digest').where('market', '=', market).where('since', '<', day).execute()
  return new Set(rows.map(({ digest }) => digest))
}

async function rememberLeftOut(db: Kysely<Database>, market: SnapshotKind, digests: readonly string[], day: string): Promise<void> {
  if (digests.length === 0) return
  await db
    .insertInto('left_out_statement')
    .values(digests.map((digest) => ({ market, digest, since: day })))
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/** The statements that a snapshot has. */
async function readShelf(dataDir: string, snapshot: Snapshot): Promise<Shelf> {
  const folder = snapshotPath(dataDir, snapshot)
  const manifest = await readManifest(folder, snapshot.manifestSha256)
  const [securities, book] = [await readSecurities(folder, manifest), await readReports(folder, manifest, () => true)]
  return { securities, book }
}
