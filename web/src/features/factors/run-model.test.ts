import type { FactorProbe, FactorRunningResult } from '@convexa/contract/factor'
import { describe, expect, it } from 'vitest'
import { itemsOf, sameText, textOf, unitChoiceOf } from './drafts.ts'
import { meaningsOf, readingOf } from './meaning.ts'
import { checksOf, commonest, readRun, requestOf } from './run-model.ts'
import { vocabularyOf } from './vocabulary.ts'

const meta = (factor_key: string, factor_name: string, more: object = {}) => ({
  ...{ factor_key, factor_name, factor_type: 0 as const, category: '价格', unit: null, decimals: 4, prefer_default: 'small' as const },
  ...{ realtime: true, available: true, coverage: 1, description: '' },
  ...more,
})
const metas = [
  meta('close', '收盘价', { unit: '元', decimals: 3 }),
  meta('conv_prem', '转股溢价率'),
  meta('dblow', '双低', { decimals: 3, formula: 'close + 100 * conv_prem' }),
]
const words = vocabularyOf([], metas)
const code = '900001.DM'
const formula = 'ts_rank(close + conv_prem * 100, 3)'
const asked = { formula, code, date: null }

const probe = (series: (number | null)[], more: Partial<FactorProbe> = {}): FactorProbe => ({
  ...{ formula: '', ok: true, trade_date: '2026-11-20', values: [[code, series.at(-1) ?? null]] },
  series: { dates: series.map((_, i) => `2026-11-${18 + i}`), values: { [code]: series } },
  ...{ coverage: 0.9, missing: ['900002.DM'], histogram: { edges: [], counts: [] }, quantiles: [], top: [], bottom: [] },
  ...{ correlation: [], lookahead: false, elapsed_ms: 10, warnings: [] },
  ...more,
})
const answer = (all: (number | null)[], more: Partial<FactorProbe> = {}): FactorRunningResult => ({
  results: [
    probe([0.5, 1, 0.6667], {
      nodes: [{ pos: { start: 0, end: 35, line: 1, column: 1 }, text: '', value: 0.6667 }],
      ...more,
    }),
    probe([], { values: all.map((value, i) => [`${900001 + i}.DM`, value]) }),
    probe([118, 122, 120]),
    probe([117, 119, 118]),
    probe([1, 3, 2]),
    probe([0.01, 0.03, 0.02]),
  ],
})

describe('a run of a factor', () => {
  it('asks for the formula on the security, on all, and for its parts, in one call', () => {
    const { factors } = requestOf({ ...asked, date: '2026-11-19' })
    expect(factors.map(({ factor, codes, span, trade_date }) => [factor, codes?.length ?? 0, span ?? 0, trade_date])).toEqual([
      [`formula: ${formula}`, 1, 60, '2026-11-19'],
      [`formula: ${formula}`, 0, 0, '2026-11-19'],
      ['formula: close + conv_prem * 100', 1, 20, '2026-11-19'],
      ['formula: close', 1, 20, '2026-11-19'],
      ['formula: conv_prem * 100', 1, 20, '2026-11-19'],
      ['formula: conv_prem', 1, 20, '2026-11-19'],
    ])
  })

  it('never asks for more than twenty at once', () => {
    expect(requestOf({ ...asked, formula: Array(40).fill('close').join(' + ') }).factors.length).toBeLessThanOrEqual(20)
  })

  it('is read back as a tree with values, and as a sentence', () => {
    const run = readRun(asked, answer([0.5, 0.6667]))
    if ('refused' in run) throw new Error(run.refused)
    expect(run.rows.map(({ depth, value }) => [depth, value])).toEqual([
      [0, 0.6667],
      [1, 120],
      [2, 118],
      [2, 2],
      [3, 0.02],
    ])
    const meanings = meaningsOf(metas, words)
    expect(run.rows.map(meanings.nameOf)).toEqual(['ts_rank', '双低', '收盘价', '转股溢价率的百分数', '转股溢价率'])
    expect(run.rows.map(meanings.unitOf)).toEqual(['比例', '', '元', '%', '小数'])
    expect(readingOf(run.rows, meanings)).toBe(
      '收盘价 118.000 加转股溢价率的百分数 2.0000，得到双低 120.000；在最近 3 个交易日里有 2 天不高于它，分位是 0.6667。',
    )
  })

  it('a number by itself is a constant, whatever it is', () => {
    const whole = { formula: '1', head: { kind: 'number', name: '1' }, local: '' } as const
    expect(meaningsOf(metas, words).nameOf(whole)).toBe('常数')
  })

  it('that the server refuses says its sentence', () => {
    const refusal = { formula, ok: false as const, code: 22005, message: '公式计算量过大' }
    expect(readRun(asked, { results: [refusal, refusal] })).toEqual({ refused: '公式计算量过大' })
  })

  it('is checked: coverage, who is missing, ties, extremes, what it is like', () => {
    const lines = (all: (number | null)[], more: Partial<FactorProbe> = {}, remarks = 0) => {
      const run = readRun(asked, answer(all, more))
      if ('refused' in run) throw new Error(run.refused)
      return Object.fromEntries(checksOf(run, remarks, () => '双低').map(({ key, level, value }) => [key, `${level} ${value}`]))
    }
    expect(lines([1, 2, 3])).toEqual({
      ...{ coverage: 'ok 90.0%', missing: 'info 1 只', lookahead: 'ok 未发现', units: 'ok 未见不一致' },
      ...{ ties: 'ok 很少', extreme: 'ok 未发现' },
    })
    expect(lines([1, 1, 1, null])['ties']).toBe('warn 全部相同，没有区分度')
    expect(lines([1, 1, 2, 3], {}, 2)).toMatchObject({ ties: 'warn 50% 为 1', units: 'warn 2 处提醒' })
    expect(lines([1], { correlation: [{ factor_key: 'dblow', value: -0.96 }], coverage: 0.2 })).toMatchObject({
      near: 'warn −0.96',
      coverage: 'warn 20.0%',
    })
    expect(commonest([])).toBeNull()
  })
})

describe('what is being written', () => {
  const saved = meta('custom_a', '甲', { id: '1', factor_type: 1, formula: 'close', unit: '元', decimals: 3 })
  it('stands in the place of what is saved, new ones last', () => {
    const items = itemsOf(
      [saved],
      [
        { ...textOf(saved), id: '1', formula: 'open' },
        { ...textOf(saved), id: 'new-1', name: '乙' },
      ],
    )
    expect(items.map(({ id, unsaved, text }) => [id, unsaved, text.formula, text.name])).toEqual([
      ['1', true, 'open', '甲'],
      ['new-1', true, 'close', '乙'],
    ])
    expect(itemsOf([saved], [])[0]?.unsaved).toBe(false)
    expect(sameText(textOf(saved), { ...textOf(saved), prefer: 'large' })).toBe(false)
  })

  it.each([
    [{ unit: null, decimals: 4 }, 'ratio'],
    [{ unit: null, decimals: 2 }, 'none'],
    [{ unit: '元', decimals: 2 }, '元'],
    [{ unit: '手', decimals: 0 }, 'none'],
  ])('%o is shown as %s', (text, choice) => {
    expect(unitChoiceOf(text)).toBe(choice)
  })
})
