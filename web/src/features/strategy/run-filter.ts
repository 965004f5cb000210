import type { RunStatus } from '@convexa/contract/backtest'
import { markets } from '@convexa/contract/enums/market'
import { isIn } from '@convexa/contract/enums/table'
import { isDate } from '../../base/dates.ts'
import type { RunFilter } from '../rule/strategy-queries.ts'

// Which runs an address asks for: ?kind=cb&strategy=…&from=…&to=…&status=2&note=…&offset=20.

export const filterKeys = ['kind', 'strategy', 'from', 'to', 'status', 'note'] as const
export type FilterKey = (typeof filterKeys)[number]

const id = /^[\w-]{1,64}$/

/** What cannot be read is left out: the server would refuse it. */
export function filterOf(query: URLSearchParams): RunFilter {
  const get = (key: FilterKey) => query.get(key) ?? ''
  const kind = get('kind')
  const status = get('status')
  const note = get('note').trim()
  return {
    ...(isIn(markets, kind) ? { kind } : {}),
    ...(id.test(get('strategy')) ? { strategy_id: get('strategy') } : {}),
    ...(isDate(get('from')) ? { from: get('from') } : {}),
    ...(isDate(get('to')) ? { to: get('to') } : {}),
    ...(/^[0-6]$/.test(status) ? { status: Number(status) as RunStatus } : {}),
    ...(note === '' ? {} : { note: note.slice(0, 200) }),
  }
}
