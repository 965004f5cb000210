import type { ScreenRow } from '@convexa/contract'
import { rankRow, rankScratch } from '../kernels/index.ts'
import type { Panel } from '../panel/panel.ts'
import { placesOf, type Recipe } from './recipe.ts'
import type { Scorer } from './score.ts'

/** A factor's values that day, the first security at `offset`; `values` are the texts of an enumeration. */
export interface ValueColumn {
  readonly ref: string
  readonly values: readonly string[] | null
  readonly column: Float64Array
  readonly offset: number
}

interface Inputs {
  readonly panel: Panel
  readonly day: number
  readonly recipe: Recipe
  readonly scorer: Scorer
  readonly columns: readonly ValueColumn[]
  /** 1-based place by security, 0 outside the pool. */
  readonly places: Int32Array
  readonly selection: readonly number[]
  readonly previous: readonly number[]
  /** A list held now was given, so `change` has a meaning. */
  readonly compared: boolean
}

/** Makes the row of a security: rank, score with its parts, values, what changed and why. */
export function rowMaker(inputs: Inputs): (security: number, reserve: boolean) => ScreenRow {
  const { panel, recipe, scorer, columns, places, compared } = inputs
  const chosen = new Set(inputs.selection)
  const before = new Set(inputs.previous)
  const ranks = ranksOf(recipe, scorer)
  const span = scorer.worst - scorer.best
  const weights = recipe.ranks.reduce((sum, { row }) => sum + row.weight, 0)
  const ofScore = (weight: number, units: number) => (span > 0 ? (100 * units) / span : (100 * weight) / weights)

  return (i, reserve) => {
    const { code, name } = panel.securities[i]
    const place = places[i]
    const selected = chosen.has(i)
    const values: ScreenRow['values'] = {}
    for (const { ref, values: texts, column, offset } of columns) {
      const value = column[offset + i]
      values[ref] = value === value ? (texts?.[value] ?? value) : null
    }
    const parts: NonNullable<ScreenRow['score_parts']> = {}
    let score = 0
    if (place > 0) {
      recipe.ranks.forEach(({ row, factor }, f) => {
        const { best, worst } = scorer.spans[f]
        const unit = scorer.units[f][i]
        const { column, offset } = scorer.values(factor, 0)
        const raw = column[offset + i]
        const contrib = ofScore(row.weight, row.weight * (worst - unit))
        score += contrib
        parts[factor.ref] = {
          raw: raw === raw ? raw : null,
          rank: ranks[f][i] === ranks[f][i] ? ranks[f][i] : null,
          norm: worst > best ? (worst - unit) / (worst - best) : 1,
          contrib,
        }
      })
    }
    const row: ScreenRow = { rank: place || null, code, name, score: place > 0 ? score : null, selected, values }
    if (place > 0) row.score_parts = parts
    if (reserve) row.reserve = true
    if (compared && (selected || before.has(i))) {
      row.change = selected ? (before.has(i) ? 'hold' : 'new') : 'out'
      Object.assign(row, changeReason(inputs, i, row.change))
    }
    return row
  }
}

/** By factor: rank in the pool, ties averaged. */
function ranksOf(recipe: Recipe, scorer: Scorer): readonly Float64Array[] {
  if (recipe.parameters.rank_method !== 'zscore') return scorer.units
  const scratch = rankScratch(scorer.cost.length)
  return scorer.units.map((unit) => {
    const ranks = new Float64Array(unit.length)
    rankRow(unit, 0, unit.length, scorer.pool, ranks, scratch)
    return ranks
  })
}

function changeReason(
  { recipe, scorer, places }: Inputs,
  i: number,
  change: 'new' | 'hold' | 'out',
): { reason: string; reason_text: string } {
  const place = places[i]
  if (change === 'new') return { reason: 'enter', reason_text: `名次 ${place}，新进` }
  if (change === 'hold') return { reason: 'hold', reason_text: `名次 ${place}，继续持有` }
  if (place === 0) {
    const { key, label } = scorer.rules[scorer.fail[i] - 1]
    const told = key.startsWith('filter.') || key.startsWith('missing.')
    return { reason: key.startsWith('missing.') ? 'missing' : 'excluded', reason_text: told ? label : `剔除：${label}` }
  }
  return { reason: 'rank_out', reason_text: `名次 ${place}，${outOfRange(recipe, scorer.size, place)}` }
}

/** Why a place is outside the holding: 「超出持有区间 10 与排名差 5」. */
export function outOfRange(recipe: Recipe, size: number, place: number): string {
  const { first, last } = placesOf(recipe.holdRange, size)
  const buffer = recipe.parameters.hold_method.hold_threshold
  const range = first === 1 ? `${last}` : `${first}–${last}`
  if (place < first) return `高于持有区间 ${range}`
  if (place > last + buffer) return buffer > 0 ? `超出持有区间 ${range} 与排名差 ${buffer}` : `超出持有区间 ${range}`
  return recipe.parameters.universe.max_per_issuer === undefined ? '让位于更靠前的名次' : '让位于更靠前的名次或同一发行人的持仓'
}
