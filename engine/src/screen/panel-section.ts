import { evaluate, namesOf } from '../expression/index.ts'
import { withDerived } from '../market/derived-columns.ts'
import { exitDatesFor } from '../market/exit-dates.ts'
import type { Market } from '../market/market.ts'
import { missingOn } from '../panel/missing-bars.ts'
import type { Panel } from '../panel/panel.ts'
import { availableIn } from '../panel-views/available.ts'
import { panelFor, resolveFactor, resolveGroup } from './compiled-screen.ts'
import type { CrossSection, DayFacts, SectionFactor } from './cross-section.ts'
import { forwardFilled } from './missing.ts'
import { priceLevels } from './price-levels.ts'
import type { Found, ResolvedFactor } from './resolved-factor.ts'

/** So many columns of a day are kept; a factor asked for again is not computed again. */
const mostColumns = 256

/** The days of a panel as cross-sections: columns are computed when they are asked for, and kept. */
export function sectionsOf(panel: Panel, day: number): (market: Market) => CrossSection {
  const columns = new Map<string, Float64Array>()
  const facts: { of: DayFacts | null } = { of: null }
  const kept = (key: string, compute: () => Float64Array): Float64Array => {
    const known = columns.get(key)
    // Asked for again: the last to be forgotten.
    columns.delete(key)
    const column = known ?? compute()
    columns.set(key, column)
    for (const oldest of columns.keys()) {
      if (columns.size <= mostColumns) break
      columns.delete(oldest)
    }
    return column
  }
  const made = new WeakMap<Market, CrossSection>()
  // Users have factors of their own. Columns are shared by formula text, whatever the factors are called.
  const sectionFor = (market: Market): CrossSection => {
    const names = namesOf(market, availableIn(panel, market.fields))
    const found = new Map<string, Found<SectionFactor>>()
    const levelOf = priceLevels(panel, market)
    const columnsOf = (factor: ResolvedFactor): SectionFactor => {
      const { ref, label, values, expression } = factor
      const full = () => panelFor(panel, [expression])
      return {
        ref,
        label,
        values,
        rawPrices: expression.rawPrices,
        column: () => kept(expression.text, () => evaluate(expression, full(), [day])),
        level: () => levelOf(factor),
        filled: () => kept(`${expression.text}\u0000filled`, () => forwardFilled(expression, full(), Int32Array.of(day))),
      }
    }
    const once = (ref: string, find: () => Found<ResolvedFactor>): Found<SectionFactor> => {
      const known = found.get(ref)
      if (known) return known
      const one = find()
      const made: Found<SectionFactor> = one.ok ? { ok: true, factor: columnsOf(one.factor) } : one
      found.set(ref, made)
      return made
    }
    facts.of ??= factsOf(panel, market, day)
    return {
      facts: facts.of,
      factor: (ref) => once(ref, () => resolveFactor(market, names, ref)),
      group: (attribute) => once(`group ${attribute}`, () => resolveGroup(attribute)),
    }
  }
  return (market) => {
    const known = made.get(market) ?? sectionFor(market)
    made.set(market, known)
    return known
  }
}

function factsOf(panel: Panel, market: Market, day: number): DayFacts {
  const { stride, securities } = panel
  const count = securities.length
  const ofDay = <T extends { subarray(from: number, to: number): T }>(cells: T): T => cells.subarray(day * stride, day * stride + count)
  const leave = exitDatesFor(panel, market)
  // `from` with a function costs fifty times as much.
  const leaving = new Uint8Array(count)
  for (let i = 0; i < count; i++) leaving[i] = Number(day >= leave[i])
  return {
    date: panel.dates[day],
    securities,
    listed: ofDay(panel.listed),
    traded: ofDay(panel.traded),
    leaving,
    ...missingOn(panel, day),
    columns: {
      get(key) {
        const column = withDerived(panel, [key]).columns.get(key)
        return column && ofDay(column)
      },
    },
  }
}
