/**
 * Adjustment factors, cell by cell, as a security's rows are walked in the order of days (data.md 3.3). The exchange's own reference price
 * says what went out of a share:
 *
 *     factor = factor before × close before ÷ previous close as the exchange tells it today
 *
 * 1. An empty cell with a previous close follows from it. Without one it is the factor around it where that stays the same, or where the
 *    file says that it gives factors on days of change only; else it is unknown. Behind the last one given the last one stays.
 * 2. Where the factor stays while the previous close moves, the previous close is right: the factor goes on from it, by a scale on what
 *    the file gives from that day on.
 * 3. Where a file joins what is stored, its factors may stand on another base (normalised to the newest day): they are scaled by the
 *    ratio on common rows, else by the previous close.
 */
import type { FactorState, SnapshotKind } from '../manifest.ts'
import { type FactorColumns, rulesOf } from '../market-rules.ts'
import type { Rows } from './rows.ts'

/** A step of the factor beyond which it is an event; smaller ones are a source's rounding (data.md 2: 857 shares in June 2024). */
export const factorNoise = 5e-4

/** Exchanges tell prices in steps of a cent: what is less apart is the same price. */
const apart = 0.004
/** Beyond it two prices are more than a cent apart. */
export const aCent = 0.011

/** Whether the exchange's previous close is another than the close before: something went out of the share. */
export const hasStepped = (close: number, previous: number): boolean => Math.abs(previous - close) > apart

/** The factor of a day; a security without a day before begins with 1, as sources let listings begin. */
export function factorAfter(factor: number, close: number, previous: number): number {
  if (factor !== factor || close !== close) return 1
  return hasStepped(close, previous) ? (factor * close) / previous : factor
}

export const isFactorMoved = (before: number, now: number): boolean => Math.abs(now / before - 1) > factorNoise

/** Whether a previous close is the close before over the step of the factor, to a cent and to what the factor is rounded to. */
export function fits(previous: number, close: number, before: number, now: number): boolean {
  const isMoved = isFactorMoved(before, now)
  if (!isMoved && Math.abs(previous - close) <= aCent) return true
  return Math.abs(previous - (close * before) / now) <= aCent + (isMoved ? factorNoise * previous : 0)
}

export const factorColumns = (kind: SnapshotKind): FactorColumns | null => rulesOf(kind)?.factorColumns ?? null

/** Where a security stands as its rows are walked. */
export interface Walk {
  /** The last kept row of the security before the row that is looked at; −1 = none. */
  last: number
  /** Trading days from that row to this one. */
  days: number
  /** Days behind the last kept row whose rows were put aside. */
  aside: number
  /** Whether one of them was put aside for its level. */
  isLevelAside: boolean
  /** Kept rows so far. */
  age: number
}

export interface FactorGround {
  readonly rows: Rows
  readonly walk: Walk
  /** Rows before it are stored. */
  readonly from: number
  /** Rows that are used: inside of listing windows and readable. */
  readonly isUsed: (row: number) => boolean
  readonly dateText: (row: number) => string
  /** Whether the close of a row may follow a reference price within a number of days. */
  readonly mayFollow: (row: number, price: number, reference: number, days: number) => boolean
  /** By code, of earlier files. */
  readonly states: Readonly<Record<string, FactorState>>
  /** The file has no factors at all: they begin with 1. */
  readonly isDerived: boolean
  /** The file gives factors on days of change only: how many trading days one counts for. */
  readonly holds: number | null
  /** Place of a row's day on the calendar. */
  readonly dayOf: (row: number) => number
  /** Whether the last kept row is the one that a previous close speaks of. */
  readonly isFollowing: () => boolean
  /** By stored row whose factor is worked out anew: the factor that it had. */
  readonly reopened: ReadonlyMap<number, number>
}

/** What was found in the factors, as rows. */
interface FactorFindings {
  /** The previous close moved and the factor did not. */
  readonly unmoved: number[]
  /** Nothing tells the factor of the day. */
  readonly unknown: number[]
  /** The factor steps where a file joins what is stored, and no previous close tells whether it should; and who could have. */
  readonly steps: number[]
  joined: number
}

