import type { ScreenResult, ScreenRow } from '@convexa/contract'
import { timingRules } from '@convexa/contract/enums/timing-rule'
import { namedList } from '../base/named-list.ts'
import { placesByCode } from '../panel/codes.ts'
import { type CompiledScreen, neutralFactorsOf } from './compiled-screen.ts'
import { mostlyOne } from './flat.ts'
import { placesOf } from './hold-range.ts'
import { priceNotes } from './price-notes.ts'
import type { Named } from './resolved-factor.ts'
import { rowMaker } from './rows.ts'
import { labelFor } from './rules.ts'
import type { ScoredDay, ScreenedSecurity, ValueColumn } from './scored.ts'
import { type Ranked, select } from './select.ts'
import { isBelow } from './threshold.ts'
import { unweighed, unweighedText } from './weigh.ts'

/** A screen's answer in parts, each made when it is asked for. Securities are indices, places are 1-based. */
export interface Screened {
  /** Size of the ranked pool. */
  readonly size: number
  /** Selected securities in the order of trading. */
  readonly selection: readonly number[]
  /** The next best. */
  readonly reserves: readonly number[]
  /** Codes of the previous list that are not in the pool any more, by index. */
  readonly left: readonly number[]
  readonly warnings: readonly string[]
  /** The security at a place. */
  at(place: number): number
  row(security: number): ScreenRow
  excluded(): NonNullable<ScreenResult['excluded']>
  funnel(): ScreenResult['funnel']
}

/** How many of the next best are listed as reserves. */
const mostReserves = 20

export function screened(
  scored: ScoredDay,
  ranked: Ranked,
  securities: readonly ScreenedSecurity[],
  columns: () => readonly ValueColumn[],
  warnings: readonly string[],
  previous: readonly string[] | undefined,
): Screened {
  const { compiled, size } = scored
  const previousPositions = indicesOf(securities, previous ?? [])
  const selection = selectToday(compiled, securities, ranked, previousPositions)
  const chosen = new Set(selection)
  const reserves: number[] = []
  for (let place = placesOf(compiled.holdRange, size).first; place <= size && reserves.length < mostReserves; place++) {
    const security = ranked.at(place)
    if (!chosen.has(security)) reserves.push(security)
  }
  let row: ((security: number) => ScreenRow) | null = null
  let warned: readonly string[] | null = null
  return {
    size,
    selection,
    reserves,
    left: previousPositions.filter((i) => ranked.place(i) === 0),
    get warnings() {
      warned ??= [
        ...warnings,
        ...withoutData(scored),
        ...flatFactors(scored, securities.length),
        ...priceNotes(scored.compiled, scored.levelOf),
        ...unweighedNotes(scored, securities, selection),
        ...missingNotes(scored, securities, selection),
        ...timingNotes(scored, securities.length),
        ...unknownCodes(securities, previous ?? []),
      ]
      return warned
    },
    at: (place) => ranked.at(place),
    row(security) {
      row ??= rowMaker({
        scored,
        ranked,
        securities,
        columns: columns(),
        chosen,
        reserves: new Set(reserves),
        previous: previous === undefined ? null : new Set(previousPositions),
      })
      return row(security)
    },
    excluded: () => excludedOf(scored, securities),
    funnel: () => funnelOf(scored, securities.length, selection.length),
  }
}

/** The parts wanted (all when not said), as they are answered: rows are the whole ranking, then those of the previous list that left it. */
export function answerOf(
  parts: Screened,
  need?: readonly ('list' | 'reserve' | 'excluded' | 'funnel')[],
): Pick<ScreenResult, 'total' | 'selected' | 'list_items' | 'reserve_items' | 'excluded' | 'funnel' | 'warnings'> {
  const wants = (part: 'list' | 'reserve' | 'excluded' | 'funnel') => need === undefined || need.includes(part)
  const list: ScreenRow[] = []
  if (wants('list')) {
    for (let place = 1; place <= parts.size; place++) list.push(parts.row(parts.at(place)))
    for (const security of parts.left) list.push(parts.row(security))
  }
  return {
    total: parts.size,
    selected: parts.selection.length,
    list_items: list,
    ...(wants('reserve') ? { reserve_items: parts.reserves.map(parts.row) } : {}),
    ...(wants('excluded') ? { excluded: parts.excluded() } : {}),
    funnel: wants('funnel') ? parts.funnel() : [],
    warnings: [...parts.warnings],
  }
}

/** What is looked up in a market's securities, made once for a list of them. */
interface Directory {
  readonly places: ReadonlyMap<string, number>
  readonly issuers: Int32Array
}
const directories = new WeakMap<readonly ScreenedSecurity[], Directory>()

function directoryOf(securities: readonly ScreenedSecurity[]): Directory {
  const known = directories.get(securities)
  if (known) return known
  const numbers = new Map<string, number>()
  for (const { issuer } of securities) if (!numbers.has(issuer)) numbers.set(issuer, numbers.size)
  const made = {
    places: placesByCode(securities),
    issuers: Int32Array.from(securities, ({ issuer }) => numbers.get(issuer) as number),
  }
  directories.set(securities, made)
  return made
}

/** Ascending, each once. */
function indicesOf(securities: readonly ScreenedSecurity[], codes: readonly string[]): number[] {
  if (codes.length === 0) return []
  const { places } = directoryOf(securities)
  const known = new Set(codes.flatMap((code) => places.get(code) ?? []))
  return [...known].sort((one, other) => one - other)
}

