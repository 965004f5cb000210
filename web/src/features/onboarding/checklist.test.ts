import { describe, expect, it } from 'vitest'
import { finishedBy, knownDone, tasks, viewOf } from './checklist.ts'

describe('the tasks of a newcomer', () => {
  it('are five, the first that is not done is next', () => {
    expect(viewOf([]).map(({ state }) => state)).toEqual(['next', 'later', 'later', 'later', 'later'])
    expect(viewOf(['list', 'run']).map(({ state }) => state)).toEqual(['done', 'next', 'done', 'later', 'later'])
    expect(viewOf(tasks.map(({ key }) => key)).every(({ state }) => state === 'done')).toBe(true)
  })
  it.each([
    ['/rotation/convertible-bond/screen', '', true, ['list']],
    ['/rotation/stock/screen', '?code=900001.DM', true, ['list', 'why']],
    ['/rotation/stock/screen', '', false, []],
    ['/rotation/stock/backtest', '', true, []],
    ['/rotation/stock/backtest/0198-1', '', false, ['run', 'drawdown']],
    ['/', '', true, []],
  ])('at %s%s (rule: %s) %j is done', (path, search, rule, done) => expect(finishedBy(path, search, rule)).toEqual(done))
  it('are known by what the server has', () => expect([...new Set(knownDone(1, 2))]).toEqual(['list', 'run', 'save']))
})
