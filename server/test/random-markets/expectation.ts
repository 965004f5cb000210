/**
 * What the product must make of a written market, by data.md 3 alone: the market cell by cell, or a refusal. It reads the truth and the
 * shape, never the files.
 */
import type { CallStatus } from '@convexa/contract/enums/call-status'
import { callStatuses } from '@convexa/engine'
import { tradingDays } from '../../src/market/calendar.ts'
import { type ExpectedVersion, listedName, listedOn, oddShare, type Publication, versionsOf } from './beside-tables.ts'
import { type BondTables, endOf } from './bond-tables.ts'
import { wrongShare } from './dividend-table.ts'
import { expectedWarnings } from './expected-warnings.ts'
import type { Lines } from './lines.ts'
import type { Shape } from './shape.ts'
import { type Gaps, gapAt, isRawMarket, priceFields, sourcePrice } from './source.ts'
import { carried, ratings, type Truth, type TruthRow, type TruthSecurity } from './truth.ts'

export interface ExpectedSecurity {
  readonly code: string
  readonly name: string
  readonly stockCode: string | undefined
  /** First day of the listing; null where it is not known or lies before the file. */
  readonly listed: string | null
  readonly delisted: string | null
  readonly lastDay: string | null
  /** What is paid by day, yuan and new shares a share; null where no table tells, or tells wrongly. */
  readonly versions: readonly ExpectedVersion[]
  readonly paid: readonly { readonly date: string; readonly cash: number; readonly ratio: number }[] | null
  /** Of a bond, beside a list of calls: days of its announcements, why it left, and from when its last day was public. Null: not asked. */
  readonly called: { readonly days: readonly string[]; readonly reason: string | undefined; readonly known: string | null } | null
}

export interface Expected {
  readonly verdict: 'read' | 'refused'
  /** Words that the report of a refusal, or of a row that is put aside, must hold; one of `a|b`. */
  readonly mentions: readonly string[]
  readonly quarantined: number
  readonly days: readonly string[]
  readonly securities: readonly ExpectedSecurity[]
  readonly fields: readonly string[]
  readonly isListed: (t: number, i: number) => boolean
  readonly isTraded: (t: number, i: number) => boolean
  /** NaN where nothing is known; null where any value is as good. */
  readonly value: (field: string, t: number, i: number) => number | null
  /** Whether only the steps of a field count, and those to the rounding of previous closes. */
  readonly isStepwise: (field: string) => boolean
  readonly adjust: Shape['prices']
  /** By check, how many a warning of the report counts; 0: there is none. Other checks are not asked. */
  readonly warnings: ReadonlyMap<string, number>
}

/** Share of the rows inside listing windows that may be put aside before the file is refused. */
const quarantineLimit = 0.005

interface Told {
  readonly headers: Readonly<Record<string, string>>
  readonly gaps: Gaps
  readonly publications: readonly Publication[]
  readonly bonds: BondTables | null
}

