/**
 * What can be wrong between a row and the last kept one of its security: steps of a level. One record a class of fault, in the order in
 * which they are asked. A step does not go away because its day was put aside: the rows behind it are compared with the same last kept
 * row, within the limits of as many days as lie between, three at most (data.md 3.4).
 */

import type { Board } from '@convexa/contract'
import { adjustments } from '@convexa/contract/enums/adjust'
import { type Market, markets, roundHalfUp, type Security } from '@convexa/engine'
import { marketOf, rulesOf } from '../market-rules.ts'
import { type FactorWalk, factorNoise, fits, isFactorMoved, type Walk } from './factors.ts'
import type { RowCheck, View } from './row-checks.ts'

/** What a check of two rows looks at: the row that is asked about, and where the walk stands. */
interface LevelView extends View {
  readonly walk: Walk
  /** Whether only rows that were put aside lie between the last kept row and this one: after a gap prices may have moved freely. */
  readonly isNext: () => boolean
  readonly isTraded: (row: number) => boolean
  /** Null where there are no factors. */
  readonly factors: FactorWalk | null
  /** The last kept row of the security that gives a field; −1 = none. */
  readonly lastGiven: (key: 'remain_size' | 'conv_price') => number
  readonly limits: Limits
}

export interface LevelCheck extends Omit<RowCheck, 'make' | 'everywhere'> {
  make(view: LevelView): ((row: number) => boolean) | null
}

export const levelChecks: readonly LevelCheck[] = [
  {
    key: 'moved_untraded',
    text: '没有成交而收盘价变动',
    make(view) {
      const { rows, adjust, isNext } = view
      const [vol, close, previous] = ['vol', 'close', 'pre_close'].map((key) => rows.fields.get(key))
      if (vol === undefined || close === undefined || adjustments[adjust].adjusted) return null
      const referenceOf = referencePrice(view, close)
      return (row) => {
        if (vol[row] !== 0) return false
        const statedPrevious = previous?.[row] ?? Number.NaN
        const base = statedPrevious === statedPrevious ? statedPrevious : isNext() ? referenceOf(row) : Number.NaN
        return Math.abs(close[row]! - base) > 0.0005 + 1e-6 * base
      }
    },
  },
  {
    key: 'size_grows',
    text: '转债剩余规模变大',
    make({ rows, kind, lastGiven }) {
      const size = rows.fields.get('remain_size')
      if (!marketOf(kind)?.redeemed || size === undefined) return null
      // Nothing is issued later; sources round.
      return (row) => {
        const last = lastGiven('remain_size')
        return last >= 0 && size[row]! > size[last]! * 1.01 + 0.005
      }
    },
  },
  {
    key: 'conversion_price',
    text: '转股价变动而没有调整公告',
    make({ rows, kind, reference, lastGiven, dateText }) {
      const price = rows.fields.get('conv_price')
      if (!marketOf(kind)?.hasIssuerStock || price === undefined || reference === null) return null
      return (row) => {
        const last = lastGiven('conv_price')
        if (last < 0 || !(Math.abs(price[row]! - price[last]!) > 0.001)) return false
        return reference.repriced(rows.codes[rows.code[row]!]!, dateText(last), dateText(row)) === false
      }
    },
  },
  {
    key: 'jump',
    text: '涨跌幅超出涨跌停限制且没有除权等说明',
    make: overLimit,
  },
  {
    key: 'adjust',
    text: '复权因子与前收盘价不符',
    make({ rows, kind, adjust, walk, isNext, factors, limits }) {
      const [close, previous] = ['close', 'pre_close'].map((key) => rows.fields.get(key))
      if (
        !marketOf(kind)?.hasAdjustmentFactor ||
        factors === null ||
        adjustments[adjust].adjusted ||
        close === undefined ||
        previous === undefined
      )
        return null
      return (row) => {
        if (!isNext()) return false
        const [before, now, statedPrevious] = [factors.before(), factors.cells[row]!, previous[row]!]
        const last = walk.last < 0 ? Number.NaN : close[walk.last]!
        if (statedPrevious !== statedPrevious || before !== before || now !== now || last !== last) return false
        if (walk.aside === 0) return !fits(statedPrevious, last, before, now)
        // The previous close is that of the row put aside.
        const from = isFactorMoved(before, now) ? (last * before) / now : last
        return !limits.mayFollow(row, statedPrevious, from, walk.days - 1)
      }
    },
  },
  {
    key: 'factor_step',
    text: '复权因子变动而没有除权除息',
    make({ rows, kind, reference, isNext, factors }) {
      if (!marketOf(kind)?.hasAdjustmentFactor || factors === null || reference === null) return null
      return (row) =>
        isNext() && isFactorMoved(factors.before(), factors.cells[row]!) && reference.hasExDay(rows.codes[rows.code[row]!]!) === false
    },
  },
  {
    key: 'factor_falls',
    text: '复权因子变小',
    make({ kind, factors }) {
      if (!marketOf(kind)?.hasAdjustmentFactor || factors === null) return null
      return (row) => factors.isGiven(row) && factors.cells[row]! < factors.before() * (1 - factorNoise)
    },
  },
]

