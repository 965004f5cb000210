/**
 * Tables that lie beside a market file of bonds: a list of calls, and what the companies of their shares published. They are drawn from
 * chances of their own, so that a seed makes the same market file with them and without.
 */
import type { Random } from '../../src/market/demo/random.ts'
import { type BesideTables, besideFiles, chooseBeside, makePublications, type Publication } from './beside-tables.ts'
import { type CodeWriting, codeTexts } from './code-writings.ts'
import { type DateWriting, dateTexts } from './date-writings.ts'
import { csvBytes, type WrittenFile } from './encode.ts'
import type { Truth, TruthSecurity } from './truth.ts'

export interface BondTables {
  readonly calls: readonly Call[]
  /** By part of an update a list has the calls of its days, or all of them so far. */
  readonly isIncremental: boolean
  readonly dates: readonly DateWriting[]
  readonly codes: readonly CodeWriting[]
  /** Null where no statements lie beside the file. */
  readonly statements: { readonly tables: BesideTables; readonly publications: readonly Publication[]; readonly companies: Truth } | null
}

interface Call {
  readonly i: number
  /** Natural day of the announcement. */
  readonly day: string
}

const one = <T>(random: Random, list: readonly T[]): T => list[random.whole(0, list.length - 1)]!
const suffixed = codeTexts.filter(({ isBare }) => !isBare)

const dayBefore = (day: string, days: number): string => new Date(Date.parse(day) - days * 86_400_000).toISOString().slice(0, 10)

export function makeBondTables(random: Random, truth: Truth): BondTables {
  const calls = truth.securities.flatMap((bond, i): Call[] => (random.chance(0.4) ? callsOf(random, truth, bond, i) : []))
  // A company whose shares two bonds turn into publishes once.
  const companies: Truth = {
    ...truth,
    securities: truth.securities.map((bond, i) => ({
      ...bond,
      code: truth.securities.findIndex((other) => other.stockCode === bond.stockCode) === i ? bond.stockCode! : '',
    })),
  }
  const hasStatements = random.chance(0.4)
  return {
    calls,
    isIncremental: random.chance(0.6),
    dates: random.chance(0.5) ? [one(random, dateTexts)] : [one(random, dateTexts), one(random, dateTexts)],
    codes: [one(random, suffixed), one(random, suffixed)],
    statements: hasStatements
      ? {
          tables: { ...chooseBeside(random), hasStatements: true, hasUnreadable: false, hasList: false },
          publications: makePublications(random, companies).filter(({ i }) => companies.securities[i]!.code !== ''),
          companies,
        }
      : null,
  }
}

/** One shortly before the last day or the end of the data, on any day of the week; sometimes one of long ago, for which nothing came. */
function callsOf(random: Random, { days }: Truth, { first, last }: TruthSecurity, i: number): Call[] {
  const old = dayBefore(days[last]!, random.whole(100, 200))
  const recent = dayBefore(days[last]!, random.whole(1, 40))
  const all = random.chance(0.3) ? [old, recent] : random.chance(0.1) ? [old] : [recent]
  return all.filter((day) => first === 0 || day > days[first]!).map((day) => ({ i, day }))
}

/** @param from @param to the list has the announcements after a day (null: from the first on) up to another */
export function bondFiles(
  random: Random,
  tables: BondTables,
  truth: Truth,
  { from, to, has }: { readonly from: string | null; readonly to: string; readonly has: (publication: Publication) => boolean },
): WrittenFile[] {
  const { calls, dates, codes, isIncremental, statements } = tables
  const own = calls.filter(({ day }) => (!isIncremental || from === null || day > from) && day <= to)
  const rows = own.map(({ i, day }) => [one(random, codes).text(truth.securities[i]!.code), one(random, dates).text(day)])
  // Lists say the same call twice.
  const doubled = rows.flatMap((row) => (random.chance(0.2) ? [row, row] : [row]))
  const style = { encoding: 'utf-8', lineEnd: '\n', isQuoted: false, endsWithLineEnd: true } as const
  const list = rows.length === 0 ? [] : [{ name: 'cb_call_announcements.csv', bytes: csvBytes(['ts_code', 'ann_date'], doubled, style) }]
  if (statements === null) return list
  const { tables: beside, publications, companies } = statements
  return [...list, ...besideFiles(random, { beside, hasListed: false }, companies, publications, has)]
}

/** What was public of a bond's end: why it left, and from which trading day on it was known; null where nothing says that it leaves. */
export function endOf(
  tables: BondTables,
  truth: Truth,
  i: number,
  last: number,
): { reason: 'called' | 'unknown'; known: number | null } | null {
  const { days } = truth
  const isOver = last < days.length - 1
  const end = isOver ? days[last]! : days.at(-1)!
  const own = tables.calls.filter((call) => call.i === i).map(({ day }) => day)
  const notices = own.toSorted().filter((day) => !isOver || day < end)
  const newest = notices.at(-1)
  const isRecent = newest !== undefined && daysFrom(newest, end) <= (isOver ? 69 : 60)
  // Notices less than seventy days apart are of one call (domain.md 2.4, counting 7). It is known from the trading day after the first.
  const call = notices.findLast((day, k) => k === 0 || daysFrom(notices[k - 1]!, day) >= 70)
  const next = call === undefined ? -1 : days.findIndex((day) => day > call)
  if (isRecent && next >= 0) return { reason: 'called', known: isOver ? Math.min(next, last) : next }
  return isOver ? { reason: 'unknown', known: null } : null
}

const daysFrom = (day: string, later: string): number => (Date.parse(later) - Date.parse(day)) / 86_400_000
