import type { GridResult } from '@convexa/contract/grid'
import { beforeEach, expect, it, vi } from 'vitest'
import { memoryStorage } from '../../../test/storage.ts'
import { useAuth } from '../../state/auth.ts'
import type { GridQuestion } from './grid-request.ts'
import { keepGrid, keptGrid } from './kept-grid.ts'

vi.stubGlobal('localStorage', memoryStorage())
vi.stubGlobal('sessionStorage', memoryStorage())

const as = (user_id: string) => useAuth.setState({ userData: { user_id } as ReturnType<typeof useAuth.getState>['userData'] })
const question = {
  body: { axes: [{ path: 'parameters.hold_method.hold_range_end', label: '持有数量', values: [5, 10] }] },
  own: '',
} as unknown as GridQuestion
const cell = (place: number, nav: number[]) => ({ index: [place], metrics: { sharpe: place }, nav })
const answerOf = (points: number, cells: number) =>
  ({
    cells: Array.from({ length: cells }, (_, k) =>
      cell(
        k,
        Array.from({ length: points }, () => 1.0625),
      ),
    ),
  }) as unknown as GridResult
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
      cells: [
        { index: [0], metrics: { sharpe: 0 } },
        { index: [1], metrics: { sharpe: 1 } },
      ],
    },
  })
})

it.each([
  ['another user', () => as('other')],
  ['who has logged out', () => keepGrid(null)],
  ['who finds something else in its place', () => localStorage.setItem('lastGrid', '{"user":"one","answer":7}')],
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
