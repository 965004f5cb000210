/**
 * A day as it will be published, out of what the sources answered. A pure function: the same past and the same answers make the same day.
 *
 * 1. The answer as a whole (`answer-checks.ts`): a fault refuses the day.
 * 2. The members of the market (`members.ts`), and what the day needs besides its bars (`bond-columns.ts`, `stock-columns.ts`).
 * 3. Row by row, with the import's checks: a faulty row is put aside and reported; the day is refused beyond `mostAside` of them.
 * 4. The day beside the one before, with the import's checks of days.
 */

import type { Security } from '@convexa/engine'
import type { Finding } from '../../db/tables/quality.ts'
import type { NewDay } from '../../market/append-day.ts'
import { benchmarkAfter } from '../../market/benchmark.ts'
import type { Arranged } from '../../market/import/arrange.ts'
import { boardOfStock } from '../../market/import/code.ts'
import { judgeDays } from '../../market/import/day-checks.ts'
import { factorColumns } from '../../market/import/factors.ts'
import { judgeRows, quarantineLimit } from '../../market/import/judge-rows.ts'
import { fieldsOf } from '../../market/import/mapping.ts'
import type { Reference } from '../../market/import/row-checks.ts'
import { marketOf, rulesOf } from '../../market/market-rules.ts'
import type { StoredColumn } from '../../market/store.ts'
import type { DayTable } from '../rows.ts'
import { judgeAnswer } from './answer-checks.ts'
import { unknownRatings } from './bond-columns.ts'
import { priceInForce } from './conversion-prices.ts'
import { missingIn, partsIn } from './counted-parts.ts'
import type { DayAnswers } from './day-answers.ts'
import { callListsOf, hasStColumn, withDayColumns } from './day-columns.ts'
import type { PartState } from './day-parts.ts'
import { dayRows } from './day-rows.ts'
import type { Entry } from './entries.ts'
import { settledFactors, withFactors, withSettled } from './factors.ts'
import type { Facts } from './facts.ts'
import { listCoverage } from './list-coverage.ts'
import { listingEvidence } from './listing-evidence.ts'
import { type Members, membersOf } from './members.ts'
import { withSpecialDays } from './names.ts'
import { didTrade, withoutOutsiders } from './outsiders.ts'
import type { Past } from './past.ts'
import { asideAgain, rejectedCodes, wasRejectedBefore } from './rejected-alarm.ts'
import { repeatedFinding, withoutRepeatedShares, withoutRepeats } from './repeated-rows.ts'
import { withRevisions } from './revised.ts'

/** `day: null`: a fault refuses it. `findings` say what was found, also in a day that is good. */
export interface Made {
  readonly day: NewDay | null
  readonly findings: readonly Finding[]
  /** Rows that were judged, and those left out. */
  readonly rows: number
  readonly quarantined: number
  /** Parts of the day that its answers tell of. */
  readonly parts: readonly PartState[]
  /** Factors of the day before that are known now, as the source gives them. */
  readonly settled?: ReadonlyMap<string, number>
  /** Codes whose row did not count as its source gave it, ascending. */
  readonly rejected?: readonly string[]
}

