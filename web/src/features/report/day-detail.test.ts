import type { DayDetail, DayRow } from '@convexa/contract/report'
import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { describe, expect, it } from 'vitest'
import { madeReport } from '../../../test/made-report.ts'
import { Day } from './day-detail.tsx'

const report = madeReport({ days: 30 })
const row: DayRow = {
  code: '127056.SZ',
  name: '甲转债',
  volume: 100,
  cost_price: 100,
  last_price: 101,
  market_value: 10_100,
  weight: 0.1,
  profit_loss: 100,
  profit_rate: 0.01,
  holding_days: 3,
  rank: 2,
  score: 90,
  suspension: 0,
  cash_div: 0,
  stk_div: 0,
  reason: 'hold',
  reason_text: '名次 2，继续持有',
}
const shown = (over: Partial<DayDetail>, onScores?: (date: string) => void) => {
  const detail: DayDetail = {
    trade_date: report.curves.dates[7] as string,
    nav: 1,
    cash: 0,
    turnover: 0,
    positions: [row],
    sold: [],
    bought: [],
    reserves: [],
    excluded: [],
    ...over,
  }
  const html = renderToStaticMarkup(createElement(Day, { report, detail, onDay: () => {}, onSecurity: () => {}, onScores }))
  return html.replace(/<[^>]+>/g, ' ').replace(/\s+/g, ' ')
}

describe('a day of a report', () => {
  it('tells interest, dividends and new shares on the day they came, and nothing on others', () => {
    expect(shown({ positions: [{ ...row, cash_div: 80, stk_div: 30 }] })).toContain('甲转债 派现 80.00 元 除权增 30 张')
    expect(shown({ positions: [{ ...row, suspension: 1 }] })).toContain('甲转债 停牌')
    expect(shown({ positions: [{ ...row, reason: 'claim' }] })).toContain('甲转债 待兑付')
    expect(shown({ positions: [{ ...row, reason: 'unpaid' }] })).toContain('甲转债 未兑付')
    expect(shown({})).not.toMatch(/派现|除权|停牌|兑付/)
  })

  it('tells how far the next in line stand from the places that are held', () => {
    const last = report.parameters?.hold_method.hold_range_end as number
    const reserves = [last, last + 1, last + 3].map((rank) => ({ code: `${rank}`, name: `候${rank}`, rank, score: 50 }))
    expect(shown({ reserves })).toContain(`${last} 候${last} ${last + 1} 候${last + 1} （+1） ${last + 3} 候${last + 3} （+3）`)
  })

  it('leads its owner to the scores of its ranking', () => {
    expect(shown({}, () => {})).toContain('轮动 看各因子得分')
    expect(shown({})).not.toContain('看各因子得分')
  })

  it('names whom a place was free for and who could not be bought', () => {
    const unbought = [{ code: '113001.SH', name: '乙转债', rank: 1, reason_text: '涨停未买入' }]
    expect(shown({ unbought })).toContain('未能买入 1 只 乙转债 名次 1，涨停未买入')
    expect(shown({})).not.toContain('未能买入')
  })
})
