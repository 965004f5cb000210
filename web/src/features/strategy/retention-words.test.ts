import { expect, it } from 'vitest'
import { retentionWords } from './retention-words.ts'

const free = { newest: 100, days: 90, question_days: 365 }
const vip = { newest: 2_000, days: 730, question_days: 1_095 }
const star = '需要长期保留的，请收藏（已收藏 3 / 20）或在报告中导出。'
const said = (given: Partial<Parameters<typeof retentionWords>[0]>) =>
  retentionWords({ plan: 'free', reports: free, until: null, favourites: 3, most_favourites: 20, ...given })

it('says what a plan keeps, and what to do before', () => {
  expect(said({})).toBe(`免费版保留最近 100 次、90 天内的完整结果，之后仅保留参数与指标，共 1 年。${star}`)
  expect(said({ plan: 'vip', reports: vip })).toBe(`会员保留最近 2,000 次、2 年内的完整结果，之后仅保留参数与指标，共 3 年。${star}`)
})

it('names the day on which a lapsed member loses the reports beyond a free plan', () => {
  expect(said({ plan: 'lapsed', reports: vip, until: '2027-02-01' })).toBe(
    `您的会员已到期，超出免费额度的完整回测结果将保留到 2027-02-01，之后仅保留参数与指标。${star}`,
  )
})

it('a guest is told of the one day, and nothing is said where all is kept', () => {
  expect(said({ plan: 'guest', reports: null })).toBe('体验账号的回测保留 1 天，需要的请先在报告中导出。')
  expect(said({ reports: null })).toBeNull()
})
