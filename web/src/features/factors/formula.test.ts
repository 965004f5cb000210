import type { FactorMeta } from '@convexa/contract/factor'
import { describe, expect, it } from 'vitest'
import { type Checked, checkerOf } from './check.ts'
import { partsIn } from './parts.ts'
import { callAt, tokensOf } from './tokens.ts'
import { vocabularyOf, wordsFor } from './vocabulary.ts'

const meta = (factor_key: string, factor_name: string, more: Partial<FactorMeta> = {}): FactorMeta => ({
  ...{ factor_key, factor_name, factor_type: 0, category: '价格', unit: null, decimals: 4, prefer_default: 'small', realtime: true },
  ...{ available: true, coverage: 1, description: `${factor_name}的说明` },
  ...more,
})
const metas = [
  meta('close', '收盘价', { unit: '元', decimals: 3 }),
  meta('conv_prem', '转股溢价率'),
  meta('remain_size', '剩余规模', { unit: '亿元', decimals: 3 }),
  meta('rating', '评级', { decimals: 0, values: ['AAA', 'AA+', 'AA'] }),
  meta('pct_chg_N', 'N日涨跌幅', { factor_type: 2, window: { default: 5, min: 1, max: 250 } }),
  meta('net_profit', '净利润', { unit: '亿元', category: '财报科目' }),
  meta('money_funds', '货币资金', { available: false, reason: '当前数据没有「货币资金」' }),
  meta('custom_abc', '我的双低', { factor_type: 1, formula: 'close + conv_prem * 100', decimals: 2 }),
]
const check = checkerOf(metas)
const said = (checked: Checked) =>
  checked.kind === 'wrong'
    ? checked.mistake.message
    : checked.kind === 'right'
      ? checked.remarks.map(({ message }) => message).join('；')
      : ''

describe('a formula checked while it is typed', () => {
  it.each<[string, RegExp, number]>([
    ['ts_rank(close)', /^第 1 行第 1 列：函数ts_rank的参数个数不正确.*实际有1个参数/, 0],
    ['close +', /^第 1 行第 8 列：公式语法错误：公式不完整/, 7],
    ['close\n+ ref(close, -1)', /^第 2 行第 14 列：不允许使用未来数据/, 19],
    ['ts_mean(close, 501)', /周期需为1至500的整数/, 15],
    ['(close', /缺少右括号/, 6],
    ['nobody(close)', /未知函数：nobody/, 0],
    ["rating == 'XX'", /没有取值“XX”，可选：AAA/, 10],
    ['pct_chg_900', /周期需为1至250/, 0],
    ['close + close + ', /公式不完整/, 16],
  ])('%s', (text, message, start) => {
    const checked = check(text)
    expect(said(checked)).toMatch(message)
    expect(checked).toMatchObject({ kind: 'wrong', sure: true, mistake: { start } })
  })

  it('leaves the last word to the server on names that it does not know', () => {
    expect(check('nobody_knows')).toMatchObject({ kind: 'wrong', sure: false })
    expect(check('money_funds')).toMatchObject({ kind: 'wrong', sure: false })
    expect(said(check('closs'))).toMatch(/是否指 close/)
  })

  it.each([
    'TS_RANK( CLOSE + CONV_PREM*100 , 20 )',
    '收盘价 + 转股溢价率 × 100 # 双低',
    "if(rating == 'AAA', pct_chg_20, -pct_chg_5)",
    'a := close / ref(close, 5); a - 1',
    'custom_abc * 2 + `我的双低`',
    'q_ttm(net_profit) / q_ref(净利润, 4)',
    'cs_neutral(close, remain_size, industry_1)'.replace('cs_neutral(close, remain_size, industry_1)', 'gp_rank(industry_1, close)'),
  ])('%s is right', (text) => {
    expect(check(text)).toMatchObject({ kind: 'right', remarks: [] })
  })

  it('prices as traded over days are told, with a press that writes adjusted ones', () => {
    const own = meta('custom_rise', '我的涨幅', { factor_type: 1, formula: 'pct(close, 5)' })
    const ofShares = checkerOf([...metas, own, meta('adj_factor', '复权因子'), meta('adj_close', '复权收盘价')])
    const checked = ofShares('rsi(close, 6)')
    expect(said(checked)).toBe('跨日比较未复权的收盘价，除权除息日会被当作涨跌；可改用复权价 adj_close')
    expect(checked).toMatchObject({ remarks: [{ press: { label: '改用复权价', formula: 'rsi(adj_close, 6)' } }] })
    expect(said(ofShares('rsi(adj_close, 6)'))).toBe('')
    // What stands in another factor is changed on its page.
    const nested = ofShares('custom_rise * 100')
    expect(said(nested)).toContain('收盘价（自定义因子「我的涨幅」）')
    expect(nested).toMatchObject({ remarks: [{ start: 0, end: 11 }] })
    expect(JSON.stringify(nested)).not.toContain('改用复权价"')
    expect(said(check('rsi(close, 6)'))).toBe('')
  })

  it('counts what it is made of', () => {
    expect(check('TS_RANK(CLOSE + CONV_PREM * 100, 20)')).toMatchObject({ functions: 1, factors: 2, nodes: 7 })
    expect(check(' \n')).toEqual({ kind: 'empty' })
  })

  it.each<[string, RegExp]>([
    ['close + conv_prem', /「转股溢价率」是小数（12.4% 写作 0.124），与「收盘价」（元）相加减前通常需要 ×100/],
    ['ts_mean(conv_prem, 5) - close', /×100/],
    ['p := conv_prem; close + p', /×100/],
    ['close + remain_size', /元.*亿元.*直接相加减没有意义/],
    ['if(conv_prem > 30, 1, 0)', /30 相当于 3000%；如果指 30%，请写 0.3/],
  ])('%s is remarked on', (text, message) => {
    expect(said(check(text))).toMatch(message)
  })

  it.each([
    'close + conv_prem * 100',
    'close * (1 + conv_prem)',
    'cs_rank(close) + cs_rank(conv_prem)',
    'conv_prem < 0.3',
    'close + 5',
    'close / remain_size',
  ])('%s has units that fit', (text) => {
    expect(said(check(text))).toBe('')
  })
})

