import { describe, expect, it } from 'vitest'
import { madeReport } from '../../../test/made-report.ts'
import { freeName, readStrategies } from './read-strategies.ts'

const detail = madeReport({ days: 60 }).parameters
const one = (name: string) => ({ kind: 'cb', strategy_name: name, remark: '缓冲 5', tags: ['双低', 3, ''], detail })
const read = (given: unknown) => readStrategies(JSON.stringify(given), 'cb')

describe('strategies that come back as they were exported', () => {
  it('are a list, or one alone', () => {
    const list = read([one('甲'), one('乙')])
    expect(list.ok && list.strategies.map(({ name, remark, tags }) => [name, remark, tags])).toEqual([
      ['甲', '缓冲 5', ['双低']],
      ['乙', '缓冲 5', ['双低']],
    ])
    expect(read(one('甲'))).toMatchObject({ ok: true, strategies: [{ name: '甲', kind: 'cb' }] })
  })
  it('are refused together when one of them is wrong, and it is said which', () => {
    const list = read([one('甲'), { ...one('乙'), detail: { ...detail, rank_method: 7 } }])
    expect(list.ok).toBe(false)
    expect(!list.ok && list.mistakes[0]).toMatch(/^第 2 个：/)
    expect(read([])).toEqual({ ok: false, mistakes: ['列表里没有策略'] })
    expect(read(Array.from({ length: 101 }, () => one('甲')))).toMatchObject({ ok: false })
    expect(readStrategies('[{', 'cb').ok).toBe(false)
  })
})

it('names that are taken are counted on', () => {
  const taken = new Set(['甲', 'abc'])
  expect(['甲', '甲', 'ABC', '乙'].map((name) => freeName(name, taken))).toEqual(['甲（2）', '甲（3）', 'ABC（2）', '乙'])
})
