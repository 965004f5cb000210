/**
 * Judges the rows of an import. A row outside its listing window is not used: it is neither judged nor compared with; a faulty row
 * inside is put in quarantine; points that a preset names are kept and told. More than 0.5 % of the rows inside listing windows refuse the batch.
 *
 * 1. Each row by itself (`row-checks.ts`); rows of one code and day that differ are all put aside, since nothing says which one holds.
 * 2. Security by security in the order of days (`level-checks.ts`): a row is compared with the last kept one. Stored rows that an update
 *    joins are walked along and not judged, so a seam is judged as any two days are. Factors are worked out on the way (`factors.ts`).
 */

import type { Board } from '@convexa/contract'
import type { Finding } from '../../db/tables/quality.ts'
import { isTradingDay, tradingDays } from '../calendar.ts'
import type { Aside, FactorState, SnapshotKind } from '../manifest.ts'
import { marketOf } from '../market-rules.ts'
import { boardOfStock } from './code.ts'
import { type FactorWalk, factorColumns, factorWalk, type Walk } from './factors.ts'
import { type Limits, levelChecks, limitsOf } from './level-checks.ts'
import type { Mapping } from './mapping.ts'
import type { Preset } from './presets.ts'
import { type Reference, rowChecks, type View } from './row-checks.ts'
import { byCodeAndDay } from './row-order.ts'
import type { Rows } from './rows.ts'
import { tradedIn } from './traded-rows.ts'

export interface Judged {
  /** 1 = not used: in quarantine, or another row of the same code and day holds. */
  readonly dropped: Uint8Array
  readonly quarantined: number
  /** Judged rows inside listing windows. */
  readonly inside: number
  readonly findings: Finding[]
  /** Adjustment factors of the rows as they were worked out; null where there are none. */
  readonly factors: Float64Array | null
  /** What the next file goes on from, by code. */
  readonly factorStates: Readonly<Record<string, FactorState>>
  readonly aside: Readonly<Record<string, Aside>>
}

export const quarantineLimit = 0.005

export interface Judging {
  /** Rows before it are known: they are what the others are compared with, and not judged. */
  readonly from?: number
  /** 1 inside the listing window; null or absent: all rows are. */
  readonly inside?: Uint8Array | null
  readonly reference?: Reference | null
  readonly withoutBase?: ReadonlySet<string>
  readonly boardOf?: (code: string) => Board
  /** By code: how many rows there are before the first of these. */
  readonly earlier?: ArrayLike<number>
  /** By code: what was put aside behind the last of the known rows. */
  readonly aside?: Readonly<Record<string, Aside>>
  readonly factorStates?: Readonly<Record<string, FactorState>>
  /** The file has no factors: they follow from the previous closes alone. */
  readonly isDerived?: boolean
  /** By known row whose factor is worked out anew: the factor that it had. */
  readonly reopened?: ReadonlyMap<number, number>
}