export function makeDay(published: Past, given: DayAnswers): Made {
  const answers = { ...given, stocks: given.stocks && withoutRepeatedShares(published, given.stocks) }
  const { day, entries, facts, stocks } = answers
  const inside = withoutOutsiders(published, answers)
  const settled = answers.madeFactors ? settledFactors(published, inside, answers.madeFactors) : new Map<string, number>()
  const past = withSettled(published, settled)
  const came = withFactors(past, inside)
  const { table, repeated } = withoutRepeats(past, came)
  const traded = new Set(table.codes.filter((_, i) => didTrade(table, i)))
  const stockCodes = [...traded].flatMap((code) => stockCodeOf(past, entries, code) ?? [])
  // A table that is yesterday's as a whole is refused as one.
  const refused = judgeAnswer({ day, past, table: came, stocks, stockCodes, isLate: answers.isLate ?? false })
  if (refused.length > 0) return { day: null, findings: refused, rows: came.codes.length, quarantined: 0, parts: [] }

  const there = new Set([...table.codes, ...(table.suspended ?? [])])
  const found = membersOf(past, day, entries, facts, there, listingEvidence(past.kind, table), {
    ...{ stockNames: answers.stockNames, callLists: callListsOf(past, answers) },
    ...(answers.shareEnds && { shareEnds: answers.shareEnds }),
  })
  const listed = hasStColumn(past, table) ? found : { ...found, securities: withSpecialDays(found.securities, facts.names) }
  const { table: whole, otherValues } = withDayColumns(past, { ...answers, table }, listed)
  const members = withRevisions(past, listed, whole)
  const flags = Uint8Array.from(whole.codes, (code) => Number(traded.has(code)))
  const { rows, from } = dayRows(past, whole, flags, answers.source)
  const judged = judgeRows(past.kind, rows, { adjust: 'raw' }, null, {
    from,
    // The codes of the past come first among the rows' codes.
    earlier: past.earlier,
    aside: past.aside,
    factorStates: past.factorStates,
    reference: entries && referenceOf(entries, answers, past),
    boardOf: (code) => members.securities[members.placeOf.get(code) ?? -1]?.board ?? boardOfStock(code),
  })
  const dropped = (row: number) => judged.dropped[from + row] === 1
  const kept = put(past, members, withWorkedOut(past.kind, whole, judged.factors?.subarray(from)), flags, dropped, there)
  const rejected = rejectedCodes(came, kept)
  const reported = [
    ...judged.findings,
    ...repeatedFinding(repeated),
    ...priceFindings(whole, facts, otherValues),
    ...unknownRatings(facts, whole.codes, day),
    ...asideAgain(rejected.filter((code) => wasRejectedBefore(past, answers, code))),
  ]
  const findings = [...reported]
  // Rows that could not be read were put aside by their source's reader.
  const aside = judged.quarantined + (table.unread?.length ?? 0)
  if (aside > mostAside(traded.size)) findings.push(tooMany(aside, traded.size))
  const missingBars = missingIn(past, { table, stocks }, kept)
  const unknown = clausesUnknown(past, entries, kept.securities)
  findings.push(...unknown)
  const made: NewDay = {
    date: day,
    ...kept,
    missingBars,
    benchmarks: benchmarkOf(past, kept),
    carried: { aside: judged.aside, factors: judged.factorStates, call_lists: callListsOf(past, answers) },
    found: { of: 'rows', quarantined: judged.quarantined, findings: [...reported, ...unknown] },
  }
  if (past.dates.length > 0) {
    const two = beside(past, made)
    findings.push(...judgeDays(two, answers.isLate && isHalfThere(two) ? shortIsTold : null))
  }
  const isBad = findings.some(({ level }) => level === 'fault')
  const parts = partsIn(past, answers.table, made)
  return { day: isBad ? null : made, findings, rows: traded.size, quarantined: judged.quarantined, parts, settled, rejected }
}

/** A table that lacks a fifth is one that is being written, and the day is asked for again in five minutes. At 20:00 what is there is published. */
const shortIsTold = { tolerate: { short_last_day: '到 20:00 仍未到齐，缺少的证券列为未到，会再询问' } }

/** Whether at least half of those that traded on the day before traded on the day. */
function isHalfThere({ traded, stride }: Arranged): boolean {
  const tradedOn = (t: number) => traded.subarray(t * stride, (t + 1) * stride).reduce((sum, flag) => sum + flag, 0)
  return 2 * tradedOn(1) >= tradedOn(0)
}

/** The factors as the checks worked them out: where one does not move though the exchange's previous close does, it goes on from that. */
function withWorkedOut(kind: Past['kind'], table: DayTable, factors: Float64Array | undefined): DayTable {
  const key = factorColumns(kind)?.factor
  return key === undefined || !factors || !table.columns.has(key) ? table : { ...table, columns: new Map(table.columns).set(key, factors) }
}

/** Rows of a day that may be put aside, of so many that traded: half a percent, and ten in small markets up to 5 %. */
export const mostAside = (traded: number): number => Math.max(1, quarantineLimit * traded, Math.min(10, 0.05 * traded))

/**
 * New bonds whose clauses cannot be read: they stay unknown, and the usual call clause is not assumed. A bond whose list names no put has
 * none.
 */