function unknownCodes(securities: readonly ScreenedSecurity[], codes: readonly string[]): string[] {
  if (codes.length === 0) return []
  const { places } = directoryOf(securities)
  const unknown = codes.filter((code) => !places.has(code))
  if (unknown.length === 0) return []
  return [`名单中有 ${unknown.length} 个代码不在当前行情数据中：${namedList(unknown, 3)}`]
}

function selectToday(
  compiled: CompiledScreen<Named>,
  securities: readonly ScreenedSecurity[],
  ranked: Ranked,
  previousPositions: readonly number[],
): number[] {
  const { hold_method: hold, universe } = compiled.parameters
  return select(
    ranked,
    {
      ...placesOf(compiled.holdRange, ranked.size),
      buffer: hold.hold_threshold,
      perIssuer: universe.max_per_issuer ?? 0,
      issuer: directoryOf(securities).issuers,
      emptySlot: hold.empty_slot,
    },
    previousPositions,
    () => false,
    () => true,
  )
}

/** Rank factors that do not tell the pool apart: the order is that of codes there. */
function flatFactors({ compiled, failOf, value, size }: ScoredDay, count: number): string[] {
  const pool = new Float64Array(count)
  return compiled.ranks.flatMap(({ factor }) => {
    let members = 0
    for (let i = 0; i < count; i++) if (failOf(i) === 0) pool[members++] = value(factor, i)
    const same = mostlyOne(pool, members)
    if (same === 0) return []
    const rest = compiled.ranks.length === 1 ? '，名次按代码先后' : ''
    return [`打分因子「${factor.label}」在打分池 ${size} 只中有 ${same} 只取值相同，对它们没有区分度${rest}`]
  })
}

function unweighedNotes({ compiled, value }: ScoredDay, securities: readonly ScreenedSecurity[], selection: readonly number[]): string[] {
  const { weight } = compiled
  const type = compiled.parameters.hold_method.hold_weight_type
  if (weight === null) return []
  const values = Float64Array.from(selection, (i) => value(weight, i))
  const names = unweighed(type, values, selection.length).map((n) => {
    const { name, code } = securities[selection[n]]
    return `${name}（${code}）`
  })
  const text = unweighedText(type, weight.label, names)
  return text === null ? [] : [text]
}

/** Those of the list whose bar has not come: their price is an older one. */
function missingNotes({ lacksBar }: ScoredDay, securities: readonly ScreenedSecurity[], selection: readonly number[]): string[] {
  const names = selection.filter(lacksBar).map((i) => `${securities[i].name}（${securities[i].code}）`)
  if (names.length === 0) return []
  return [`名单中${namedList(names, mostNamed, '只')}缺行情，价格为最近收盘价`]
}
const mostNamed = 5

/** What the thresholds of the timing say of the day: the list is who would be held, this is with how much. */
function timingNotes({ compiled, failOf, value }: ScoredDay, count: number): string[] {
  return compiled.timing.flatMap(({ row, factor }) => {
    if (timingRules[row.rule].value !== 'level' || factor === null) return []
    let sum = 0
    let known = 0
    for (let i = 0; i < count; i++) {
      const own = failOf(i) === 0 ? value(factor, i) : Number.NaN
      if (own !== own) continue
      sum += own
      known++
    }
    const mean = sum / known
    const target = isBelow(mean, row.value as number) ? 1 : row.exposure
    const meanText = known > 0 ? Number(mean.toPrecision(6)) : '无法计算'
    return [`择时：打分池「${factor.label}」均值 ${meanText}，阈值 ${row.value}，目标仓位 ${Number((target * 100).toFixed(2))}%`]
  })
}

function withoutData({ compiled, hasValues }: ScoredDay): string[] {
  const factors = [...compiled.filters, ...compiled.ranks].map(({ factor }) => factor)
  return [...factors, ...neutralFactorsOf(compiled)].flatMap((factor) => (hasValues(factor) ? [] : [`当日没有「${factor.label}」的数据`]))
}

/** `rule_index` is the place of the rule's step in the funnel. */
function excludedOf(scored: ScoredDay, securities: readonly ScreenedSecurity[]) {
  const { compiled, failOf, value } = scored
  const rules = scored.rules()
  const factors = new Map(compiled.filters.map(({ factor, index }) => [`filter.${index}`, factor]))
  const out: NonNullable<ScreenResult['excluded']> = []
  securities.forEach(({ code, name }, i) => {
    const failed = failOf(i)
    if (failed <= leading) return
    const rule = rules[failed - 1]
    const factor = factors.get(rule.key)
    const number = factor ? value(factor, i) : Number.NaN
    const text = factor?.values?.[number]
    out.push({
      code,
      name,
      rule: labelFor(rule, i, scored.day),
      rule_index: failed - 1 - leading,
      value: text ?? (number === number ? number : null),
    })
  })
  return out
}

/** Rules before those of the request. A security that is not listed that day is not part of the market, so it does not count as excluded. */
const leading = 1

/** How many of the listed remain after each rule, and how many are selected in the end. */
function funnelOf(scored: ScoredDay, count: number, selected: number): ScreenResult['funnel'] {
  const failed = scored.failures()
  let left = count - failed[leading]
  const steps = scored
    .rules()
    .slice(leading)
    .map(({ key, label }, r) => {
      const before = left
      left -= failed[r + leading + 1]
      return { step: key, label, before, after: left }
    })
  return [...steps, { step: 'select', label: '入选', before: left, after: selected }]
}