export function judgeRows(
  kind: SnapshotKind,
  rows: Rows,
  { adjust }: Pick<Mapping, 'adjust'>,
  preset: Preset | null,
  judging: Judging = {},
): Judged {
  const { from = 0, inside: insideMask, reference = null, boardOf = boardOfStock, earlier } = judging
  const inside = insideMask ?? new Uint8Array(rows.count).fill(1)
  const dropped = new Uint8Array(rows.count)
  const dateText = (row: number) => rows.dates[rows.date[row]!]!
  const view: View = { rows, kind, adjust, dateText, reference, withoutBase: judging.withoutBase ?? new Set() }
  const known = knownPoints(rows, preset)
  const verdicts = new Verdicts(rows, preset)
  const order = byCodeAndDay(rows)
  for (const row of doublesIn(rows, order, from)) {
    if (row < 0) dropped[~row] = 1
    else if (verdicts.isPutAside('duplicate', '同一代码同一日期有内容不同的行', row)) dropped[row] = 1
  }
  // Rows that are none of the security's: what they say is compared with nothing.
  const isForeign = new Uint8Array(rows.count)
  for (const { key, text, everywhere, ofOthers, make } of rowChecks) {
    const faulty = make(view)
    if (faulty === null) continue
    for (let row = from; row < rows.count; row++) {
      if (dropped[row] === 1 || !(everywhere || inside[row] === 1) || !faulty(row)) continue
      if (!everywhere && known.has(row)) continue
      if (!verdicts.isPutAside(key, text, row)) continue
      dropped[row] = 1
      if (ofOthers) isForeign[row] = 1
    }
  }
  const day = calendarPlaces(rows.dates)
  const walk: Walk = { last: -1, days: 0, aside: 0, isLevelAside: false, age: 0 }
  const limits = limitsOf(view, boardOf)
  const filed = daysOfFile(rows, day)
  const mayLack = lackingRows(rows, day)
  const hasDaysSince = ({ last, days }: Walk) => filed[day[rows.date[last]!]! + days]! - filed[day[rows.date[last]!]!]! === days
  const isUsed = (row: number) => inside[row] === 1 && dropped[row] === 0
  const hasOwnFactors = marketOf(kind)?.hasAdjustmentFactor ?? false
  const factors = factorWalk(kind, {
    ...{ rows, walk, from, isUsed, dateText, mayFollow: marketOf(kind)?.hasIssuerStock ? mayFollowAnyhow : limits.mayFollow },
    holds: rows.readings.find(({ field }) => field.key === factorColumns(kind)?.factor)?.holds ?? null,
    dayOf: (row) => day[rows.date[row]!]!,
    // A share that has no row on days of the file is suspended; of a bond without a row the share may have traded.
    isFollowing: () => walk.aside === 0 && (walk.days === 1 || (hasOwnFactors && hasDaysSince(walk) && !mayLack(walk))),
    states: judging.factorStates ?? {},
    isDerived: judging.isDerived ?? false,
    reopened: judging.reopened ?? new Map(),
  })
  const isOwn = (row: number) => inside[row] === 1 && isForeign[row] === 0
  const aside = walkRows({ rows, order, day, from, isOwn, dropped, walk, factors, known, verdicts, view, limits, judging, earlier })
  const findings = verdicts.findings()
  if (factors) findings.push(...factorFindings(kind, rows, factors, from))
  if (known.size > 0) {
    const kept = [...known]
    findings.push({
      check: 'known',
      level: 'warning',
      count: kept.length,
      text: '来源中已知有误的点，按原样保留',
      examples: kept.slice(0, 5).map(([row, why]) => `${rows.labelOf(row)} ${why}`),
    })
  }
  let insideRows = 0
  for (let row = from; row < rows.count; row++) insideRows += inside[row]!
  return {
    ...{ dropped, quarantined: verdicts.quarantined, inside: insideRows, findings },
    ...{ factors: factors?.cells ?? null, factorStates: factors?.states ?? {}, aside },
  }
}

/** The widest limit of any board: a bond's share is not known well enough. */
const mayFollowAnyhow = (_row: number, price: number, from: number, days: number): boolean =>
  Math.abs(Math.log(price / from)) <= 0.36 * Math.min(days, 3)

const places = new Map(['duplicate', ...rowChecks.map(({ key }) => key), ...levelChecks.map(({ key }) => key)].map((key, k) => [key, k]))

/** What the checks say, in the order in which they are asked. */
class Verdicts {
  quarantined = 0
  readonly #found = new Map<string, { text: string; rows: number[] }>()
  readonly #rows: Rows
  readonly #preset: Preset | null
  constructor(rows: Rows, preset: Preset | null) {
    this.#rows = rows
    this.#preset = preset
  }

  /** Notes a faulty row; false where its preset keeps such rows. */
  isPutAside(key: string, text: string, row: number): boolean {
    const found = this.#found.get(key)
    if (found) found.rows.push(row)
    else this.#found.set(key, { text, rows: [row] })
    const isKept = this.#preset?.tolerate?.[key] !== undefined
    if (!isKept) this.quarantined++
    return !isKept
  }

