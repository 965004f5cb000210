import type { FactorRef, SectionFacts } from '@convexa/contract'
import { refusal } from '../base/problem.ts'
import type { Market } from '../market/market.ts'
import { textOn } from '../panel/dated.ts'
import { resolveGroup } from './compiled-screen.ts'
import type { CrossSection, DayFacts, SectionFactor, SectionSecurity } from './cross-section.ts'
import type { Found, PriceRemark } from './resolved-factor.ts'
import { memberField } from './universe.ts'

// A day of a market on its way to a browser: what exclusions look at goes once, a column when a factor is asked for.

/** Texts of securities that exclusions and neutralizations read. */
const texts = ['industry_1', 'industry_2', 'industry_3', 'industry', 'orgform', 'area', 'yy_rating'] as const

/** Fields that exclusions read by their names. */
export const judgedFields = ({ fields, roles }: Market): string[] =>
  fields
    .map(({ key }) => key)
    .filter(
      (key) => key === roles.st || key === 'call_status' || key === 'redeem_count' || key === 'rating' || key.startsWith(memberField('')),
    )

/** The facts of those listed that day, in the order of their codes. */
export function factsOnWire(market: Market, { date, securities, listed, traded, missingBars, leaving, columns }: DayFacts): SectionFacts {
  const missing = missingBars?.get(date)
  const there = Array.from(listed.keys()).filter((i) => listed[i] === 1)
  const of = <T>(value: (security: SectionSecurity, i: number) => T) => there.map((i) => value(securities[i], i))
  const said = texts.map((key) => [key, of((security) => textOn(security, key, date))] as const)
  const numbers = judgedFields(market).flatMap((key) => {
    const column = columns.get(key)
    return column ? [[key, of((_, i) => (column[i] === column[i] ? column[i] : null))] as const] : []
  })
  return {
    names: of(({ name }) => name),
    ...formerOnWire(there.map((i) => securities[i])),
    issuers: of(({ issuer }) => issuer),
    boards: of(({ board }) => board),
    listed: of((security) => security.listed),
    traded: of((_, i) => traded[i]),
    ...(missing && { missing_bars: [...missing] }),
    leaving: of((_, i) => leaving[i]),
    call_days: of(({ terms }) => terms?.redeem?.days ?? null),
    texts: Object.fromEntries(said.filter(([, values]) => values.some((value) => value !== null))),
    columns: Object.fromEntries(numbers),
  }
}

const noRemark: PriceRemark = { level: null, raw: null }

/** A column that came over the wire. */
export interface WireColumn {
  readonly label: string
  /** NaN = absent. */
  readonly values: Float64Array
  readonly remark: PriceRemark
}

/**
 * A cross-section from the wire. `column` gives the same array each time as long as its values are the same, null for a factor that is not
 * here. Gaps cannot be filled from earlier days: `forward_fill` leaves them as they are, so callers check for gaps first.
 */
export function sectionOfWire(
  market: Market,
  { date, codes, facts }: { date: string; codes: readonly string[]; facts: SectionFacts },
  column: (ref: FactorRef) => WireColumn | null,
): CrossSection {
  const count = codes.length
  const attributesOf = (i: number) =>
    Object.fromEntries(Object.entries(facts.texts).flatMap(([key, values]) => (values[i] == null ? [] : [[key, values[i] as string]])))
  const termsOf = (days: number | null) => (days === null ? {} : { terms: { redeem: { days } } })
  const securities = codes.map(
    (code, i): SectionSecurity => ({
      code,
      name: facts.names[i],
      ...(facts.former_codes?.[code] && { formerCodes: facts.former_codes[code] }),
      issuer: facts.issuers[i],
      board: facts.boards[i],
      listed: facts.listed[i],
      attributes: attributesOf(i),
      ...termsOf(facts.call_days[i]),
    }),
  )
  const columns = new Map(Object.entries(facts.columns).map(([key, values]) => [key, numbersOf(values)]))
  const groups = new Map<string, Float64Array>()
  const found = (ref: string, label: string, values: () => Float64Array, remark = noRemark): Found<SectionFactor> => ({
    ok: true,
    factor: {
      ...{ ref, label, values: market.fields.find(({ key }) => key === ref)?.values ?? null, column: values, filled: values },
      ...{ rawPrices: remark.raw, level: () => remark.level },
    },
  })
  return {
    facts: {
      date,
      securities,
      listed: new Uint8Array(count).fill(1),
      traded: Uint8Array.from(facts.traded),
      ...(facts.missing_bars && { missingBars: new Map([[date, new Set(facts.missing_bars)]]) }),
      leaving: Uint8Array.from(facts.leaving),
      columns,
    },
    factor(ref) {
      const field = columns.get(ref)
      if (field && ref.startsWith(memberField(''))) return found(ref, ref, () => field)
      const given = column(ref)
      if (!given) return { ok: false, problem: refusal('screen', `没有「${ref}」的数值`) }
      return found(ref, given.label, () => column(ref)?.values ?? given.values, given.remark)
    },
    group(attribute) {
      const known = groups.get(attribute) ?? numbered(facts.texts[attribute] ?? [], count)
      groups.set(attribute, known)
      const named = resolveGroup(attribute)
      return named.ok ? found(attribute, named.factor.label, () => known) : named
    },
  }
}

/** Former codes by code; few have any. */
function formerOnWire(securities: readonly SectionSecurity[]): Pick<SectionFacts, 'former_codes'> {
  const former = securities.flatMap(({ code, formerCodes }) => (formerCodes ? [[code, [...formerCodes]] satisfies [string, string[]]] : []))
  return former.length > 0 ? { former_codes: Object.fromEntries(former) } : {}
}

const numbersOf = (values: readonly (number | null)[]): Float64Array => Float64Array.from(values, (value) => value ?? Number.NaN)

/** A number for each different text. */
function numbered(values: readonly (string | null)[], count: number): Float64Array {
  const numbers = new Map<string, number>()
  return Float64Array.from({ length: count }, (_, i) => {
    const text = values[i] ?? null
    if (text === null) return Number.NaN
    const known = numbers.get(text) ?? numbers.size
    numbers.set(text, known)
    return known
  })
}