export interface FactorWalk {
  /** By row, as they are worked out. */
  readonly cells: Float64Array
  /** Of the last kept row. */
  readonly before: () => number
  /** Whether the cell of a stored row was worked out for want of one, and is so anew. */
  readonly isReopened: (row: number) => boolean
  /** Whether the cell that is looked at is as the file gives it. */
  readonly isGiven: (row: number) => boolean
  begin(code: number, order: Int32Array, start: number, end: number): void
  /** Works out the cell of the row at a place of the order. */
  resolve(place: number): void
  /** The row is kept. */
  keep(row: number): void
  /** The last row of the security has been walked. */
  end(): void
  readonly found: FactorFindings
  /** By code, of all securities walked so far. */
  readonly states: Record<string, FactorState>
}

/** What a file gives times the scale is the factor, where its base and the shift of stored rows are these. */
interface FixedScale {
  readonly scale: number
  readonly base: number
  readonly shift: number
}

/** Null where the rows have no factors, and nothing to make them of. */
export function factorWalk(kind: SnapshotKind, deps: FactorGround): FactorWalk | null {
  const { rows, walk, from, isUsed, dateText, mayFollow, isDerived, holds, dayOf, isFollowing, reopened } = deps
  const names = factorColumns(kind)
  const column = names && rows.fields.get(names.factor)
  if (!names || !column) return null
  const given = column
  const [closes, previous] = [rows.fields.get(names.close), rows.fields.get(names.previous)]
  const cells = Float64Array.from(given)
  const found: FactorFindings = { unmoved: [], unknown: [], steps: [], joined: 0 }
  const states: Record<string, FactorState> = { ...deps.states }

  let code = -1
  let order: Int32Array = new Int32Array()
  let [start, end] = [0, 0]
  // Of the last kept row: its factor (NaN: unknown), its last close, what the file gave last, the first day since without one.
  let [factor, close, lastGiven] = [Number.NaN, Number.NaN, Number.NaN]
  // The last kept row that says more than a flag; −1 = none.
  let lastRow = -1
  let givenOn = Number.NEGATIVE_INFINITY
  let open: string | undefined
  let wasOpen: string | undefined
  // By day what the file gives is scaled by; where the whole file stands on another base, that of all its rows.
  let scales: readonly (readonly [from: string, scale: number])[] = []
  let joinedScale: number | null = null
  // What both stored and given factors are scaled by from a row on whose previous close was right.
  let shift = 1
  // The scale of a file's row by itself, so that it is the same wherever files are cut.
  let fixed: FixedScale | null = null
  let kept: [from: string, scale: number][] = []
  let hasBegun = false
  // Rows before the first given factor are computed from 1 on, and put on its level when it comes.
  let isLeading = false
  let isJoined = false
  let nextPlace = 0
  // What follows from the row that is looked at, if it is kept.
  let nextShift = 1
  let nextFixed: FixedScale | null = null
  let nextLevel = 1
  let isUnmoved = false

  const isGiven = (row: number) => given[row] === given[row]
  const baseOn = (row: number) => joinedScale ?? scales.findLast(([first]) => first <= dateText(row))?.[1] ?? 1
  const scaleOn = (row: number) => (fixed ? fixed.scale * (baseOn(row) / fixed.base) * (shift / fixed.shift) : baseOn(row) * shift)
  // Most files stand on the base of what is stored, or nothing is.
  const isAsGiven = () => joinedScale === null && shift === 1 && fixed === null && scales.length === 0
  const scaled = (row: number) => (isAsGiven() ? given[row]! : given[row]! * (row < from ? shift : scaleOn(row)))

  function nextGiven(place: number): number {
    if (nextPlace <= place) nextPlace = place + 1
    while (nextPlace < end && !(isGiven(order[nextPlace]!) && isUsed(order[nextPlace]!))) nextPlace++
    return nextPlace < end ? order[nextPlace]! : -1
  }

  /** The scale of the file's factors on those that are stored, where both have a day; null: that is not one number, or as before. */
  function scaleOnCommonRows(): { isThere: boolean; scale: number | null } {
    let [least, most, last] = [Number.POSITIVE_INFINITY, 0, Number.NaN]
    let isAsBefore = true
    for (let k = start; k + 1 < end; k++) {
      const [stored, row] = [order[k]!, order[k + 1]!]
      if (stored >= from || row < from || rows.date[stored] !== rows.date[row] || !isGiven(stored) || !isGiven(row)) continue
      last = given[stored]! / given[row]!
      least = Math.min(least, last)
      most = Math.max(most, last)
      isAsBefore &&= !isFactorMoved(given[stored]!, given[row]! * baseOn(row))
    }
    return { isThere: last === last, scale: !isAsBefore && most / least - 1 <= factorNoise ? last : null }
  }

  /** The first row of a file behind what is stored: its factors may stand on another base. */
  function join(place: number): void {
    isJoined = true
    const row = order[place]!
    const common = scaleOnCommonRows()
    joinedScale = common.scale
    if (common.isThere) return
    if (factor !== factor) return
    found.joined++
    if (!isGiven(row)) return
    if (!isFactorMoved(factor, scaled(row))) return
    const statedPrevious = previous?.[row] ?? Number.NaN
    if (statedPrevious !== statedPrevious || close !== close) {
      found.steps.push(row)
      return
    }
    const next = nextGiven(place)
    if (!isFollowing() || next < 0 || fits(statedPrevious, close, factor, scaled(row))) return
    // A slip of one day goes back; another base stays.
    const statedNext = previous![next]!
    if (closes![row] === closes![row] && fits(statedNext, closes![row]!, given[row]!, given[next]!))
      joinedScale = factorAfter(factor, close, statedPrevious) / given[row]! / shift
  }

  /** What the factor of a stored row with a previous close is to that of the stored row before it: rows that lay between them are not here any more. */
  function storedStep(row: number): number {
    if (row >= from || lastRow < 0 || lastRow >= from) return Number.NaN
    return (reopened.get(row) ?? Number.NaN) / (reopened.get(lastRow) ?? given[lastRow]!)
  }

  function emptyCell(place: number, statedPrevious: number): number {
    const step = statedPrevious === statedPrevious ? storedStep(order[place]!) : Number.NaN
    if (step === step && factor === factor) return factor * step
    if (statedPrevious === statedPrevious && factor === factor && close === close) {
      // Otherwise the previous close is that of a row which is not here: what it did is no step.
      return isFollowing() ? factorAfter(factor, close, statedPrevious) : factor
    }
    if (!hasBegun) return previous ? 1 : Number.NaN
    if (isDerived) return factor
    if (factor !== factor || isLeading) return Number.NaN
    if (statedPrevious === statedPrevious || (holds !== null && dayOf(order[place]!) - givenOn <= holds)) return factor
    const next = nextGiven(place)
    if (next >= 0) return isFactorMoved(factor, scaled(next)) ? Number.NaN : factor
    // A price beyond every limit has gone ex, nobody knows by how much; behind a row put aside it stays unexplained.
    const now = closes?.[order[place]!] ?? Number.NaN
    return walk.aside > 0 || now !== now || close !== close || mayFollow(order[place]!, now, close, walk.days) ? factor : Number.NaN
  }

  /** Drops factors of rows on no level, where a step before the first given factor is unknown. */
  function forgetLeading(until: number): void {
    for (let k = start; k < end && order[k] !== until; k++) {
      const row = order[k]!
      if (cells[row] === cells[row] && row >= from) found.unknown.push(row)
      cells[row] = Number.NaN
    }
  }

  return {
    cells,
    found,
    states,
    before: () => factor * nextLevel,
    isReopened: (row) => row < from && !isGiven(row) && wasOpen !== undefined && dateText(row) >= wasOpen,
    isGiven: (row) => isGiven(row) && nextShift === shift,
    begin(place, all, first, behind) {
      ;[code, order, start, end] = [place, all, first, behind]
      ;[factor, close, lastGiven, open, shift] = [Number.NaN, Number.NaN, Number.NaN, undefined, 1]
      lastRow = -1
      ;[hasBegun, isLeading, isJoined, nextPlace] = [false, false, false, first]
      const state = deps.states[rows.codes[code]!]
      scales = state?.scales ?? []
      wasOpen = state?.open
      joinedScale = null
      fixed = null
      // Of days before the rows that are walked.
      kept = scales.flatMap(([day, scale]) => (day < dateText(order[first]!) ? [[day, scale] as [string, number]] : []))
    },
    resolve(place) {
      const row = order[place]!
      if (row >= from && walk.last >= 0 && !isJoined && order[start]! < from) join(place)
      const statedPrevious = previous?.[row] ?? Number.NaN
      nextShift = shift
      nextFixed = fixed
      nextLevel = 1
      isUnmoved = false
      if (!isGiven(row)) {
        cells[row] = emptyCell(place, statedPrevious)
        return
      }
      const now = scaled(row)
      cells[row] = now
      const isStated = statedPrevious === statedPrevious && close === close && factor === factor && isFollowing()
      if (isLeading) {
        // The rows so far stand on 1: they are put on the level of the first given one.
        nextLevel = isStated ? now / factorAfter(factor, close, statedPrevious) : Number.NaN
        return
      }
      // Stored rows are asked about it behind a row that is corrected.
      if (!isStated || (row < from && walk.last < from) || walk.days !== 1 || fits(statedPrevious, close, factor, now)) return
      if (isFactorMoved(lastGiven, now / shift) || !mayFollow(row, closes![row]!, statedPrevious, 1)) return
      const right = factorAfter(factor, close, statedPrevious)
      nextShift = (shift * right) / now
      if (row >= from) nextFixed = { scale: right / given[row]!, base: baseOn(row), shift: nextShift }
      // As the rows behind it are made: the same file once more makes the same cells.
      cells[row] = given[row]! * (nextFixed === fixed ? nextShift : nextFixed!.scale)
      isUnmoved = hasStepped(close, statedPrevious)
    },
    keep(row) {
      // A row that has nothing but a flag says nothing of the factor.
      if (!isGiven(row) && closes !== undefined && closes[row] !== closes[row]) return
      lastRow = row
      if (nextLevel !== 1) for (let k = start; k < end && order[k] !== row; k++) cells[order[k]!]! *= nextLevel
      const isRelative = !isDerived && !isGiven(row) && (hasBegun ? isLeading : previous !== undefined)
      if (isRelative && cells[row] !== cells[row]) forgetLeading(row)
      isLeading = isRelative && cells[row] === cells[row]
      hasBegun = true
      factor = cells[row]!
      if (closes && closes[row] === closes[row]) close = closes[row]!
      shift = nextShift
      fixed = nextFixed
      if (isGiven(row)) {
        lastGiven = scaled(row) / shift
        givenOn = dayOf(row)
        open = undefined
      } else if (!isDerived) open ??= dateText(row)
      if (isUnmoved) found.unmoved.push(row)
      if (factor !== factor && row >= from) found.unknown.push(row)
      if (isAsGiven() && kept.length === 0) return
      const scale = row < from ? baseOn(row) * shift : scaleOn(row)
      if (scale !== (kept.at(-1)?.[1] ?? 1)) kept.push([dateText(row), scale])
    },
    end() {
      const name = rows.codes[code]!
      // Of a security without a kept row nothing new is known.
      if (!hasBegun && (kept.length > 0 || wasOpen !== undefined)) return
      if (kept.length > 0 || open !== undefined)
        states[name] = { ...(kept.length > 0 && { scales: kept }), ...(open !== undefined && { open }) }
      else delete states[name]
    },
  }
}
