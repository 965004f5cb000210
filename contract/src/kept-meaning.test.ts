import { describe, expect, it } from 'vitest'
import { countedAnew, keptName, keptNames, mendedBars, mendedRule } from './kept-meaning.ts'

describe('a factor that was named before its name got another meaning', () => {
  it.each([
    ['volatility', 'volatility_60'],
    ['年化波动率', 'volatility_60'],
    ['formula: rank(Volatility) - 2 * 年化波动率', 'formula: rank(volatility_60) - 2 * volatility_60'],
    ['formula: volatility/close+volatility', 'formula: volatility_60/close+volatility_60'],
    ['强赎触发价比率', 'redeem_price_rate'],
    ['formula: 1 - 强赎 触发价比率', 'formula: 1 - redeem_price_rate'],
    ['回售触发价比率', 'put_price_rate'],
    ['下修触发比例', 'reset_trigger'],
  ])('%s means %s', (before, now) => {
    const { value, told } = keptName('cb', before)
    expect(value).toBe(now)
    expect(told).toHaveLength(1)
  })

  it.each([
    'volatility_20',
    'volatility_stk',
    '正股年化波动率',
    'N日年化波动率',
    'formula: volatility_60 + my_volatility',
    'formula: volatility := ts_std(close, 5); volatility / close',
    'redeem_price_rate',
    'redeem_trigger',
    '强赎触发价',
    'close',
  ])('%s stays', (name) => {
    expect(keptName('cb', name)).toEqual({ value: name, told: [] })
  })

  it.each(['theory_conv_prem', 'formula: 修正溢价率 + close', '纯债溢价率', 'iv'])(
    '%s is mended: the name stays, and it is said',
    (name) => {
      const { value, told } = keptName('cb', name)
      expect(value).toBe(name)
      expect(told).toEqual([expect.stringContaining('自引擎 0.4 起')])
    },
  )

  it.each(['kdj_k()', 'close / vwap_n (5) - 1', 'ATR(14)', 'atr_14', 'delta(obv(), 5)'])(
    '%s reads adjusted prices now, and says so',
    (formula) => {
      expect(mendedBars('stk', formula)).toEqual([expect.stringContaining('自引擎 0.5 起按复权价计算')])
      expect(mendedBars('cb', formula)).toEqual([])
    },
  )

  it.each(['kdj_k', 'rsi(close, 6)', 'my_atr(3)', 'boll_up(close, 20, 2)', 'natr_5'])('%s is what it was', (formula) => {
    expect(mendedBars('stk', formula)).toEqual([])
  })

  it('a rule is told once of its bars', () => {
    expect(mendedRule('stk', { rank_factors: [{ factor_key: 'formula: wr(10)' }, { factor_key: 'atr_6' }], name: 'wr(10)' })).toHaveLength(
      1,
    )
    expect(mendedRule('stk', { name: 'wr(10)', stop_method: { stop_type: 4 }, hold_method: { hold_weight_type: 4 } })).toEqual([])
    expect(mendedRule('cb', { stop_method: { stop_type: 2 }, hold_method: { hold_weight_type: 5 } })).toEqual([
      expect.stringContaining('当日不再买回'),
      expect.stringContaining('平均权重'),
    ])
  })

  it.each([
    { exclude: { call_status: ['announced'] } },
    { exclude: { call_remain_days: 3 } },
    { rank_factors: [{ factor_key: '强赎剩余计数' }] },
    { filter_factors: [{ factor_key: 'formula: is_call == 4 and close < 130' }] },
    { formula: 'put_count / 30' },
  ])('%o is told once that clauses are counted anew', (rule) => {
    expect(countedAnew('cb', rule)).toEqual([expect.stringContaining('公告不强赎（推定）')])
    expect(countedAnew('stk', rule)).toEqual([])
  })

  it('a rule that waits for redemptions is told what it is paid; one that names neither is told nothing', () => {
    expect(countedAnew('cb', { settings: { call_handling: 'hold_to_redemption' } })).toEqual([expect.stringContaining('按赎回价')])
    const plain = { exclude: { call_status: [], call_remain_days: null }, rank_factors: [{ factor_key: 'dblow' }], name: 'is_call' }
    expect(countedAnew('cb', { ...plain, settings: { call_handling: 't_minus_1_close' } })).toEqual([])
  })

  it('of shares no name changed', () => {
    expect(keptName('stk', 'volatility')).toEqual({ value: 'volatility', told: [] })
  })

  it('a rule says each change once, and what is no factor is not touched', () => {
    const rule = {
      name: '年化波动率',
      rank_factors: [{ factor_key: 'volatility' }, { factor_key: 'formula: 年化波动率 * 2' }],
      hold_method: { hold_weight_factor: '强赎触发价比率' },
    }
    const { value, told } = keptNames('cb', rule)
    expect(value).toEqual({
      name: '年化波动率',
      rank_factors: [{ factor_key: 'volatility_60' }, { factor_key: 'formula: volatility_60 * 2' }],
      hold_method: { hold_weight_factor: 'redeem_price_rate' },
    })
    expect(told).toEqual([
      expect.stringMatching(/年化波动率.*244.*volatility_60/),
      expect.stringMatching(/强赎触发价比率.*redeem_price_rate/),
    ])
    expect(keptNames('cb', value)).toEqual({ value, told: [] })
  })
})
