import type { Rows } from './rows.ts'

/** Which rows are of a day of trading: as flags and volumes say (`no-trade.ts`), else those with a close. */
export function tradedIn({ traded, fields }: Pick<Rows, 'traded' | 'fields'>): (row: number) => boolean {
  const close = fields.get('close')
  return (row) => (close === undefined || close[row] === close[row]) && traded?.[row] !== 0
}
