import type { ScreenRow } from '@convexa/contract'
import type { CompiledScreen } from './compiled-screen.ts'
import { placesOf } from './hold-range.ts'
import { labelFor } from './rules.ts'
import type { ScoredDay, ScreenedSecurity, ValueColumn } from './scored.ts'
import type { Ranked } from './select.ts'

interface Inputs {
  readonly scored: ScoredDay
  readonly ranked: Ranked
  readonly securities: readonly ScreenedSecurity[]
  readonly columns: readonly ValueColumn[]
  readonly chosen: ReadonlySet<number>
  readonly reserves: ReadonlySet<number>
  /** The list held now; null when none was given, so that `change` has no meaning. */
  readonly previous: ReadonlySet<number> | null
}

/** Makes the row of a security: rank, score with its parts, values, what changed and why. */
export function rowMaker(inputs: Inputs): (security: number) => ScreenRow {
  const { scored, ranked, securities, columns, chosen, reserves, previous } = inputs
  const { compiled, spans } = scored
  const span = scored.worst - scored.best
  const weights = compiled.ranks.reduce((sum, { row }) => sum + row.weight, 0)
  const ofScore = (weight: number, units: number) => (span > 0 ? (100 * units) / span : (100 * weight) / weights)

  return (i) => {
    const { code, name } = securities[i]
    const place = ranked.place(i)
    const selected = chosen.has(i)
    const values: ScreenRow['values'] = {}
    for (const { ref, values: texts, column, offset } of columns) {
      const value = column[offset + i]
      values[ref] = value === value ? (texts?.[value] ?? value) : null
    }
    const parts: NonNullable<ScreenRow['score_parts']> = {}
    let score = 0
    if (place > 0) {
      compiled.ranks.forEach(({ row, factor }, f) => {
        const { best, worst } = spans[f]
        const value = scored.normalizedValue(f, i)
        const raw = scored.value(factor, i)
        const rank = scored.rank(f, i)
        const contrib = ofScore(row.weight, row.weight * (worst - value))
        score += contrib
        parts[factor.ref] = {
          raw: raw === raw ? raw : null,
          rank: rank === rank ? rank : null,
          norm: worst > best ? (worst - value) / (worst - best) : 1,
          contrib,
        }
      })
    }
    // The parts sum to it but for the last bits of a double.
    const row: ScreenRow = {
      rank: place || null,
      code,
      name,
      score: place > 0 ? Math.min(100, Math.max(0, score)) : null,
      selected,
      values,
    }
    if (place > 0) row.score_parts = parts
    if (reserves.has(i)) row.reserve = true
    if (previous !== null && (selected || previous.has(i))) {
      row.change = selected ? (previous.has(i) ? 'hold' : 'new') : 'out'
      Object.assign(row, changeReason(scored, i, place, row.change))
    }
    return row
  }
}

function changeReason(
  scored: ScoredDay,
  i: number,
  place: number,
  change: 'new' | 'hold' | 'out',
): { reason: string; reason_text: string } {
  if (change === 'new') return { reason: 'enter', reason_text: `名次 ${place}，${entryWords(scored.compiled, scored.size, place)}` }
  if (change === 'hold') return { reason: 'hold', reason_text: `名次 ${place}，继续持有` }
  if (place === 0) {
    const rule = scored.rules()[scored.failOf(i) - 1]
    const { key } = rule
    const label = labelFor(rule, i, scored.day)
    const isSentence = key.startsWith('filter.') || key.startsWith('missing.')
    return { reason: key.startsWith('missing.') ? 'missing' : 'excluded', reason_text: isSentence ? label : `剔除：${label}` }
  }
  return { reason: 'rank_out', reason_text: `名次 ${place}，${outOfRange(scored.compiled, scored.size, place)}` }
}

/** 「新进」; beyond the holding's last place it fills one that somebody before it could not take: 「补位新进」. */
export const entryWords = ({ holdRange }: Pick<CompiledScreen, 'holdRange'>, size: number, place: number): string =>
  place > placesOf(holdRange, size).last ? '补位新进' : '新进'

/** Why a place is outside the holding: 「超出持有区间 10 与缓冲名次 5」. */
export function outOfRange(compiled: Pick<CompiledScreen, 'parameters' | 'holdRange'>, size: number, place: number): string {
  const { first, last } = placesOf(compiled.holdRange, size)
  const buffer = compiled.parameters.hold_method.hold_threshold
  const range = first === 1 ? `${last}` : `${first}–${last}`
  if (place < first) return `高于持有区间 ${range}`
  if (place > last + buffer) return buffer > 0 ? `超出持有区间 ${range} 与缓冲名次 ${buffer}` : `超出持有区间 ${range}`
  return compiled.parameters.universe.max_per_issuer === undefined ? '让位于更靠前的名次' : '让位于更靠前的名次或同一发行人的持仓'
}
