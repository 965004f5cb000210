import { describe, expect, it } from 'vitest'
import { couponsByYear, couponsOf } from './coupons.ts'

describe('coupons out of the text of a bond', () => {
  const piece = (year: number, words: string) => `${year}0414-${year + 1}0413,${words}`
  const text = (...percents: string[]) => percents.map((percent, k) => piece(2020 + k, `票面利率:${percent}%`)).join(';')
  it.each([
    {
      name: 'all years',
      said: text('0.40', '0.80', '1.00', '1.50', '2.50', '3.00'),
      years: 6,
      yearly: [0.4, 0.8, 1, 1.5, 2.5, 3],
      filled: 0,
    },
    {
      name: 'ended after two years: usual steps, never lower',
      said: text('0.40', '1.20'),
      years: 6,
      yearly: [0.4, 1.2, 1.2, 1.5, 1.8, 2],
      filled: 4,
    },
    {
      name: 'a last piece that is cut short by the end of its bond',
      said: `${text('0.40')};20210414-20210801,票面利率:0.60%`,
      years: 3,
      yearly: [0.4, 0.6, 1],
      filled: 1,
    },
    { name: 'a full-width colon', said: '20200414-20210413,票面利率：0.5%', years: 1, yearly: [0.5], filled: 0 },
    { name: 'more than the years', said: text('1', '1', '1'), years: 2, yearly: [1, 1], filled: 0 },
    {
      name: 'a percent sign that is missing moves nothing',
      said: [piece(2020, '票面利率:0.40%'), piece(2021, '票面利率:0.60'), piece(2022, '票面利率:1.00%')].join(';'),
      years: 3,
      yearly: [0.4, 0.6, 1],
      filled: 0,
    },
    {
      name: 'the last percent sign is missing: the year is said',
      said: [piece(2020, '票面利率:0.40%'), piece(2021, '票面利率:0.60')].join(';'),
      years: 2,
      yearly: [0.4, 0.6],
      filled: 0,
    },
    {
      name: 'a piece without a rate leaves its year unknown, no other',
      said: [piece(2020, '票面利率:0.40%'), piece(2021, '票面利率:'), piece(2022, '票面利率:1.00%')].join(';'),
      years: 3,
      yearly: [0.4, null, 1],
      filled: 0,
    },
    {
      name: 'a last piece without a rate is unknown, not usual',
      said: [piece(2020, '票面利率:0.40%'), piece(2021, '')].join(';'),
      years: 2,
      yearly: [0.4, null],
      filled: 0,
    },
    {
      name: 'a gap leaves its year unknown',
      said: [piece(2020, '票面利率:0.40%'), piece(2022, '票面利率:1.00%')].join(';'),
      years: 3,
      yearly: [0.4, null, 1],
      filled: 0,
    },
    {
      name: 'a year in two pieces: later years keep their own',
      said: '20200414-20210413,票面利率:0.40%;20210414-20211013,票面利率:0.60%;20211014-20220413,票面利率:0.80%;20220414-20230413,票面利率:1.00%',
      years: 3,
      yearly: [0.4, Number(((0.6 * 183 + 0.8 * 182) / 365).toFixed(6)), 1],
      filled: 0,
    },
    { name: 'pieces in any order', said: text('0.40', '0.80').split(';').reverse().join(';'), years: 2, yearly: [0.4, 0.8], filled: 0 },
    {
      name: 'a first piece that is missing, by the day from which interest runs',
      said: text('0.40', '0.80', '1.00').split(';').slice(1).join(';'),
      years: 3,
      valueDate: '2020-04-14',
      yearly: [null, 0.8, 1],
      filled: 0,
    },
    {
      name: 'interest from a leap day',
      said: '20200229-20210227,票面利率:0.40%;20210228-20220227,票面利率:0.60%;20220228-20230227,票面利率:0.80%;20230228-20240228,票面利率:1.00%',
      years: 4,
      yearly: [0.4, 0.6, 0.8, 1],
      filled: 0,
    },
    { name: 'no text', said: null, years: 6, yearly: [], filled: 0 },
    { name: 'no years', said: text('0.40'), years: null, yearly: [], filled: 0 },
  ])('$name', ({ said, years, valueDate = null, yearly, filled }) => {
    expect(couponsOf(said, years, valueDate)).toEqual({ yearly, filled })
  })
})

it.each([
  ['第一年0.30%、第二年0.50%、第三年1.00%', [0.3, 0.5, 1]],
  ['第一年为0.30%，第二年为0.50，第三年为1.00%', [0.3, 0.5, 1]],
  ['第一年0.30%、第三年1.00%', [0.3, null, 1]],
  ['第1年 0.2%;第2年 0.4%', [0.2, 0.4]],
  ['0.3%,0.5%', [0.3, 0.5]],
  ['', []],
] as const)('years by their names: %s', (text, yearly) => {
  expect(couponsByYear(text)).toEqual(yearly)
})