describe('the rows of the debugger', () => {
  it('are the parts worth a look, outer before inner', () => {
    const rows = partsIn('TS_RANK(\n  CLOSE + CONV_PREM * 100, # 双低\n  20)').map(({ depth, label, last }) => [depth, label, last])
    expect(rows).toEqual([
      [0, 'TS_RANK(·, 20)', true],
      [1, 'CLOSE + CONV_PREM * 100', true],
      [2, 'CLOSE', false],
      [2, 'CONV_PREM * 100', true],
      [3, 'CONV_PREM', true],
    ])
  })

  it('are formulas by themselves, with the names before them', () => {
    const parts = partsIn('a := ts_mean(close, 5); b := a * 2; b - a')
    expect(parts.map(({ formula }) => formula)).toEqual([
      'a := ts_mean(close, 5); b := a * 2; b - a',
      'a := ts_mean(close, 5); b := a * 2; b',
      'a := ts_mean(close, 5); b := a * 2; a',
      'ts_mean(close, 5)',
      'close',
      'a := ts_mean(close, 5); a * 2',
      'a := ts_mean(close, 5); a',
    ])
    expect(parts.filter(({ local }) => local).map(({ local, label }) => [local, label])).toEqual([
      ['a', 'ts_mean(close, 5)'],
      ['b', 'a * 2'],
    ])
  })

  it('are none while it is half written', () => {
    expect(partsIn('close +')).toEqual([])
  })
})

describe('the words of the editor', () => {
  const functions = [
    {
      ...{
        name: 'ts_rank',
        aliases: ['TSRANK'],
        label: '时序分位',
        category: '时序',
        returns: 'number' as const,
        example: 'ts_rank(close, 20)',
      },
      ...{ description: '今天在最近 n 日里的位置', is_cross_section: false, lookback: null },
      args: [
        { name: 'x', type: 'series', desc: '数值', optional: false },
        { name: 'n', type: 'window', desc: '周期（交易日）', optional: false, min: 1, max: 500 },
        { name: 'mp', type: 'window', desc: '最少有效天数', optional: true, min: 1, max: 500 },
      ],
    },
  ]
  const words = vocabularyOf(functions, metas)

  it.each([
    ['溢价', 'conv_prem'],
    ['zgyjl', 'conv_prem'],
    ['conv', 'conv_prem'],
    ['spj', 'close'],
    ['fenwei', undefined],
    ['sxfw', 'ts_rank'],
    ['RANK', 'ts_rank'],
    ['nrzdf', 'pct_chg_5'],
    ['`我的', 'custom_abc'],
  ])('%s offers %s', (typed, text) => {
    expect(wordsFor(words.words, typed)[0]?.text).toBe(text)
  })

  it('knows a function by any of its names, and what it takes', () => {
    expect(words.functionNamed('TS_Rank')?.signature).toBe('ts_rank(x, n, [mp])')
    expect(words.functionNamed('ts_rank')?.args?.[1]?.desc).toBe('周期（交易日）（1–500）')
    expect(words.factorNamed('转股溢价率')?.text).toBe('conv_prem')
    expect(words.factorNamed('pct_chg_60')?.label).toBe('N日涨跌幅')
  })
})

describe('a text in colours', () => {
  it('is cut the same however half written', () => {
    const kinds = tokensOf("ts_rank(`收 盘` + 1.5e3 # 注\n,'AA' and ！").map(({ kind, text }) => `${kind} ${text}`)
    expect(kinds).toEqual([
      'function ts_rank',
      'sign (',
      'name `收 盘`',
      'sign +',
      'number 1.5e3',
      'comment # 注',
      'sign ,',
      "text 'AA'",
      'word and',
      'other ！',
    ])
  })

  it.each<[string, string | null, number]>([
    ['ts_rank(clo|se, 20)', 'ts_rank', 0],
    ['ts_rank(max(a, b), |', 'ts_rank', 1],
    ['ts_rank(max(a, |b), 2)', 'max', 1],
    ['ts_rank((a + |', 'ts_rank', 0],
    ['clo|se', null, 0],
    ['ts_rank(a) + |', null, 0],
    ['a # f(|', null, 0],
  ])('%s stands in %s', (marked, name, argument) => {
    const call = callAt(marked.replace('|', ''), marked.indexOf('|'))
    expect(call && [call.name, call.argument]).toEqual(name ? [name, argument] : null)
  })
})
