import type { DayTable } from '../rows.ts'
import { isBond } from './codes.ts'

/**
 * A volume in our unit (shares; hands of ten for bonds) from one in the source's, whatever that is: an amount is yuan everywhere, so
 * amount ÷ (volume × price) says how many shares one of theirs is. NaN where that is neither a share nor a hand, within a factor of two.
 * @param amount in yuan
 */
export function settledVolume(code: string, volume: number, amount: number, price: number): number {
  if (volume === 0 && !(amount > 0)) return 0
  const hand = isBond(code) ? 10 : 100
  const shares = amount / (volume * price)
  const near = (unit: number) => shares > unit / 2 && shares < unit * 2
  const unit = near(1) ? 1 : near(hand) ? hand : Number.NaN
  return (volume * unit) / (isBond(code) ? hand : 1)
}

/** A table whose `vol` is as the source writes it, and `amount` in 万元, with volumes in our unit. */
export function withVolumes<T extends DayTable>(table: T): T {
  const [vol, amount, close] = ['vol', 'amount', 'close'].map((key) => table.columns.get(key)!)
  const settled = Float64Array.from(table.codes, (code, i) => settledVolume(code, vol![i]!, amount![i]! * 10_000, close![i]!))
  return { ...table, columns: new Map([...table.columns, ['vol', settled]]) }
}
