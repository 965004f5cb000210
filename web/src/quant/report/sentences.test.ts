import { describe, expect, it } from 'vitest'
import { outOfSampleSentence } from './sentences.ts'

describe('out of sample, said plainly', () => {
  it.each([
    [1.4, 1.47, '样本外夏普 1.40，样本内 1.47，与样本内相当。'],
    [0.79, 1.47, '样本外夏普 0.79，样本内 1.47，是样本内的 54%，打了折扣。'],
    [0.3, 1.47, '样本外夏普 0.30，样本内 1.47，不到样本内的一半：过去的规律可能已经不在。'],
    [-0.5, 1.47, '样本外夏普 −0.50，样本内 1.47，不到样本内的一半：过去的规律可能已经不在。'],
    [0.4, -0.2, '样本外夏普 0.40，样本内 −0.20，样本内本就没有赚到。'],
    [-0.9, -0.2, '样本外夏普 −0.90，样本内 −0.20，比样本内更差。'],
    [null, 1.47, '样本内外的交易日太少，还不能比较。'],
  ])('%s against %s', (own, before, sentence) => {
    expect(outOfSampleSentence(own, before)).toBe(sentence)
  })
})
