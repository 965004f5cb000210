import { describe, expect, it } from 'vitest'
import { clauseIn, clausesIn } from './clauses.ts'

const clause = (days: number, window: number, trigger: number) => ({ days, window, trigger })

describe('a clause as a prospectus words it', () => {
  it.each([
    ['公司股票在任意三十个连续交易日中至少十五个交易日的收盘价格低于当期转股价格90%时', clause(15, 30, 0.9)],
    ['公司A股股票连续三十个交易日中至少有十五个交易日的收盘价格不低于当期转股价格的130%（含130%）', clause(15, 30, 1.3)],
    [
      '(1)到期赎回条款 期满后五个交易日内，按面值上浮6%（含最后一期利息）的价格赎回。(2)有条件赎回条款 任何连续三十个交易日中至少十五个交易日的收盘价格不低于当期转股价格的130%',
      clause(15, 30, 1.3),
    ],
    ['任意连续30个交易日中至少有20个交易日的收盘价不低于当期转股价格的130%', clause(20, 30, 1.3)],
    ['最后两个计息年度，如果公司股票在任何连续三十个交易日的收盘价格低于当期转股价的70%时', clause(30, 30, 0.7)],
    ['自第三个计息年度起，如果公司股票收盘价连续30个交易日低于当期转股价格的70%', clause(30, 30, 0.7)],
    ['下述两种情形的任意一种出现时：①任何连续三十个交易日中至少十五个交易日的收盘价格不低于130%；②余额不足3,000万元', clause(15, 30, 1.3)],
    ['任意连续二十个交易日中至少有十个交易日的收盘价低于当期转股价格的90%时', clause(10, 20, 0.9)],
    ['任意连续三十个交易日中有十五个交易日的收盘价低于当期转股价格的80%时', clause(15, 30, 0.8)],
    ['连续20个交易日的收盘价格不低于当期转股价格的130%', clause(20, 20, 1.3)],
    ['任意连续 30 个交易日中至少 15 个交易日的收盘价低于当期转股价格的 85%时', clause(15, 30, 0.85)],
    ['连续三十个交易日中至少十五个交易日的收盘价格不低于当期转股价格的百分之一百三十', clause(15, 30, 1.3)],
    ['连续三十个交易日中至少十五个交易日的收盘价格不低于当期转股价格的百分之一百零五', clause(15, 30, 1.05)],
    ['连续二十五个交易日的收盘价格低于当期转股价格的百分之七十', clause(25, 25, 0.7)],
    ['连续三十个交易日中不少于十五个交易日的收盘价不低于当期转股价格的130%', clause(15, 30, 1.3)],
    ['连续三十个交易日中不低于十五个交易日的收盘价不低于当期转股价格的130%', clause(15, 30, 1.3)],
    ['连续三十个交易日内超过二十个交易日的收盘价高于当期转股价格的130%', clause(20, 30, 1.3)],
    ['连续30个交易日中15个交易日的收盘价格不低于当期转股价格的120%', clause(15, 30, 1.2)],
    ['三十个连续交易日里，若十五日收盘价格低于当期转股价格的百分之八十五', clause(15, 30, 0.85)],
    ['连续三十个交易日，中国股票的收盘价格低于当期转股价格的70%', clause(30, 30, 0.7)],
    ['连续三十个交易日中国股票的收盘价格低于当期转股价格的70%', clause(30, 30, 0.7)],
    ['连续三十个交易日中过半数交易日的收盘价格不低于当期转股价格的130%', null],
    ['连续三十个交易日的至少一半收盘价格不低于当期转股价格的130%', null],
    ['连续三十个交易日中有若干个交易日的收盘价格不低于当期转股价格的130%', null],
    ['连续三十个交易日中至少四十个交易日的收盘价格不低于当期转股价格的130%', null],
    ['公司有权决定按面值加当期应计利息赎回', null],
    ['三十个交易日的收盘价格低于当期转股价格的八成', null],
  ])('%s', (text, read) => {
    expect(clauseIn(text)).toEqual(read)
  })
})

describe('the clauses of a bond', () => {
  const call = '任何连续三十个交易日中至少十五个交易日的收盘价格不低于当期转股价格的130%'
  const put = (when: string) => `${when}，如果公司股票在任何连续三十个交易日的收盘价格低于当期转股价格的70%时`
  const dates = { valueDate: '2019-03-20', maturityDate: '2025-03-20', conversionStart: '2019-09-26' }
  const read = (redeem: string | null, back: string | null, reset: string | null = null) =>
    clausesIn({ ...dates, clauses: { redeem, put: back, reset } })

  it.each([
    ['在本次发行的可转债最后两个计息年度', '2023-03-20'],
    ['在本次发行的可转债最后一个计息年度', '2024-03-20'],
    ['在本可转债存续期的最后四个计息年度', '2021-03-20'],
    ['自本次可转债第三个计息年度起', '2021-03-20'],
    ['在债券到期前的最后半年内', '2024-09-20'],
    ['在本次可转债转股期内', '2019-09-26'],
    ['(1)附加回售条款 在存续期内改变募集资金用途的，可回售一次。(2)有条件回售条款 在最后两个计息年度', '2023-03-20'],
  ])('put: %s', (when, from) => {
    expect(read(null, put(when)).put).toEqual({ ...clause(30, 30, 0.7), from })
  })

  it('a put whose period the words do not say is unknown', () => {
    expect(read(call, put('当下述情形出现')).put).toBeNull()
  })

  it('what cannot be read is unknown, the call too: 15 of 30 days at 130 % is never taken in silence', () => {
    expect(read('按募集说明书约定赎回', null)).toEqual({ redeem: null, reset: null, put: null })
    expect(read(null, null).redeem).toBeNull()
  })

  it('a source that has taken the call for the put is read the other way round', () => {
    const right = read(call, put('在最后两个计息年度'))
    expect(right.redeem).toEqual(clause(15, 30, 1.3))
    expect(read(put('在最后两个计息年度'), call)).toEqual(right)
    expect(read(put('在最后两个计息年度'), null)).toEqual({ ...right, redeem: null })
  })
})
