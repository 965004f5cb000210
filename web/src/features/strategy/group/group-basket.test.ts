import type { GroupDetail } from '@convexa/contract/strategy-group'
import { describe, expect, it } from 'vitest'
import { basketOf } from './group-basket.ts'

const group = {
  group_name: '稳健组合',
  members: [{ as_of: '2026-11-19' }, { as_of: '2026-11-18' }, { as_of: null }],
  combined_list: [
    { code: '900002.DM', name: '二', weight: 0.2, from: ['1'] },
    { code: '900001.DM', name: '一', weight: 0.15, from: ['1'] },
    { code: '900001.DM', name: '一', weight: 0.1, from: ['2'] },
  ],
} as Partial<GroupDetail> as GroupDetail

describe('the basket of a group', () => {
  it('has a security once, with the weight of all who list it, and the day of the oldest list', () =>
    expect(basketOf('cb', group)).toEqual({
      kind: 'cb',
      name: '稳健组合',
      tradeDate: '2026-11-18',
      items: [
        { code: '900001.DM', weight: 0.25 },
        { code: '900002.DM', weight: 0.2 },
      ],
    }))
})
