// isolated: stubs globals
import type { GridResult } from '@convexa/contract/grid'
import { beforeEach, expect, it, vi } from 'vitest'
import { someDraft } from '../../../test/some-draft.ts'
import { memoryStorage } from '../../../test/storage.ts'
import { useAuth } from '../../state/auth.ts'
import type { GridQuestion } from './grid-request.ts'
import { keepGrid, keptGrid } from './kept-grid.ts'

vi.stubGlobal('localStorage', memoryStorage())
vi.stubGlobal('sessionStorage', memoryStorage())

const as = (user_id: string) => useAuth.setState({ userData: { user_id } as ReturnType<typeof useAuth.getState>['userData'] })
const { parameters, settings } = someDraft('双低')
const axes = [{ path: 'parameters.hold_method.hold_range_end', label: '持有数量', values: [5, 10] }]
const question: GridQuestion = {
  body: { parameters, settings, axes },
  axes: [{ label: '持有数量', unit: '', scale: 1, values: [5, 10], now: null }],
  name: '双低',
  own: '',
}
const metrics = { annual_return: null, total_return: 0, max_drawdown: 0, sharpe: 1, calmar: null, turnover: 0, win_rate: null }
const cell = (place: number, nav: number[]) => ({ index: [place], metrics, nav })
const rest = {
  ...{ axes, best: null, plateau: { cells: [], sentence: '' }, stability: [], oos_rank_correlation: null },
  robustness: { trials: 2, luck_threshold: null, dsr: null, pbo: null },
  ...{ partial: false, done: 2, total: 2, warnings: [], elapsed_ms: 3_000, data_version: 'v' },
}
const answerOf = (points: number, cells: number) =>
  ({
    ...rest,
    cells: Array.from({ length: cells }, (_, k) =>
      cell(
        k,
        Array.from({ length: points }, () => 1.0625),
      ),
    ),
  }) satisfies GridResult
const grid = (cells = 2) => ({ question, answer: answerOf(250, cells), seconds: 3 })

beforeEach(() => {
  localStorage.clear()
  as('one')
})

it('the last grid is there again after a reload, without the curves of its cells', () => {
  keepGrid(grid())
  expect(keptGrid()).toEqual({
    question,
    seconds: 3,
    answer: {
      ...rest,
      cells: [
        { index: [0], metrics },
        { index: [1], metrics },
      ],
    },
  })
})

it.each([
  ['another user', () => as('other')],
  ['who has logged out', () => keepGrid(null)],
  ['who finds something else in its place', () => localStorage.setItem('lastGrid', '{"user":"one","answer":7}')],
  [
    'who finds one cell without its figures',
    () => localStorage.setItem('lastGrid', localStorage.getItem('lastGrid')?.replace('"sharpe":1', '"sharpe":"1"') ?? ''),
  ],
])('not for %s', (_, then) => {
  keepGrid(grid())
  then()
  expect(keptGrid()).toBeNull()
})

it('one that would take the room of all else is not kept, and neither is the one before it', () => {
  keepGrid(grid())
  keepGrid(grid(50_000))
  expect(keptGrid()).toBeNull()
})