export function expect(whole: Truth, shape: Shape, { slipped }: Lines, { headers, gaps, publications, bonds }: Told): Expected {
  const { slip } = shape
  const truth = asWritten(whole, shape)
  const done = slipped === null ? 'none' : slip
  const inside = truth.securities.reduce((sum, { rows }) => sum + rows.filter((row) => row !== null).length, 0)
  const isAside = (t: number, i: number) => costsRows(done) && slipped!.t === t && slipped!.i === i
  const quarantined = !costsRows(done) ? 0 : done === 'different double' ? 2 : 1
  const isRefused = refuses(done) || quarantined > quarantineLimit * (inside + (done === 'different double' ? 1 : 0))
  const rowOf = (t: number, i: number): TruthRow | null => (isAside(t, i) ? null : (truth.securities[i]!.rows[t] ?? null))
  const isRaw = isRawMarket(shape, truth)
  const hasFactor = shape.kind === 'stk' && shape.fields.includes('adj_factor')
  // The exchange's previous close tells the steps of raw prices without a factor.
  // Where the row of a day is lost, nothing tells a step from a move of the price on that day.
  const isLost = done === 'unreadable date' || done === 'unreadable code'
  const isMade =
    !isLost && shape.kind === 'stk' && !hasFactor && shape.prices === 'raw' && truth.securities.some(({ exDays }) => exDays.length > 0)
  const fields = [
    ...shape.fields.filter((field) => field !== 'adj_factor'),
    ...((hasFactor && isRaw && !(isLost && shape.factors !== 'every day')) || isMade ? ['adj_factor'] : []),
    ...(bonds ? ['call_status'] : []),
  ]
  const unknown = done === 'unknown rating' ? slipped : null
  const source: Source = { truth, shape, rowOf, unknown, gaps, isRaw }
  const values = new Map(fields.map((field) => [field, field === 'call_status' ? callStates(truth, bonds!) : column(source, field)]))
  const wrong = truth.securities[wrongShare(shape.dividends, truth)]
  // A record that does not agree with the price is named.
  const named = wrong ? [wrong.code] : []
  const place = (t: number, i: number) => t * truth.securities.length + i
  return {
    verdict: isRefused ? 'refused' : 'read',
    mentions: [
      ...mentionsOf(done, slipped, headers, truth),
      ...named,
      ...unreadableStatement(shape, publications),
      ...unsureItem(shape, publications),
    ],
    quarantined,
    days: truth.days,
    securities: truth.securities.map((security, i) => about(security, i, truth, shape, { publications, bonds })),
    fields,
    adjust: isRaw ? 'raw' : shape.prices,
    isListed: (t, i) => t >= truth.securities[i]!.first && t <= truth.securities[i]!.last,
    isTraded: (t, i) => rowOf(t, i)?.isTraded === true,
    value: (field, t, i) => values.get(field)![place(t, i)]!,
    isStepwise: (field) => field === 'adj_factor' && (isMade || shape.factors !== 'every day'),
    warnings: isRefused || slip !== 'none' ? new Map() : expectedWarnings(truth, shape, (security) => isListing(security, truth, shape)),
  }
}

/** The clause of no bond is ever met (`truth.ts`): what is known of calls is what the list says. */
function callStates({ days, securities, ...truth }: Truth, bonds: BondTables): (number | null)[] {
  const status = (of: CallStatus) => callStatuses.indexOf(of)
  const ends = securities.map(({ last }, i) => endOf(bonds, { ...truth, days, securities }, i, last))
  return days.flatMap((_, t) =>
    securities.map(({ first, last }, i) => {
      if (t < first || t > last) return null
      const known = ends[i]?.known ?? null
      return status(known !== null && t >= known ? 'announced' : 'none')
    }),
  )
}

/** A bond without a `listed` column that has no row on so many last days has ended (data.md 3.7). */
const bondEndsAfter = 10

/** The securities as far as their rows tell of them: a long suspension without rows is an end, a name that begins behind the last row is unknown. */
function asWritten(truth: Truth, { kind, hasListed, beside }: Shape): Truth {
  const end = truth.days.length - 1
  const securities = truth.securities.map((whole, i): TruthSecurity => {
    const security = i === oddShare(beside, 'late') ? beginningOn(whole, beside!.odd.t) : whole
    const lastRow = security.rows.findLastIndex((row) => row !== null)
    if (lastRow < 0) return security
    const isOver = kind === 'cb' && !hasListed && end - lastRow >= bondEndsAfter
    const names = hasListed ? security.names : security.names.filter(({ from }) => from <= lastRow)
    return { ...security, names, last: isOver ? Math.min(security.last, lastRow) : security.last }
  })
  return { ...truth, securities }
}

/** Rows before the day of its list are none. */
const beginningOn = (security: TruthSecurity, t: number): TruthSecurity => ({
  ...security,
  first: t,
  rows: security.rows.map((row, day) => (day < t ? null : row)),
})

type Slip = Shape['slip']

