import type { Parameters, ScreenResult } from '@convexa/contract'
import { isFraction } from '@convexa/contract/enums/hold-range'
import { periodOf } from '@convexa/contract/enums/rebalance-type'
import { placesOf } from './hold-range.ts'

// Why a security came to a list or left it (experience.md 8.2): one cause for each change, read from the screens of both days.

export interface NamedCode {
  readonly code: string
  readonly name: string
}

/** A screen of a day as the causes read it: the whole ranking, the excluded securities, and the steps that excluded them. */
export type ScreenedDay = Pick<ScreenResult, 'trade_date' | 'total' | 'list_items' | 'excluded' | 'funnel'>

/** Two lists and what the causes of their differences are derived from. */
export interface ChangeInput {
  /** Screened with the list before as the one held. */
  readonly now: ScreenedDay
  /** The day of the list before, by the same rule; null where it is not known. */
  readonly earlier: ScreenedDay | null
  /** The earlier screen has only the top of its ranking, and no excluded securities. */
  readonly isEarlierPartial?: boolean | undefined
  readonly previous: readonly NamedCode[]
  readonly rule: Pick<Parameters, 'hold_method' | 'universe' | 'rebalance_method'>
  /** The day on which the rule was changed, where that was after the list before. */
  readonly changedOn?: string | null | undefined
  /** What securities of one issuer have in common; undefined where that is not known. */
  issuerOf?(code: string): string | undefined
}

/** `rank` and `from` are places of now and of then; `other` the security whose place it is about. */
export type ChangeCause =
  | { readonly kind: 'rule'; readonly on: string; readonly rank: number | null }
  /** It was excluded then and is not now. */
  | { readonly kind: 'passed'; readonly rule: string; readonly rank: number }
  /** It had no value in a scored factor then. */
  | { readonly kind: 'valued'; readonly rule: string; readonly rank: number }
  | { readonly kind: 'aged'; readonly rule: string; readonly rank: number }
  | { readonly kind: 'listed'; readonly rank: number }
  | { readonly kind: 'entered'; readonly from: number; readonly rank: number; readonly last: number }
  /** Another of its issuer held the place that the issuer may have. */
  | { readonly kind: 'issuer_free'; readonly other: NamedCode; readonly rank: number }
  /** It was within the range, all places were kept by others. */
  | { readonly kind: 'place_free'; readonly other: NamedCode; readonly rank: number; readonly within: boolean }
  | { readonly kind: 'room'; readonly held: number; readonly rank: number }
  | { readonly kind: 'waited'; readonly since: string; readonly last: number }
  | { readonly kind: 'gone' }
  | { readonly kind: 'called'; readonly rule: string }
  /** `rule`: 停牌, or 缺行情 where the day's bar has not come. */
  | { readonly kind: 'suspended'; readonly rule: string }
  | { readonly kind: 'excluded'; readonly rule: string }
  | { readonly kind: 'valueless'; readonly rule: string }
  /** Beyond range and buffer only now; `buffered`: it had been beyond the range and was kept by the buffer. */
  | { readonly kind: 'left'; readonly from: number; readonly rank: number; readonly bound: number; readonly buffered: boolean }
  | { readonly kind: 'risen'; readonly from: number | null; readonly rank: number; readonly first: number }
  | { readonly kind: 'outside'; readonly since: string; readonly bound: number; readonly waits: boolean }
  | { readonly kind: 'issuer_taken'; readonly other: NamedCode }
  | { readonly kind: 'crowded'; readonly rank: number; readonly places: number }
  /** Where it stood is not known: only where it stands now. */
  | { readonly kind: 'in_now' | 'out_now'; readonly rank: number; readonly bound: number }

type Row = ScreenResult['list_items'][number]

/** The cause of each change, by code: of those that left the list and of those that came to it. Each has exactly one. */
export function changeCauses(input: ChangeInput): Map<string, ChangeCause> {
  const days = daysOf(input)
  const causes = new Map<string, ChangeCause>()
  for (const one of days.left) causes.set(one.code, causeOfLeaving(input, days, one.code))
  // A place that became free is given to one newcomer, in the order of the ranks.
  const free = days.left.filter(({ code }) => !days.heirs.has(code))
  let next = 0
  for (const row of days.came) {
    causes.set(
      row.code,
      causeOfComing(input, days, row, () => free[next++] ?? null),
    )
  }
  return causes
}

interface ChangedDays {
  readonly now: ReadonlyMap<string, Row>
  readonly earlier: ReadonlyMap<string, Row>
  readonly excludedNow: ReadonlyMap<string, Exclusion>
  readonly excludedEarlier: ReadonlyMap<string, Exclusion>
  readonly selected: readonly Row[]
  readonly left: readonly NamedCode[]
  readonly came: readonly Row[]
  /** Those that left while another of their issuer came: their place went to it. */
  readonly heirs: ReadonlySet<string>
}

interface Exclusion {
  readonly rule: string
  /** `exclude.list_days`, `filter.0`, `missing.dblow` …; empty where the steps are not told. */
  readonly step: string
}

