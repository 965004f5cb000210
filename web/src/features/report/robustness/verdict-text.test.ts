import type { RobustnessCheck } from '@convexa/contract/robustness'
import type { Worth } from '@convexa/contract/verdict'
import { describe, expect, it } from 'vitest'
import { plainText } from '../sentences.ts'
import { chipsOf, chipText, firstLine, gapTone, recentLine, secondLine, trustLine, trustSentence } from './verdict-text.ts'

const made = (state: Worth['state'], end_nav: number, end_ref: number, more: Partial<Worth> = {}): Worth => ({
  ...{ state, end_nav, end_ref, against: { key: 'cb_ew', label: '可转债等权' }, excess_annual: 0.0539, interval: [-0.017, 0.079] },
  ...{ share_above: 0.976, t: 1.9, recent_excess: 0.02, block_days: 20, n: 1_000, seed: 1 },
  ...more,
})
const index = { against: { key: '000300', label: '沪深300' } }

describe('the first line, in yuan', () => {
  it.each([
    ['yes', 2.536, 1.95, {}, '比摊大饼多赚 5.86 万元', 'up'],
    ['unclear', 2.238, 1.95, {}, '多赚 2.88 万元，但说不准', 'up'],
    ['unclear', 0.9, 0.8, {}, '也亏了 1 万元，但比摊大饼少亏 1 万元', 'up'],
    ['yes', 0.9, 0.8, {}, '也亏了 1 万元，但比摊大饼少亏 1 万元', 'up'],
    ['no', 1.814, 1.95, {}, '不如直接摊大饼：少赚 1.36 万元', 'down'],
    ['no', 0.9, 1.2, {}, '不如直接摊大饼：它赚 2 万元，你亏 1 万元', 'down'],
    ['no', 0.7, 0.8, {}, '不如直接摊大饼：多亏 1 万元', 'down'],
    ['no', 1.498, 1.5, {}, '和摊大饼差不多，只差 200 元', ''],
    ['yes', 1.502, 1.5, {}, '比摊大饼多赚 200 元', 'up'],
    ['short', 1.044, 1.073, {}, '119 个交易日，先别下结论', ''],
    ['yes', 2, 1.5, index, '比沪深300多赚 5 万元', 'up'],
    ['no', 1.2, 1.5, index, '不如直接买沪深300：少赚 3 万元', 'down'],
  ] as const)('%s, %f against %f %o', (state, nav, reference, more, words, tone) => {
    const worth = made(state, nav, reference, more)
    expect(plainText(firstLine(worth, 10, 119))).toBe(words)
    expect(gapTone(worth, 10)).toBe(tone)
  })
})

describe('the second line', () => {
  const words = (worth: Worth) => plainText(secondLine(worth, 10, 1_210))
  it.each([
    [
      made('yes', 2.536, 1.95),
      '10 万元变成 25.36 万元，同期可转债等权 19.5 万元、存款 10.77 万元。平均每年多 5.39%；打乱次序重演 1,000 次，97.6% 跑赢可转债等权。',
    ],
    [
      made('unclear', 2.238, 1.95, { excess_annual: 0.0279, share_above: 0.841 }),
      '10 万元变成 22.38 万元，可转债等权 19.5 万元。平均每年多 2.79%；重演 1,000 次，九成在 −1.7% ~ +7.9% 之间，15.9% 跑输。',
    ],
    [
      made('no', 1.814, 1.95, { excess_annual: -0.0143, share_above: 0.295 }),
      '10 万元变成 18.14 万元，可转债等权 19.5 万元。平均每年少 1.43%；重演 1,000 次，只有 29.5% 跑赢。',
    ],
    [
      made('no', 1.2, 1.95, { excess_annual: -0.09, share_above: 0.02 }),
      '10 万元变成 12 万元，可转债等权 19.5 万元。平均每年少 9.00%；重演 1,000 次，只有 2.0% 跑赢。差距不是偶然。',
    ],
    [
      made('no', 0, 1.95, { excess_annual: -1, interval: [-1, -1], share_above: 0 }),
      '10 万元变成 0 元，可转债等权 19.5 万元。平均每年少 100.00%；重演 1,000 次，没有一次跑赢。差距不是偶然。',
    ],
    [
      made('short', 1.044, 1.073, { excess_annual: null, interval: null, share_above: null, t: null }),
      '目前比可转债等权少赚 2,900 元。不足一年，未年化，也不重演。',
    ],
  ])('%#', (worth, told) => expect(words(worth)).toBe(told))
  it('a third one only where the last year says the opposite', () => {
    expect(recentLine(made('yes', 2, 1.5))).toBeNull()
    expect(recentLine(made('yes', 2, 1.5, { recent_excess: -0.031 }))).toBe('近一年反而落后 3.10%')
    expect(recentLine(made('no', 1.2, 1.5, { excess_annual: -0.02, recent_excess: 0.04 }))).toBe('近一年反超，多 4.00%')
  })
})

describe('the second answer', () => {
  const check = (label: string, ok: boolean | null): RobustnessCheck => ({
    ...{ key: 'luck', label, value: null, threshold: null, ok, sentence: `${label}的说明` },
  })
  const six = (oks: string) => [...oks].map((mark, i) => check(`检查${i + 1}`, mark === '?' ? null : mark === '+'))
  const robustness = (verdict: 'high' | 'middle' | 'low' | 'pending' | 'moot' | 'short', oks: string) =>
    ({ robustness: { verdict, checks: six(oks) } }) as unknown as Parameters<typeof trustLine>[0]
  it.each([
    ['high', '++++++', '六项都通过', '暂未发现过拟合迹象。'],
    ['high', '++++', '四项都通过', '暂未发现过拟合迹象。'],
    ['middle', '+++-++', '5 项通过，1 项没过', '检查4没有通过。'],
    ['low', '+--+', '2 项通过，2 项没过', '检查2：检查2的说明。'],
    ['pending', '++??', '查过 2 项，2 项通过', '还差 2 项：检查3、检查4。'],
    ['moot', '++-+??', '查过的 4 项里 3 项通过', '没有超额时，通过几项都不改变结论。'],
    ['short', '??????', '满一年再查', '不足一年的结果，通过几项都说明不了什么。'],
  ] as const)('%s %s', (verdict, oks, line, sentence) => {
    const told = robustness(verdict, oks)
    expect([trustLine(told), trustSentence(told.robustness)]).toEqual([line, sentence])
  })
  it.each([
    ['yes', 'high', 6, '跑赢 · 稳健度 高'],
    ['unclear', 'low', 6, '说不准 · 稳健度 低'],
    ['yes', 'pending', 4, '跑赢 · 待查 2 项'],
    ['no', 'moot', 4, '没跑赢 · 不评稳健度'],
    ['short', 'short', 0, '时间太短 · 样本不足'],
  ] as const)('the two chips of %s and %s', (worth, trust, judged, text) => {
    const chips = chipsOf({ worth, trust, judged }, 6)
    expect(chipText(chips)).toBe(text)
    // What lost to the market is nowhere the colour of good news.
    if (worth === 'no') expect(chips.map(({ look }) => look)).not.toContain('ok')
  })
})
