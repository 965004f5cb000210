/**
 * Statements on their way into a market's book. A pure function of the book that is published, of what was heard so far and of what an
 * evening adds.
 *
 * 1. Rows of one publication are one statement (`statementsIn`); a source tells its four tables apart.
 * 2. Each is judged (`statement-checks.ts`); what is good is remembered with the day on which it was heard of (`facts.ts`).
 * 3. What is remembered becomes versions behind those of the book (`bookWith`). What the book says already is no version. Numbers that
 *    differ from those published on the same day are a correction that nobody dated: it counts from the day on which it was heard of.
 *
 * Nothing is overwritten, so every day goes on to see what was public on it.
 */

import { createHash } from 'node:crypto'
import {
  dayNumber,
  joinStatements,
  noReports,
  pickStatements,
  quarterOf,
  type Security,
  type Statement,
  type StatementHistory,
  statementHistoryOf,
} from '@convexa/engine'
import type { HeardStatement } from '../../db/tables/fact-value.ts'
import type { Finding } from '../../db/tables/quality.ts'
import type { StatementRow } from '../rows.ts'
import { statementChecks } from './statement-checks.ts'

/** The published book of a market: of a bond, its company's statements. */
export interface Shelf {
  readonly securities: readonly Pick<Security, 'code' | 'stockCode'>[]
  readonly book: StatementHistory | null
}

/** The company whose statements count for a security: a bond's share. */
const companyOf = ({ code, stockCode }: Pick<Security, 'code' | 'stockCode'>): string => stockCode ?? code

/** Rows of one company, period and day of publication as one; of two numbers of an item the later row's. */
export function statementsIn(rows: readonly StatementRow[]): StatementRow[] {
  const found = new Map<string, StatementRow>()
  for (const row of rows) {
    const key = `${row.code} ${row.period} ${row.announced}`
    found.set(key, { ...row, items: { ...found.get(key)?.items, ...row.items } })
  }
  return [...found.values()]
}

export interface JudgedStatements {
  readonly good: readonly HeardStatement[]
  readonly findings: readonly Finding[]
  /** Left out now for the first time. */
  readonly quarantined: number
  /** Left out already on an earlier evening, in words. */
  readonly stillLeftOut: readonly string[]
  /** Digests of those that are left out for the first time. */
  readonly leftOut: readonly string[]
}

/** So many faulty ones are the source's fault. */
const mostFaulty = { share: 0.1, rows: 5 }

/**
 * Judges what an evening adds for the companies of a market.
 * @param day on which it is heard of
 * @param before digests of those that earlier evenings left out: they are not found again
 */
export function judgeStatements(
  shelf: Shelf,
  rows: readonly StatementRow[],
  day: string,
  before: ReadonlySet<string> = new Set(),
): JudgedStatements {
  const companies = new Set(shelf.securities.map(companyOf))
  const versions = versionsOf(shelf)
  const ours = statementsIn(rows).filter(({ code }) => companies.has(code))
  const faulty = new Map<string, string[]>()
  const good: HeardStatement[] = []
  const [leftOut, stillLeftOut]: [string[], string[]] = [[], []]
  for (const row of ours) {
    const quarter = row.period === null ? Number.NaN : quarterOf(row.period)
    const earlier = (before: number, item: string) => versions.newest(row.code, quarter - before, item)
    const fault = statementChecks.find((check) => check.isFaulty({ row, day, earlier }))
    const { code, announced, period, items } = row
    if (fault) {
      const words = `${code} ${period ?? missing}（${announced ?? missing} 公告）`
      const digest = digestOf(row, fault.key)
      if (before.has(digest)) stillLeftOut.push(words)
      else {
        leftOut.push(digest)
        faulty.set(fault.key, [...(faulty.get(fault.key) ?? []), words])
      }
    } else if (announced !== null && period !== null) good.push({ code, announced, period, items, heard: day })
  }
  const findings = statementChecks.flatMap(({ key, text }): Finding[] => {
    const found = faulty.get(key)
    return found ? [{ check: key, level: 'quarantine', count: found.length, text: `财务报表：${text}`, examples: found.slice(0, 5) }] : []
  })
  const bad = ours.length - good.length
  if (bad > mostFaulty.rows && bad > mostFaulty.share * ours.length) {
    const text = `财务报表：有问题的超过 ${mostFaulty.share * 100}%，整批拒绝`
    findings.push({ check: 'statement_too_many', level: 'fault', count: bad, text, examples: [] })
  }
  return { good, findings, quarantined: leftOut.length, stillLeftOut, leftOut }
}