function clausesUnknown(past: Past, entries: DayAnswers['entries'], securities: NewDay['securities']): Finding[] {
  if (!marketOf(past.kind)?.redeemed) return []
  const known = new Set(past.securities.map(({ code }) => code))
  const isUnread = (code: string, clause: 'reset' | 'put') => entries?.get(code)?.unread?.includes(clause) ?? false
  const clauseFinding = (label: string, then: string, isUnknown: (security: Security) => boolean): Finding[] => {
    const unknown = securities.filter((security) => !known.has(security.code) && isUnknown(security))
    if (unknown.length === 0) return []
    const examples = unknown.slice(0, 5).map(({ code, name }) => `${code} ${name}`)
    return [{ check: 'clause_unknown', level: 'warning', count: unknown.length, text: `新转债的${label}条款读不出，${then}`, examples }]
  }
  return [
    ...clauseFinding('强赎', '不计数，显示为条款未知', ({ terms }) => !terms?.redeem),
    ...clauseFinding('下修', '不计数，显示为条款未知', ({ code, terms }) => !terms?.reset && isUnread(code, 'reset')),
    ...clauseFinding('回售', '不计数，显示为没有条款或条款未知', ({ code, terms }) => !terms?.put && isUnread(code, 'put')),
  ]
}

const tooMany = (count: number, traded: number): Finding => ({
  check: 'too_many',
  level: 'fault',
  count,
  text: `有问题的行超过 ${Math.floor(mostAside(traded))} 行，当天整批拒绝`,
  examples: [],
})

function priceFindings({ date, codes }: DayTable, facts: Facts, otherValues: readonly string[]): Finding[] {
  const derived = codes.flatMap((code) => {
    const inForce = priceInForce(facts.conversionPrices.get(code), date)
    return inForce?.derived && inForce.effective === date ? [`${code} ${inForce.price} 元`] : []
  })
  const priceFinding = (check: string, text: string, all: readonly string[]): Finding[] =>
    all.length === 0 ? [] : [{ check, level: 'warning', count: all.length, text, examples: all.slice(0, 5) }]
  return [
    ...priceFinding('price_derived', '转股价变动没有公告来源，已按列表最新价或转股价值推算', derived),
    ...priceFinding('other_value', '数据源的转股价值与已知转股价不符，未采用；转股价值与溢价率按已知转股价计算', otherValues),
  ]
}

const stockCodeOf = (past: Past, entries: DayAnswers['entries'], code: string): string | undefined =>
  rulesOf(past.kind)?.issuerMarket
    ? (entries?.get(code)?.stockCode ?? (past.securities.find((security) => security.code === code)?.stockCode || undefined))
    : undefined

function referenceOf(
  entries: ReadonlyMap<string, Entry>,
  { day, table, facts, exDays, source, listSource = source }: DayAnswers,
  past: Past,
): Reference {
  const given = table.columns.get('conv_price')
  const own = new Map(given && table.codes.map((code, i) => [code, given[i]!]))
  const known = new Map(past.securities.map((security) => [security.code, security]))
  const isCovered = listCoverage({ kind: past.kind, codes: entries.keys(), listSource, barSource: source })
  return {
    about(code) {
      const [entry, security] = [entries.get(code), known.get(code)]
      // A list that lacks a security of the market takes it not away.
      const stated = entry ?? security
      if (!stated) return isCovered(code) ? null : { listed: null, delisted: null, matures: null }
      return { listed: stated.listed, delisted: stated.delisted, matures: (security?.terms ?? entry?.terms)?.maturityDate ?? null }
    },
    repriced(code, after, upTo) {
      const prices = facts.conversionPrices.get(code)
      // A price that is made of what is known may also have been heard of late.
      if (upTo === day && !(own.get(code)! > 0) && priceInForce(prices, day)) return true
      return prices ? prices.some(({ effective }) => effective > after && effective <= upTo) : null
    },
    hasExDay: (code) => exDays?.get(code) ?? null,
  }
}