const refuses = (slip: Slip): boolean =>
  ['unknown flag', 'day outside', 'unreadable dates', 'unreadable codes', 'level step'].includes(slip)
const costsRows = (slip: Slip): boolean =>
  ['different double', 'unreadable number', 'foreign unit', 'unreadable date', 'unreadable code', 'empty listed', 'level slip'].includes(
    slip,
  )

function mentionsOf(slip: Slip, slipped: Lines['slipped'], headers: Readonly<Record<string, string>>, truth: Truth): string[] {
  if (slipped === null) return []
  const { column, text, t, i } = slipped
  if (slip === 'unreadable dates' || slip === 'unreadable codes') return [headers[column!]!, text!.trim()]
  if (slip === 'unknown flag' || slip === 'unknown rating') return [text!]
  if (slip === 'day outside') return [`${text!.trim()}|2041`]
  if (slip === 'unreadable code') return text === '' ? [] : [text!]
  if (slip === 'unreadable date' || slip === 'equal double' || slip === 'level step') return []
  return [truth.securities[i]!.code, truth.days[t]!]
}

/** Its row is left out, and told with the text. */
const unreadableStatement = ({ beside }: Shape, publications: readonly Publication[]): string[] =>
  beside?.hasUnreadable && publications.length > 0 ? ['某日'] : []

/** Two values of equal standing are reported with the item. */
const unsureItem = ({ beside }: Shape, publications: readonly Publication[]): string[] =>
  beside?.hasStatements && publications.some(({ other }) => other !== null) ? ['分不出先后'] : []

function about(
  security: TruthSecurity,
  i: number,
  truth: Truth,
  shape: Shape,
  { publications, bonds }: Pick<Told, 'publications' | 'bonds'>,
): ExpectedSecurity {
  const { days } = truth
  const { code, names, stockCode, first, last } = security
  const isOver = last < days.length - 1
  const isWrong = truth.securities[wrongShare(shape.dividends, truth)] === security
  const paid = security.payments.map(({ t, cash, ratio }) => ({ date: days[t]!, cash, ratio }))
  return {
    code,
    name: shape.hasNames ? names.at(-1)!.name : shape.beside?.hasList ? listedName(i) : code,
    stockCode,
    listed:
      shape.beside?.hasList && i !== oddShare(shape.beside, 'contradicted')
        ? listedDay(truth, shape, i)
        : first > 0 && isListing(security, truth, shape)
          ? days[first]!
          : null,
    versions: shape.beside?.hasStatements ? versionsOf(publications, i, days) : (bonds && ofCompany(truth, i, bonds)) || [],
    called: bonds && calledOf(truth, i, bonds),
    delisted: isOver ? days[last + 1]! : null,
    lastDay: isOver ? days[last]! : null,
    paid: shape.dividends === null || security.payments.length === 0 || isWrong ? null : paid,
  }
}

const listedDay = (truth: Truth, shape: Shape, i: number): string =>
  i === oddShare(shape.beside, 'late') ? truth.days[shape.beside!.odd.t]! : listedOn(truth, shape, i)

/** What the company of a bond's share published. */
function ofCompany(truth: Truth, i: number, { statements }: BondTables): ExpectedVersion[] {
  const first = truth.securities.findIndex(({ stockCode }) => stockCode === truth.securities[i]!.stockCode)
  return statements === null ? [] : versionsOf(statements.publications, first, truth.days)
}

function calledOf(truth: Truth, i: number, bonds: BondTables): ExpectedSecurity['called'] {
  const { last } = truth.securities[i]!
  const end = endOf(bonds, truth, i, last)
  const isOver = last < truth.days.length - 1
  const days = [...new Set(bonds.calls.filter((call) => call.i === i).map(({ day }) => day))].sort()
  return { days, reason: isOver ? end?.reason : undefined, known: isOver && end && end.known !== null ? truth.days[end.known]! : null }
}

