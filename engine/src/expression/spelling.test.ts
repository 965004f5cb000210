import { describe, expect, it } from 'vitest'
import { nearest } from './spelling.ts'

describe('the name that a misspelt one may mean', () => {
  it.each<[string, string[], string | null]>([
    ['clsoe', ['open', 'close'], 'close'],
    ['CLSOE', ['open', 'close'], 'close'],
    ['ts_meen', ['TS_MEAN'], 'TS_MEAN'],
    ['custom_Ab3', ['custom_ab2', 'custom_AB2'], 'custom_ab2'],
    ['STDD', ['std', 'STD'], 'STD'],
    ['stdd', ['STD', 'std'], 'std'],
    ['ema', ['ma'], null],
    ['close', [], null],
  ])('%s among %j is %s', (word, candidates, expected) => {
    expect(nearest(word, candidates)).toBe(expected)
  })
})
