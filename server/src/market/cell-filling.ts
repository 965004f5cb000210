/**
 * Fills the gaps of a stored column as it is loaded; every loader uses this one function.
 *
 * 1. Outside of listing windows a field of the security itself is absent.
 * 2. A cell that counts for some days (`holds`) stands on those behind it.
 * 3. Price-like fields stay over days without a trade, and what adds up trades is 0 on them.
 * 4. At last what was given and says nothing becomes absent. Until then it is a number, so that no older one takes its place.
 */
import { carryForward, carryThrough, clearUnlisted, fillUntraded, markets, type Panel, type Trading } from '@convexa/engine'
import { holdForward, type LastGiven, noneGiven } from './hold.ts'
import type { Days, Manifest, ManifestField, SnapshotKind } from './manifest.ts'

/** In files: what was given for a field of positive numbers alone (`Field.positive`) and is 0 or below. */
export const saysNothing = 0

/** Days that lie behind each other, as rows; `places`: of the days on the calendar, asked for where a cell counts for some of them. */
export interface FillDeps extends Pick<Panel, 'listed' | 'traded' | 'stride' | 'dates'>, Trading {
  readonly places: () => Int32Array
}

export interface CellFilling {
  /** Whether what stands on days before those that are loaded may count on them. */
  readonly looksBack: boolean
  readonly isCarried: boolean
  readonly stays: boolean
  /** Steps 1 to 3, in place, on rows that follow those of the call before; `carryFrom`: the first row that has one before it. */
  fill(column: Float64Array, deps: FillDeps, days: Days, carryFrom?: number): void
  /** Step 3 alone, for what is carried. */
  carry(column: Float64Array, deps: FillDeps, days: Days): void
  /** Step 4, once all of them are filled. */
  end(column: Float64Array, stride: number, days: Days): void
}

export function cellFilling(manifest: Pick<Manifest, 'kind' | 'listed_only' | 'importer'>, field: ManifestField): CellFilling {
  const known = manifest.kind === 'index' ? undefined : markets[manifest.kind].fields.find(({ key }) => key === field.key)
  const { carry: isCarried = false, stays = false, ofTrades = false, ofStock, positive = false } = known ?? {}
  // Current importers fill what is known between two factors; what they leave empty is unknown (data.md 3.3).
  const carry = stays && manifest.importer === undefined ? carryThrough : carryForward
  const isCleared = manifest.listed_only || ofStock !== undefined
  const { holds } = field
  let lastGiven: LastGiven | null = null
  let fieldDays = { of: [] as readonly string[], from: 0, to: 0 }
  return {
    ...{ isCarried, stays, looksBack: isCarried || holds !== undefined },
    fill(column, deps, { from, to }, carryFrom = from) {
      const { listed, stride, dates } = deps
      if (!isCleared) clearUnlisted(column, deps, from, to)
      if (holds !== undefined) {
        lastGiven ??= noneGiven(stride)
        holdForward(column, { listed, stride, places: deps.places() }, holds, lastGiven, from, to)
      }
      if (isCarried) carry(column, deps, Math.max(from, carryFrom), to)
      if (!ofTrades || isCarried) return
      // Before its first value and after its last the data do not tell the field at all.
      if (fieldDays.of !== dates) fieldDays = { of: dates, ...daysWithField(dates, field) }
      fillUntraded(column, deps, Math.max(from, fieldDays.from), Math.min(to, fieldDays.to))
    },
    carry(column, deps, { from, to }) {
      carry(column, deps, from, to)
    },
    end(column, stride, { from, to }) {
      if (!positive) return
      for (let at = from * stride; at < to * stride; at++) if (column[at] === saysNothing) column[at] = Number.NaN
    },
  }
}

function daysWithField(dates: readonly string[], { first, last }: ManifestField): Days {
  const from = dates.findIndex((date) => date >= first)
  return { from: from < 0 ? dates.length : from, to: dates.findLastIndex((date) => date <= last) + 1 }
}

export const isPositive = (kind: SnapshotKind, key: string): boolean =>
  kind !== 'index' && markets[kind].fields.some((field) => field.key === key && field.positive)

/** Whether a stored cell of a field is a value: it is there, and says something. */
export const isValueOf = (kind: SnapshotKind, key: string): ((cell: number) => boolean) =>
  isPositive(kind, key) ? (cell) => cell > saysNothing : (cell) => cell === cell