/** The close of the last kept row as today's prices begin from it: over the step of the factor, to the cent (domain.md 5.6). */
function referencePrice({ walk, factors: given, kind }: LevelView, close: Float64Array): (row: number) => number {
  const factors = marketOf(kind)?.hasAdjustmentFactor ? given : null
  return (row) => {
    const last = walk.last < 0 ? Number.NaN : close[walk.last]!
    if (factors === null) return last
    const [before, now] = [factors.before(), factors.cells[row]!]
    // An unknown factor may be a step of any size; behind a row put aside nothing is explained by what is unknown.
    if (before !== before || now !== now) return walk.aside > 0 ? last : Number.NaN
    return isFactorMoved(before, now) ? roundHalfUp((last * before) / now, 2) : last
  }
}

/**
 * A return beyond what the exchange allows that day. Not judged: the first days of a listing, the day after a gap (resumptions may
 * move freely), bonds before 2022-08-01. Ex-days are judged from the exchange's previous close, else from the step of the factor. ST is
 * not known here, so the wider limit of the board counts.
 */
function overLimit(view: LevelView): ((row: number) => boolean) | null {
  const { rows, kind, walk, isNext, isTraded, limits } = view
  const close = rows.fields.get('close')
  if (kind === 'index' || close === undefined) return null
  const previous = rows.fields.get('pre_close')
  const referenceOf = referencePrice(view, close)
  return (row) => {
    if (walk.age < 6 || !isNext() || !isTraded(row) || !isTraded(walk.last)) return false
    const statedPrevious = previous?.[row] ?? Number.NaN
    if (statedPrevious === statedPrevious && !limits.mayFollow(row, close[row]!, statedPrevious, 1)) return true
    return (statedPrevious !== statedPrevious || walk.aside > 0) && !limits.mayFollow(row, close[row]!, referenceOf(row), walk.days)
  }
}

export interface Limits {
  /** Whether a price may follow another within a number of days; of what is not known it may. */
  mayFollow(row: number, price: number, from: number, days: number): boolean
}

/** More days than these allow nothing more: what moved so far stays unexplained. */
const mostDays = 3

/** Adjusted prices are rounded, so they get the larger tolerance. */
export function limitsOf({ rows, kind, adjust, dateText }: View, boardOf: (code: string) => Board): Limits {
  const market = kind === 'index' ? null : markets[kind]
  // Old listings: how free a newcomer is does not matter here.
  const securities = rows.codes.map(
    (code) => ({ board: rulesOf(kind)?.hasBoardLimits ? boardOf(code) : 'SZSE_MAIN', listed: '1990-01-01' }) as Security,
  )
  const ease = adjustments[adjust].adjusted ? 0.012 : 1e-4
  return {
    mayFollow(row, price, from, days) {
      if (market === null || !(from > 0)) return true
      const security = securities[rows.code[row]!]!
      const date = dateText(row)
      let { up, down }: ReturnType<Market['limits']> =
        days < 1 ? { up: from, down: from } : market.limits(security, date, 1_000, from, false)
      for (let day = 1; day < Math.min(days, mostDays); day++) {
        if (up !== null) up = market.limits(security, date, 1_000, up, false).up
        if (down !== null) down = market.limits(security, date, 1_000, down, false).down
      }
      return !(up !== null && price > up * (1 + ease)) && !(down !== null && price < down * (1 - ease))
    },
  }
}
