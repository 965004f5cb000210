import { expect, it } from 'vitest'
import { linesOf } from './captioned.ts'

const wide = (part: string) => part.length * 10

it.each([
  ['one line where it fits', '低双 · 净值', 100, ['低双 · 净值']],
  ['the next line where it does not', '一二三四五六七', 30, ['一二三', '四五六', '七']],
  ['an ellipsis where even four are too few', '一二三四五六七八九', 20, ['一二', '三四', '五六', '七…']],
  ['a pair of surrogates whole', '😀😀', 20, ['😀', '😀']],
  ['nothing of nothing', '', 20, ['']],
])('the caption of a picture has %s', (_, text, width, lines) => expect(linesOf(text, width, wide)).toEqual(lines))