const missing = '—'
const digestOf = ({ code, period, announced, items }: StatementRow, fault: string): string =>
  createHash('md5')
    .update(JSON.stringify([code, period, announced, fault, Object.entries(items).sort(([a], [b]) => (a < b ? -1 : 1))]))
    .digest('hex')

export interface Shelved {
  /** Null: it is what it was. */
  readonly book: StatementHistory | null
  /** Versions that are new in it. */
  readonly added: number
  readonly findings: readonly Finding[]
}

/** The book with what was heard, for the securities of now. @param learned of any companies; those of others are left out */
export function bookWith(shelf: Shelf, now: readonly Pick<Security, 'code' | 'stockCode'>[], learned: readonly HeardStatement[]): Shelved {
  const versions = versionsOf(shelf)
  const companies = new Set(now.map(companyOf))
  const newVersions = new Map<string, Statement[]>()
  const restated: string[] = []
  let added = 0
  const add = (code: string, statement: Statement) => {
    if (Object.keys(statement.items).length === 0) return
    added++
    versions.add(code, statement)
    const list = newVersions.get(code)
    if (list) list.push(statement)
    else newVersions.set(code, [statement])
  }
  for (const { code, period, announced, items, heard: day } of [...learned].sort(byTime)) {
    if (!companies.has(code)) continue
    const [said, corrected]: [Record<string, number>, Record<string, number>] = [{}, {}]
    for (const [item, number] of Object.entries(items)) {
      const of = versions.of(code, quarterOf(period), item)
      const inForce = of.findLast(({ published }) => published <= announced)
      if (inForce?.number === number || of.some((version) => version.published > announced && version.number === number)) continue
      if (inForce?.published === announced && announced < day) corrected[item] = number
      else said[item] = number
      if (inForce) restated.push(`${code} ${period} ${item}：${inForce.number} → ${number}`)
    }
    add(code, { period, published: announced, items: said })
    add(code, { period, published: day, items: corrected })
  }
  if (added === 0) return { book: null, added, findings: [] }
  const before = new Map(shelf.securities.map(({ code }, place) => [code, place]))
  const laid = shelf.book
    ? pickStatements(
        shelf.book,
        now.map(({ code }) => before.get(code) ?? null),
      )
    : noReports(now.length)
  const lists = now.map((security) => newVersions.get(companyOf(security)) ?? [])
  const findings: Finding[] = []
  if (restated.length > 0) {
    const text = '财务报表：更正或重述了已公布的数字，原来的数字保留到更正公布为止'
    findings.push({ check: 'restated', level: 'warning', count: restated.length, text, examples: restated.slice(0, 5) })
  }
  return { book: joinStatements(laid, statementHistoryOf(lists, dayNumber)), added, findings }
}

const byTime = (a: HeardStatement, b: HeardStatement): number => {
  const [x, y] = [`${a.announced} ${a.heard}`, `${b.announced} ${b.heard}`]
  return x < y ? -1 : x > y ? 1 : 0
}

interface Version {
  readonly published: string
  readonly number: number
}

/** The versions of a company's items, ascending by publication; what is added counts at once. */
function versionsOf({ securities, book }: Shelf) {
  const placeOf = new Map(securities.map((security, place) => [companyOf(security), place]))
  const more = new Map<string, Statement[]>()
  const of = (code: string, quarter: number, item: string): Version[] => {
    const found: Version[] = []
    const place = placeOf.get(code)
    const numbers = book?.items.get(item)
    if (book && numbers && place !== undefined) {
      for (let v = book.starts[place]!; v < book.starts[place + 1]!; v++) {
        if (book.quarters[v] === quarter && numbers[v] === numbers[v])
          found.push({ published: dateOf(book.published[v]!), number: numbers[v]! })
      }
    }
    for (const { period, published, items } of more.get(code) ?? []) {
      const number = items[item]
      if (quarterOf(period) === quarter && number !== undefined) found.push({ published, number })
    }
    return found.sort((a, b) => (a.published < b.published ? -1 : a.published > b.published ? 1 : 0))
  }
  return {
    of,
    newest: (code: string, quarter: number, item: string): number => of(code, quarter, item).at(-1)?.number ?? Number.NaN,
    add(code: string, statement: Statement) {
      const list = more.get(code)
      if (list) list.push(statement)
      else more.set(code, [statement])
    },
  }
}

const dateOf = (day: number): string => new Date(day * 86_400_000).toISOString().slice(0, 10)