/** The rows that are kept, in the places of their securities. A security that only a dropped row names is no member yet. */
function put(
  past: Past,
  members: Members,
  table: DayTable,
  flags: Uint8Array,
  dropped: (row: number) => boolean,
  there: ReadonlySet<string>,
): Pick<NewDay, 'securities' | 'columns' | 'listed' | 'traded'> {
  const known = new Set(past.securities.map(({ code }) => code))
  const good = new Set(table.codes.filter((_, row) => !dropped(row)))
  const stays = members.securities.map(({ code }) => known.has(code) || good.has(code) || (there.has(code) && !table.codes.includes(code)))
  const securities = members.securities.filter((_, i) => stays[i])
  const listed = members.listed.filter((_, i) => stays[i])
  const placeOf = new Map(securities.map(({ code }, i) => [code, i]))
  const traded = new Uint8Array(securities.length)
  const storable = new Set(fieldsOf(past.kind).map(({ key }) => key))
  const columns = new Map<string, Float64Array>()
  for (const [key, cells] of table.columns) {
    if (!storable.has(key)) continue
    const column = new Float64Array(securities.length).fill(Number.NaN)
    for (let row = 0; row < cells.length; row++) {
      const place = dropped(row) ? undefined : placeOf.get(table.codes[row]!)
      if (place !== undefined && Number.isFinite(cells[row])) column[place] = cells[row]!
    }
    columns.set(key, column)
  }
  for (let row = 0; row < table.codes.length; row++) {
    const place = dropped(row) ? undefined : placeOf.get(table.codes[row]!)
    if (place !== undefined && flags[row] === 1 && listed[place] === 1) traded[place] = 1
  }
  return { securities, columns, listed, traded }
}

type Put = Pick<NewDay, 'securities' | 'columns' | 'listed' | 'traded'>

/** The market's own series, one day on. */
function benchmarkOf(past: Past, { securities, columns, listed, traded }: Put): Map<string, number> {
  const close = columns.get('close')
  if (!close) return new Map()
  const width = securities.length
  const places = new Map(past.securities.map(({ code }, place) => [code, place]))
  const last = (past.dates.length - 1) * past.stride
  const two = <C extends Float64Array | Uint8Array>(
    out: C,
    before: ArrayLike<number> | undefined,
    now: ArrayLike<number>,
    absent: number,
  ): C => {
    securities.forEach(({ code }, i) => {
      const place = places.get(code)
      out[i] = place === undefined || last < 0 ? absent : (before?.[last + place] ?? absent)
      out[width + i] = now[i]!
    })
    return out
  }
  const flags = {
    listed: two(new Uint8Array(2 * width), past.listed, listed, 0),
    traded: two(new Uint8Array(2 * width), past.traded, traded, 0),
  }
  const carried = (key: string, now: ArrayLike<number>) => {
    const cells = two(new Float64Array(2 * width), past.columns.get(key), now, Number.NaN)
    for (let i = 0; i < width; i++) {
      const isOne = flags.listed[i] === 1 && flags.listed[width + i] === 1
      if (cells[width + i] !== cells[width + i] && isOne) cells[width + i] = cells[i]!
    }
    return cells
  }
  const factor = columns.get('adj_factor')
  if (past.dates.length === 0) return new Map([...benchmarkAfter(past.kind, new Map(), none(width)).keys()].map((code) => [code, 1000]))
  return benchmarkAfter(past.kind, past.benchmarks, {
    close: carried('close', close),
    factor: factor ? carried('adj_factor', factor) : null,
    ...flags,
    stride: width,
  })
}

const none = (stride: number) => ({
  close: new Float64Array(2 * stride),
  factor: null,
  listed: new Uint8Array(2 * stride),
  traded: new Uint8Array(2 * stride),
  stride,
})

/** The day before and the day, as the checks of days look at them. */
function beside(past: Past, day: NewDay): Arranged {
  const stride = day.securities.length
  const places = new Map(past.securities.map(({ code }, place) => [code, place]))
  const last = past.dates.length - 1
  const two = <C extends Float64Array | Uint8Array>(out: C, before: ArrayLike<number> | undefined, now: ArrayLike<number>): C => {
    day.securities.forEach(({ code }, i) => {
      const place = places.get(code)
      if (place !== undefined && before) out[i] = before[last * past.stride + place]!
      out[stride + i] = now[i]!
    })
    return out
  }
  const columns = new Map<string, StoredColumn>()
  for (const key of ['conv_value', 'conv_price']) {
    const now = day.columns.get(key)
    const cells = now && two(new Float64Array(2 * stride).fill(Number.NaN), past.columns.get(key), Float64Array.from(now))
    if (cells) columns.set(key, { store: 'f64', cells, origin: 'file' })
  }
  return {
    kind: past.kind,
    dates: [past.dates[last]!, day.date],
    securities: [...day.securities],
    stride,
    columns,
    listed: two(new Uint8Array(2 * stride), past.listed, day.listed),
    traded: two(new Uint8Array(2 * stride), past.traded, day.traded),
  }
}
