import { expect, it } from 'vitest'
import { stripOf } from './strip-figures.ts'

const item = (key: string, value: number | null, change: number | null, unit: string | null, history?: (number | null)[]) => ({
  ...{ key, label: key, value, change, unit },
  ...(history ? { history } : {}),
})

it('an index is told by its change, a level by what it is and was, a count by what it counts', () =>
  expect(
    stripOf('cb', [
      item('amount', 300, 0.2, '亿元'),
      item('near_call', 2, 0.2, '只', [1, 2]),
      item('mean_conv_prem', 0.381, 0.003, null),
      item('cb_ew', 2594.9, -0.0012, '点', [null, 2598, 2594.9]),
      item('median_close', 121.576, -0.01, '元'),
      item('mean_close', 131.2084, -0.01, '元'),
      item('share_below_100', 0.0412, 0, null),
      item('traded', 480, 0, '只'),
    ]),
  ).toEqual([
    {
      key: 'cb_ew',
      label: 'cb_ew',
      main: '−0.12%',
      tone: 'down',
      sub: '2594.90 点',
      more: 'traded 480 只，amount 300.00 亿元',
      history: [2598, 2594.9],
    },
    {
      key: 'median_close',
      label: 'median_close',
      main: '121.576',
      tone: null,
      sub: '前一日 122.804 元',
      more: 'mean_close 131.21 元，share_below_100 4.1%',
      history: [],
    },
    { key: 'mean_conv_prem', label: 'mean_conv_prem', main: '38.1%', tone: null, sub: '前一日 37.8%', more: '', history: [] },
    { key: 'near_call', label: 'near_call', main: '2 只', tone: null, sub: '再满足 1–5 日触发', more: '', history: [1, 2] },
  ]))

it('what is missing is —, and what the data lack is left out', () =>
  expect(stripOf('stk', [item('000300', null, null, '点')])).toEqual([
    { key: '000300', label: '000300', main: '—', tone: 'flat', sub: '— 点', more: '', history: [] },
  ]))
