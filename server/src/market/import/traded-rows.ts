import type { SnapshotKind } from '../manifest.ts'
import type { Rows } from './rows.ts'

/** Which rows are of a day of trading: as the file says, else those with a close; never one that only repeats the price before. */
export function tradedIn(kind: SnapshotKind, rows: Rows): (row: number) => boolean {
  const close = rows.fields.get('close')
  const isPhantom = phantomBars(kind, rows)
  const isQuoted = (row: number) => (rows.traded === null ? close === undefined || close[row] === close[row] : rows.traded[row] === 1)
  return (row) => isQuoted(row) && !isPhantom(row)
}

/** Which rows repeat the price before on a day without a trade, as some files write suspensions: nobody can trade at it, whatever a flag says. */
function phantomBars(kind: SnapshotKind, { fields }: Rows): (row: number) => boolean {
  const [volume, amount] = ['vol', 'amount'].map((key) => fields.get(key))
  if (kind === 'index') return () => false
  if (volume === undefined) return (row) => amount?.[row] === 0
  // Less than what a source rounds volumes to has an amount all the same.
  return (row) => volume[row] === 0 && !(amount && amount[row]! > 0)
}
