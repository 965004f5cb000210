import type { ErrorCode } from '@convexa/contract'
import { describe, expect, it } from 'vitest'
import { markets } from '../market/index.ts'
import { compile, type Names, namesOf } from './index.ts'

const available = new Set(['close', 'open', 'vol', 'rating'])

function namesWith(formulas: Record<string, string>): Names {
  const custom = new Map(Object.entries(formulas).map(([key, formula]) => [key, { key, label: `我的${key.slice(-1)}`, formula }]))
  return namesOf(markets.cb, available, { custom, benchmarks: new Set(['000300']) })
}

const names = namesWith({
  custom_A: 'ts_mean(close, 300)',
  custom_B: 'custom_A / open',
  custom_C: 'x := custom_B; x + 1',
  custom_D: 'custom_C * 2',
  custom_E: 'custom_B + custom_C',
  custom_P: '`custom_Q` + 1',
  custom_Q: 'custom_P',
  custom_X: 'close + ytm',
})

function refusal(text: string) {
  const made = compile(text, names)
  if (made.ok) throw new Error(`accepted: ${made.expression.text}`)
  return made.problem
}

function accepted(text: string, among = names) {
  const made = compile(text, among)
  if (!made.ok) throw new Error(made.problem.message)
  return made.expression
}

describe('own factors in formulas', () => {
  it('stand for their formulas, by key or by name', () => {
    expect(accepted('custom_A * 2').needs).toMatchObject({ fields: new Set(['close']), lookback: 299 })
    expect(accepted('`我的A` + CUSTOM_B').tree.graph.nodes.length).toBe(accepted('custom_A + custom_B').tree.graph.nodes.length)
  })

  it('what they look back counts in the formula around them', () => {
    expect(refusal('ts_mean(ts_mean(custom_A, 500), 300)')).toMatchObject({ code: 22005 })
  })

  it('tell their formulas in the canonical text: another formula is another text', () => {
    expect(accepted('custom_B').text).toBe('custom_B # custom_A := ts_mean(close, 300) # custom_B := custom_A / open')
    expect(accepted('custom_A', namesWith({ custom_A: 'close' })).text).not.toBe(accepted('custom_A').text)
  })

  it.each<[string, ErrorCode, string]>([
    ['1 + custom_D', 22004, '公式嵌套层数过多（第1行第5列）：自定义因子最多嵌套3层'],
    // Read first where less stands around it, it is no less deep afterwards.
    ['custom_C + custom_D', 22004, '公式嵌套层数过多（第1行第12列）：自定义因子最多嵌套3层'],
    ['custom_A + custom_B + custom_E', 22004, '公式嵌套层数过多（第1行第23列）：自定义因子最多嵌套3层'],
    ['custom_P', 22010, '因子存在循环引用（第1行第1列）：custom_P → custom_Q → 我的P'],
    ['custom_Z', 22009, '未知因子：custom_Z（第1行第1列），是否指 custom_A？'],
    ['custom_X', 22009, '自定义因子“我的X”无法计算（第1行第1列）：当前行情数据没有字段“到期收益率”（ytm）'],
  ])('%s', (text, code, message) => {
    expect(refusal(text)).toMatchObject({ code, message })
  })
})

describe('arguments that are not numbers', () => {
  it.each<[string, ErrorCode, string]>([
    ['area + 1', 22002, '公式语法错误（第1行第1列）：“地区”（area）是文字，只能用于 ==、!=、in、switch_eq 和分组函数'],
    ["in(close, 'AA')", 22007, '函数in的第一个参数（第1行第4列）应为评级、板块、地区等枚举字段'],
    [
      "in(rating, 'ZZ')",
      22002,
      '公式语法错误（第1行第12列）：没有取值“ZZ”，可选：AAA、AA+、AA、AA-、A+、A、A-、BBB+、BBB、BBB-、BB+、BB、BB-、B+、B、B-、CCC、CC、C',
    ],
    ['in(rating, 3)', 22007, '函数in的参数“取值”不正确（第1行第12列）：需为引号中的文字'],
    ['gp_mean(close, vol)', 22007, '函数gp_mean的分组（第1行第9列）应为行业、板块、评级等字段，或 cs_bin(x, n)'],
    ["flag('good')", 22007, '函数flag的参数“状态”不正确（第1行第6列）：可选：st、suspended、limit_up、limit_down、called、new'],
    ["mkt('000905')", 22009, '当前行情数据没有指数 000905（第1行第5列），现有：000300'],
    ['cs_bin(close, 2.5)', 22007, '函数cs_bin的参数“箱数”需为1至100的整数（第1行第15列）'],
    ['cs_winsor(close, 0.8, 0.2)', 22007, '函数cs_winsor的参数“上分位”需为0.8至1（第1行第23列）'],
    ['ts_std(close, 1)', 22008, '周期需为2至500的整数（第1行第15列）'],
    ['ts_kurt(close, 3, 1)', 22008, '周期需为4至500的整数（第1行第16列）'],
    ['cs_winsor(close, -1)', 22007, '函数cs_winsor的参数“下分位”需为0至1（第1行第18列）'],
    [
      'days_to(close)',
      22007,
      '函数days_to的参数“日期”不正确（第1行第9列）：可选：list_date、value_date、conv_start_date、conv_end_date、maturity_date',
    ],
    ['case(close, 1)', 22007, '函数case的参数个数不正确（第1行第1列）：应为 case(c, v, default, …)，实际有2个参数'],
    ['atr()', 22009, '当前行情数据没有字段“最高价”（high）（第1行第1列）'],
    ['ema(close, -3)', 22008, '不允许使用未来数据（第1行第12列）：周期不能为负数'],
    ['tr(1)', 22007, '函数tr的参数个数不正确（第1行第1列）：应为 tr()，实际有1个参数'],
  ])('%s', (text, code, message) => {
    expect(refusal(text)).toMatchObject({ code, message })
  })

  it('a text may stand on either side, an attribute too', () => {
    expect(accepted("'AA+' == rating").text).toBe('"AA+" == rating')
    expect(accepted("地区 != '浙江'").text).toBe('area != "浙江"')
  })

  it('STD is another function than std', () => {
    expect(accepted('STD(close, 5)').text).toBe('STD(close, 5)')
    expect(accepted('Std(close, 5)').text).toBe('ts_std(close, 5)')
  })
})

describe('what counts from the listing on', () => {
  it.each([
    ['ema(close, 20)', true, 19],
    ['bars_last(close > open)', true, 0],
    ['macd(close, 12, 26, 9)', true, 33],
    ['ts_mean(close, 20)', false, 19],
    ["pct(mkt('000300'), 5)", false, 5],
  ])('%s', (text, sinceListing, lookback) => {
    const { needs, historyCost } = accepted(text)
    expect(needs).toMatchObject({ sinceListing, lookback })
    expect(historyCost > 0).toBe(sinceListing)
  })

  it('names the market series that it reads', () => {
    expect([...accepted("close / mkt('000300')").needs.benchmarks]).toEqual(['000300'])
  })
})
