import { describe, expect, it } from 'vitest'
import { markets, screen } from '../../src/index.ts'
import { filterBy, parameters, rankBy, settings } from '../fixtures/parameters.ts'
import { randomMarket } from '../fixtures/random-market.ts'
import { reportOf, runToEnd } from '../fixtures/run.ts'
import { table } from '../fixtures/table.ts'

const industries: Record<string, string> = { AAA: '银行', BBB: '银行', CCC: '医药', DDD: '医药', EEE: '医药', FFF: '电子' }
const panel = table(
  `
              AAA  BBB  CCC  DDD  EEE  FFF  GGG
  2024-01-02  100  104  110  113  119  140  90
`,
  {
    fields: {
      remain_size: `
              AAA  BBB  CCC  DDD  EEE  FFF  GGG
  2024-01-02  1    2    4    8    16   32   .
    `,
    },
    securities: Object.fromEntries(Object.entries(industries).map(([code, industry_1]) => [code, { attributes: { industry_1 } }])),
  },
)
const order = (neutralization: string, over: Parameters<typeof parameters>[0] = {}) => {
  const wanted = parameters({ rank_factors: [rankBy('close', { neutralization })], ...over })
  const outcome = screen(panel, markets.cb, { parameters: wanted, day: 0 })
  if (!outcome.ok) throw new Error(outcome.problem.message)
  const { list_items, excluded } = outcome.result
  return { codes: list_items.map(({ code }) => code), excluded: excluded?.map(({ code, rule }) => `${code} ${rule}`) }
}

describe('a factor freed of something is ranked by what remains of it in the pool', () => {
  it('of the industry: the distance from its mean', () => {
    // −2, 2; −4, −1, 5; 0
    expect(order('industry')).toEqual({
      codes: ['CCC', 'AAA', 'DDD', 'FFF', 'BBB', 'EEE'],
      excluded: ['GGG 缺少「收盘价」或缺少「一级行业」'],
    })
  })

  it('of the size: the residual of a line on its logarithm', () => {
    // ln size is 0 … 5 times ln 2; slope 258/35 on 0 … 5, mean 114.33: residuals 4.10, 0.73, −0.65, −5.02, −6.39, 7.24
    expect(order('size').codes).toEqual(['EEE', 'DDD', 'CCC', 'BBB', 'AAA', 'FFF'])
  })

  it('of the pool alone: what is excluded does not bend the line', () => {
    // Without FFF: 0 … 4, slope 4.7, mean 109.2: 0.2, −0.5, 0.8, −0.9, 0.4
    expect(order('size', { filter_factors: [filterBy('close', 'gt', 130)] }).codes).toEqual(['DDD', 'BBB', 'AAA', 'EEE', 'CCC'])
  })

  it('of nothing when none is said', () => {
    expect(order('none').codes).toEqual(['GGG', 'AAA', 'BBB', 'CCC', 'DDD', 'EEE', 'FFF'])
  })

  it('a run buys what a screen of that day lists first', () => {
    const random = randomMarket('stk', { seed: 8, days: 60, securities: 40 })
    const wanted = parameters({
      rank_factors: [rankBy('pb', { neutralization: 'size_industry' }), rankBy('pct_chg_5', { neutralization: 'industry', weight: 0.5 })],
      hold_method: { hold_range_end: 4 },
    })
    const listed = screen(random, markets.stk, { parameters: wanted, day: 30 })
    const { days } = reportOf(random, markets.stk, {
      parameters: wanted,
      settings: settings(random.dates[30] as string, random.dates[30] as string, { benchmark: 'stk_ew' }),
    })
    const chosen = listed.ok ? listed.result.list_items.filter(({ selected }) => selected).map(({ code }) => code) : []
    expect(days[0]?.bought.map(({ code }) => code)).toEqual(chosen)
    expect(chosen).toHaveLength(4)
  })
})

describe('what it needs is named where it is not there', () => {
  it('an unknown word', () => {
    const outcome = screen(panel, markets.cb, {
      parameters: parameters({ rank_factors: [rankBy('close', { neutralization: 'beta' })] }),
      day: 0,
    })
    expect(outcome).toMatchObject({
      problem: {
        code: 40000,
        message: '请求参数有误：没有中性化方式「beta」，可选：剩余规模（size）、正股市值（stock_size）、行业（industry）',
      },
    })
  })

  it('a field, or the industries, that the data lack', () => {
    const refused = (neutralization: string) => {
      const bare = { ...panel, securities: panel.securities.map((each) => ({ ...each, attributes: {} })) }
      const { outcome } = runToEnd(bare, markets.cb, {
        parameters: parameters({ rank_factors: [rankBy('close', { neutralization })] }),
        settings: settings('2024-01-02', '2024-01-02'),
      })
      return outcome.ok ? null : outcome.problem.message
    }
    expect(refused('stock_size')).toContain('正股总市值')
    expect(refused('industry')).toBe('回测参数有误：当前数据没有「一级行业」，无法按它中性化')
    expect(refused('size')).toBeNull()
  })
})
