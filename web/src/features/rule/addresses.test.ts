import { describe, expect, it } from 'vitest'
import { comparePath, itemsOf, itemText } from './addresses.ts'

describe('the items of a comparison in its address', () => {
  it('are strategies, groups and runs of both markets', () =>
    expect(itemsOf('cb:12,stk:group:7,cb:run:0198-a')).toEqual([
      { type: 'strategy', kind: 'cb', id: '12' },
      { type: 'group', kind: 'stk', id: '7' },
      { type: 'run', kind: 'cb', id: '0198-a' },
    ]))
  it.each([
    ['nothing', null, []],
    ['an unknown market', 'hk:12', []],
    ['an unknown kind of thing', 'cb:factor:12', []],
    ['the same twice', 'cb:12,cb:12', ['cb:12']],
    ['more than six', 'cb:1,cb:2,cb:3,cb:4,cb:5,cb:6,cb:7', ['cb:1', 'cb:2', 'cb:3', 'cb:4', 'cb:5', 'cb:6']],
    ['what would lead elsewhere', 'cb:../../x,cb:1', ['cb:1']],
  ])('leave out %s', (_, text, kept) => expect(itemsOf(text).map(itemText)).toEqual(kept))
  it('come back from the address that they make', () => {
    const items = itemsOf('cb:12,stk:group:7,cb:run:3')
    expect(itemsOf(new URLSearchParams(comparePath(items).split('?')[1]).get('items'))).toEqual(items)
  })
})
