import { describe, expect, it } from 'vitest'
import { matching, sortOf, sortText, usualSort } from './list-view.ts'

describe('the order of a list', () => {
  it.each([
    [null, [usualSort]],
    ['name.ascending', [{ key: 'name', direction: 'ascending' }]],
    ['nothing.ascending', [usualSort]],
    ['name.sideways', [usualSort]],
  ])('%s', (text, sorts) => expect(sortOf(text, ['name', 'updated'])).toEqual(sorts))
  it('is in the address unless it is the usual one', () => {
    expect(sortText([usualSort])).toBe(null)
    expect(sortText([{ key: 'updated', direction: 'ascending' }])).toBe('updated.ascending')
  })
})

it.each([
  ['', ['双低10', 'PB-ROE']],
  ['双低', ['双低10']],
  ['roe 价值', ['PB-ROE']],
  ['roe 双低', []],
  ['缓冲', ['双低10']],
])('looked for %j: %j', (typed, names) => {
  const rows = [
    { name: '双低10', remark: '缓冲 5', tags: ['转债'] },
    { name: 'PB-ROE', remark: '', tags: ['价值'] },
  ]
  expect(matching(rows, typed).map(({ name }) => name)).toEqual(names)
})