/** Whether a first row behind the file's first day is proved to be a listing (data.md 3.5). */
function isListing({ rows, first }: TruthSecurity, truth: Truth, { kind, hasListed, fields }: Shape): boolean {
  // A bond without a `left_years` under 4.5 there begins with its first row.
  if (kind === 'cb' || hasListed) return true
  const row = rows[first]!
  const { close, pre_close, adj_factor } = row.values as Record<string, number>
  const others = truth.securities.flatMap((each) => (each.rows[0] ? [each.rows[0].values['adj_factor']!] : []))
  const isDebut = fields.includes('pre_close') && close! > pre_close! * 1.3 + 0.011
  const isFresh = fields.includes('adj_factor') && adj_factor === 1 && others.filter((factor) => factor !== 1).length * 2 > others.length
  return isDebut || isFresh || (hasIdle(truth) && !hasGap(truth))
}

const hasIdle = ({ securities }: Truth): boolean => securities.some(({ rows }) => rows.some((row) => row?.isTraded === false))
const hasGap = ({ securities }: Truth): boolean =>
  securities.some(({ rows }) => {
    const there = rows.flatMap((row, t) => (row ? [t] : []))
    return there.length > 0 && there.at(-1)! - there[0]! + 1 !== there.length
  })

interface Source {
  readonly truth: Truth
  readonly shape: Shape
  readonly rowOf: (t: number, i: number) => TruthRow | null
  /** Where a word is that nobody knows. */
  readonly unknown: Lines['slipped']
  readonly gaps: Gaps
  readonly isRaw: boolean
}

/** A field's cells as they are loaded: what the file gives, what is carried over days without a trade, nothing elsewhere. */
function column({ truth, shape, rowOf, unknown, gaps, isRaw }: Source, field: string): (number | null)[] {
  const { days, securities } = truth
  const cells: (number | null)[] = Array.from({ length: days.length * securities.length }, () => Number.NaN)
  const holds = shape.holds?.field === field ? shape.holds.days : 0
  const places = tradingPlaces(days)
  securities.forEach((security, i) => {
    let held = Number.NaN
    let heldSince = Number.NEGATIVE_INFINITY
    for (let t = security.first; t <= security.last; t++) {
      const row = rowOf(t, i)
      const at = t * securities.length + i
      const isUnknown = field === 'rating' && unknown && unknown.t === t && unknown.i === i
      const isGap = field !== 'adj_factor' && gaps.has(gapAt(field, t, i))
      const given = row === null || isUnknown || isGap ? Number.NaN : numberOf(row, field)
      const price = !isRaw && row !== null && priceFields.has(field) ? sourcePrice(shape, security, row, field, days.length) : given
      if (holds > 0) {
        if (given === given) [held, heldSince] = [given, places[t]!]
        // How days without a trade count is left to the product.
        cells[at] = row?.isTraded ? (places[t]! - heldSince <= holds ? held : Number.NaN) : null
      } else if (row?.isTraded) cells[at] = held = price
      else if (carried[shape.kind].has(field)) {
        // A valuation that is not positive is known to be none on such a day too.
        if (price === price || isLoss(row, field)) held = price
        cells[at] = held
      } else cells[at] = null
      // Sums of trades and prices of a day without one are nobody's matter here: sources write them as they like.
    }
  })
  return cells
}

/** Places of the days on the calendar of trading days. */
function tradingPlaces(days: readonly string[]): number[] {
  const all = tradingDays(days[0]!, days.at(-1)!)
  return days.map((day) => all.indexOf(day))
}

const positive = new Set(['pe_ttm', 'pb'])
const isLoss = (row: TruthRow | null, field: string): boolean => positive.has(field) && (row?.values[field] ?? 1) <= 0

function numberOf(row: TruthRow, field: string): number {
  if (field === 'rating') {
    const word = row.words['rating']
    return word === null || word === undefined ? Number.NaN : ratings.indexOf(word)
  }
  const value = row.values[field] ?? Number.NaN
  return positive.has(field) && value <= 0 ? Number.NaN : value
}
