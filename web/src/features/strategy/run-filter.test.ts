import { expect, it } from 'vitest'
import { filterOf } from './run-filter.ts'

it.each([
  ['', {}],
  ['kind=cb&status=2&note= 排名差 ', { kind: 'cb', status: 2, note: '排名差' }],
  ['strategy=0198-a&from=2026-11-01&to=2026-11-20', { strategy_id: '0198-a', from: '2026-11-01', to: '2026-11-20' }],
  ['kind=hk&status=9&from=2026-02-31&strategy=../x&note=%20', {}],
])('%s', (text, filter) => expect(filterOf(new URLSearchParams(text))).toEqual(filter))