function daysOf({ now, earlier, previous, issuerOf }: ChangeInput): ChangedDays {
  const selected = now.list_items.filter((row) => row.selected)
  const chosen = new Set(selected.map(({ code }) => code))
  const previousCodes = new Set(previous.map(({ code }) => code))
  const left = previous.filter(({ code }) => !chosen.has(code))
  const came = selected.filter(({ code }) => !previousCodes.has(code))
  const issuers = new Set(came.flatMap(({ code }) => issuerOf?.(code) ?? []))
  return {
    now: byCode(now),
    earlier: byCode(earlier),
    excludedNow: exclusionsOf(now),
    excludedEarlier: exclusionsOf(earlier),
    ...{ selected, left, came },
    heirs: new Set(left.flatMap(({ code }) => (issuers.has(issuerOf?.(code) ?? '') ? [code] : []))),
  }
}

const byCode = (day: ScreenedDay | null): ReadonlyMap<string, Row> => new Map(day?.list_items.map((row) => [row.code, row]))

const exclusionsOf = (day: ScreenedDay | null): ReadonlyMap<string, Exclusion> =>
  new Map(day?.excluded?.map(({ code, rule, rule_index: at }) => [code, { rule, step: day.funnel[at]?.step ?? '' }]))

/** The first line that holds (experience.md 8.2). */
function causeOfComing(input: ChangeInput, days: ChangedDays, { code, rank: place }: Row, freed: () => NamedCode | null): ChangeCause {
  const { earlier, previous, rule, changedOn, issuerOf } = input
  const rank = place ?? 0
  if (changedOn) return { kind: 'rule', on: changedOn, rank }
  const { last } = rangeOf(rule, input.now.total)
  if (earlier === null) return { kind: 'in_now', rank, bound: last }
  const excluded = days.excludedEarlier.get(code)
  if (excluded?.step.startsWith('missing.')) return { kind: 'valued', rule: excluded.rule, rank }
  if (excluded?.step === 'exclude.list_days') return { kind: 'aged', rule: excluded.rule, rank }
  if (excluded) return { kind: 'passed', rule: excluded.rule, rank }
  const from = days.earlier.get(code)?.rank ?? null
  if (from === null) return input.isEarlierPartial ? { kind: 'in_now', rank, bound: last } : { kind: 'listed', rank }
  const before = rangeOf(rule, earlier.total)
  const within = rank <= last
  if (within && (from > before.last || from < before.first)) return { kind: 'entered', from, rank, last }
  const issuer = issuerOf?.(code)
  const mate = issuer === undefined ? undefined : days.left.find((one) => issuerOf?.(one.code) === issuer)
  if (mate) return { kind: 'issuer_free', other: mate, rank }
  // Those whose ranks were beyond the range were kept by the buffer: without one a free place is waited for until the day of rotation.
  if (within && waits(rule) && rule.hold_method.hold_threshold === 0) return { kind: 'waited', since: earlier.trade_date, last }
  const other = freed()
  if (other) return { kind: 'place_free', other, rank, within }
  return { kind: 'room', held: previous.length, rank }
}

function causeOfLeaving(input: ChangeInput, days: ChangedDays, code: string): ChangeCause {
  const { earlier, rule, changedOn, issuerOf } = input
  const row = days.now.get(code)
  const rank = row?.rank ?? null
  if (changedOn) return { kind: 'rule', on: changedOn, rank }
  if (row === undefined || rank === null) return causeOfExclusion(days.excludedNow.get(code), row)
  const { first, last } = rangeOf(rule, input.now.total)
  const bound = last + rule.hold_method.hold_threshold
  const from = days.earlier.get(code)?.rank ?? null
  if (rank < first) return { kind: 'risen', from: from === rank ? null : from, rank, first }
  if (rank > bound) {
    if (earlier === null || from === null) return { kind: 'out_now', rank, bound }
    const before = rangeOf(rule, earlier.total)
    if (from > before.last + rule.hold_method.hold_threshold)
      return { kind: 'outside', since: earlier.trade_date, bound, waits: waits(rule) }
    return { kind: 'left', from, rank, bound, buffered: from > before.last }
  }
  const issuer = issuerOf?.(code)
  const mate = issuer === undefined ? undefined : days.selected.find((one) => issuerOf?.(one.code) === issuer)
  if (mate) return { kind: 'issuer_taken', other: mate }
  return { kind: 'crowded', rank, places: last - first + 1 }
}

function causeOfExclusion(excluded: Exclusion | undefined, row: Row | undefined): ChangeCause {
  if (!excluded) return row?.reason_text ? { kind: 'excluded', rule: row.reason_text } : { kind: 'gone' }
  const { step, rule } = excluded
  if (step.startsWith('missing.')) return { kind: 'valueless', rule }
  if (step === 'exclude.suspended') return { kind: 'suspended', rule }
  if (step === 'exclude.call_status' || step === 'exclude.last_day') return { kind: 'called', rule }
  return { kind: 'excluded', rule }
}

/** Whether the rule rotates more rarely than every day: until then a list stays as it is. */
const waits = ({ rebalance_method: method }: Pick<Parameters, 'rebalance_method'>): boolean =>
  periodOf(method) !== null || method.rebalance_value > 1

/** First and last place of the holding in a pool of so many. */
function rangeOf({ hold_method: hold }: Pick<Parameters, 'hold_method'>, size: number): { first: number; last: number } {
  return placesOf({ fraction: isFraction(hold), first: hold.hold_range_start, last: hold.hold_range_end }, size)
}