  findings(): Finding[] {
    const { labelOf, whereIs } = this.#rows
    const found = [...this.#found].sort(([a], [b]) => places.get(a)! - places.get(b)!)
    return found.map(([check, { text, rows }]): Finding => {
      const tolerated = this.#preset?.tolerate?.[check]
      const first = rows.sort((a, b) => a - b).slice(0, 5)
      return {
        check,
        level: tolerated === undefined ? 'quarantine' : 'warning',
        count: rows.length,
        text: tolerated === undefined ? text : `${text}：${tolerated}`,
        examples: first.map((row) => `${labelOf(row)}（${whereIs(row)}）`),
      }
    })
  }
}

interface Walking {
  readonly rows: Rows
  readonly order: Int32Array
  readonly day: Float64Array
  readonly from: number
  /** Whether a row is of its security, in quarantine or not. */
  readonly isOwn: (row: number) => boolean
  readonly dropped: Uint8Array
  readonly walk: Walk
  readonly factors: FactorWalk | null
  readonly known: ReadonlyMap<number, string>
  readonly verdicts: Verdicts
  readonly view: View
  readonly limits: Limits
  readonly judging: Judging
  readonly earlier: ArrayLike<number> | undefined
}

/** Walks the rows of each security in the order of days. Returns what is put aside behind its last kept row, by code. */
function walkRows(given: Walking): Record<string, Aside> {
  const { rows, order, day, from, isOwn, dropped, walk, factors, known, verdicts, view, limits, judging, earlier } = given
  const isTraded = tradedIn(rows)
  const sizes = rows.fields.get('remain_size')
  const prices = rows.fields.get('conv_price')
  let [size, price] = [-1, -1]
  const checks = levelChecks.flatMap(({ key, text, make }) => {
    const faulty = make({
      ...view,
      ...{ walk, isTraded, factors, limits },
      isNext: () => walk.last >= 0 && (walk.isLevelAside || walk.days - 1 <= walk.aside),
      lastGiven: (field) => (field === 'remain_size' ? size : price),
    })
    return faulty ? [{ key, text, faulty }] : []
  })
  // A security without a row here stays as it was.
  const asides: Record<string, Aside> = { ...judging.aside }
  const setAside = (row: number, isLevel: boolean, before: Aside | undefined): Aside => ({
    since: before?.since ?? view.dateText(row),
    days: (before?.days ?? 0) + 1,
    level: before?.level === true || isLevel,
  })

  let aside: Aside | undefined
  /** Judges the row at a place; true where it is kept. */
  const visit = (place: number): boolean => {
    const row = order[place]!
    if (dropped[row] === 1) return false
    walk.days = walk.last < 0 ? 0 : day[rows.date[row]!]! - day[rows.date[walk.last]!]!
    walk.aside = aside?.days ?? 0
    walk.isLevelAside = aside?.level ?? false
    factors?.resolve(place)
    if ((row >= from || factors?.isReopened(row)) && !known.has(row)) {
      for (const { key, text, faulty } of checks) {
        if (!faulty(row) || !verdicts.isPutAside(key, text, row)) continue
        dropped[row] = 1
        return false
      }
    }
    factors?.keep(row)
    walk.last = row
    walk.age++
    aside = undefined
    if (sizes && sizes[row] === sizes[row]) size = row
    if (prices && prices[row] === prices[row]) price = row
    return true
  }

  for (let start = 0; start < order.length; ) {
    const code = rows.code[order[start]!]!
    let end = start + 1
    while (end < order.length && rows.code[order[end]!] === code) end++
    walk.last = -1
    walk.age = earlier?.[code] ?? 0
    ;[size, price] = [-1, -1]
    aside = undefined
    let stored = judging.aside?.[rows.codes[code]!]
    factors?.begin(code, order, start, end)
    for (let place = start; place < end; ) {
      const row = order[place]!
      let behind = place + 1
      while (behind < end && rows.date[order[behind]!] === rows.date[row]) behind++
      if (stored && row >= from && view.dateText(row) >= stored.since) {
        if (walk.last >= 0 && view.dateText(walk.last) < stored.since) aside = stored
        stored = undefined
      }
      // Of one day the file's row holds where it is good, else the stored one.
      let isKept = false
      let isFaulty = false
      let isLevel = false
      for (let k = behind - 1; k >= place; k--) {
        const each = order[k]!
        if (!isOwn(each)) continue
        if (isKept) {
          dropped[each] = 1
          continue
        }
        const wasGood = dropped[each] === 0
        isKept = visit(k)
        if (!isKept) {
          isFaulty = true
          isLevel ||= wasGood
        }
      }
      if (isFaulty && !isKept && walk.last >= 0) aside = setAside(row, isLevel, aside)
      place = behind
    }
    // Stored rows behind which nothing new came.
    if (stored && walk.last >= 0 && view.dateText(walk.last) < stored.since) aside = stored
    if (aside) asides[rows.codes[code]!] = aside
    else delete asides[rows.codes[code]!]
    factors?.end()
    start = end
  }
  return asides
}

function factorFindings(kind: SnapshotKind, rows: Rows, { found, states }: FactorWalk, from: number): Finding[] {
  const { unmoved, unknown, steps, joined } = found
  const labels = (all: readonly number[]) =>
    [...all]
      .sort((a, b) => a - b)
      .slice(0, 5)
      .map((row) => rows.labelOf(row))
  const findings: Finding[] = []
  if (unmoved.length > 0) {
    const text = '前收盘价有变动而复权因子没有变动，复权因子已按前收盘价推算'
    findings.push({ check: 'factor_unmoved', level: 'warning', count: unmoved.length, text, examples: labels(unmoved) })
  }
  if (unknown.length > 0) {
    const text = '复权因子缺失，且没有前收盘价可以推算，当日复权价未知'
    findings.push({ check: 'factor_unknown', level: 'warning', count: unknown.length, text, examples: labels(unknown) })
  }
  const ends = Object.entries(states).flatMap(([code, { open }]) => (open === undefined ? [] : [`${code} 自 ${open}`]))
  // A bond's share that is suspended gives nothing.
  if (marketOf(kind)?.hasAdjustmentFactor && ends.length > 0) {
    const text = '复权因子缺到文件末尾，已按前收盘价推算，没有前收盘价的沿用最后一个值'
    findings.push({ check: 'factor_ends', level: 'warning', count: ends.length, text, examples: ends.slice(0, 5) })
  }
  const byDay = new Map<string, number>()
  for (const row of steps) byDay.set(rows.dates[rows.date[row]!]!, (byDay.get(rows.dates[rows.date[row]!]!) ?? 0) + 1)
  const [worst] = [...byDay].sort((a, b) => b[1] - a[1])
  if (worst && from > 0 && worst[1] * 2 > joined) {
    const text = '文件的复权因子与已有行情不在同一基准上，也没有前收盘价可以换算；请导入整份文件'
    findings.push({ check: 'factor_base', level: 'fault', count: worst[1], text, examples: labels(steps) })
  }
  return findings
}

/** Places of dates on the trading calendar; on a day that is none, or in a year without data, after the day before it in the file. */
function calendarPlaces(dates: readonly string[]): Float64Array {
  const sorted = [...dates].sort()
  const days = tradingDays(sorted[0]!, sorted.at(-1)!)
  const place = new Map(days.map((date, k) => [date, k]))
  let last = -1
  for (const date of sorted) {
    last = place.get(date) ?? last + 1
    place.set(date, last)
  }
  return Float64Array.from(dates, (date) => place.get(date)!)
}

/** Whether a row of a security between two may be one of those whose code or day cannot be read: then it did not stand still. */
function lackingRows(rows: Rows, day: Float64Array): (walk: Walk) => boolean {
  const days = new Set<number>()
  const codes = new Set<number>()
  const isClosed = rows.dates.map((date) => isTradingDay(date) === false)
  for (let row = 0; row < rows.count; row++) {
    const [code, date] = [rows.code[row]!, rows.date[row]!]
    if (code < 0 && date >= 0) days.add(day[date]!)
    else if (code >= 0 && (date < 0 || isClosed[date])) codes.add(code)
  }
  return ({ last, days: count }) => {
    if (codes.has(rows.code[last]!)) return true
    const first = day[rows.date[last]!]!
    for (let k = 1; k < count; k++) if (days.has(first + k)) return true
    return false
  }
}

/** By place on the calendar: how many days up to it have a row of any security. */
function daysOfFile(rows: Rows, day: Float64Array): Int32Array {
  const first = Math.min(...day)
  if (!(first >= 0)) return new Int32Array(1)
  const counts = new Int32Array(Math.max(...day) + 1)
  for (let row = 0; row < rows.count; row++) if (rows.date[row]! >= 0) counts[day[rows.date[row]!]!] = 1
  for (let k = 1; k < counts.length; k++) counts[k]! += counts[k - 1]!
  return counts
}

/** Of the rows of one code and day of a file: all of them where they differ; the others than the first, as `~row`, where they are alike. */
function doublesIn(rows: Rows, order: Int32Array, from: number): number[] {
  const columns = [...rows.fields.values()]
  const isSame = (a: number, b: number) =>
    columns.every((column) => Object.is(column[a], column[b])) &&
    rows.listed?.[a] === rows.listed?.[b] &&
    rows.traded?.[a] === rows.traded?.[b]
  const found: number[] = []
  for (let k = 0; k + 1 < order.length; ) {
    const first = order[k]!
    let end = k + 1
    while (end < order.length && rows.date[order[end]!] === rows.date[first] && rows.code[order[end]!] === rows.code[first]) end++
    if (end > k + 1) {
      const own = [...order.subarray(k, end)].filter((row) => row >= from)
      if (own.length > 1) found.push(...(own.every((row) => isSame(row, own[0]!)) ? own.slice(1).map((row) => ~row) : own))
    }
    k = end
  }
  return found
}

function knownPoints(rows: Rows, preset: Preset | null): Map<number, string> {
  const whys = new Map((preset?.known ?? []).flatMap(({ code, dates, why }) => dates.map((date) => [`${code} ${date}`, why] as const)))
  const points = new Map<number, string>()
  if (whys.size === 0) return points
  const codes = new Set([...whys.keys()].map((key) => key.split(' ')[0]!))
  const isWatched = Uint8Array.from(rows.codes, (code) => Number(codes.has(code)))
  for (let row = 0; row < rows.count; row++) {
    if (rows.date[row]! < 0 || isWatched[rows.code[row]!] !== 1) continue
    const why = whys.get(`${rows.codes[rows.code[row]!]} ${rows.dates[rows.date[row]!]}`)
    if (why !== undefined) points.set(row, why)
  }
  return points
}
