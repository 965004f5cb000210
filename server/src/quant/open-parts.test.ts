import { describe, expect, test } from 'vitest'
import type { ListPart } from '../db/tables/day-parts.ts'
import { openPartsNote } from './open-parts.ts'

describe('what a list says of parts that have not come', () => {
  const day = '2026-11-20'
  const note = (at: string, parts: readonly (readonly [ListPart, string[]?, boolean?])[]) =>
    openPartsNote(
      day,
      parts.map(([part, codes = [], closed = false]) => ({ part, codes, closed })),
      new Date(`${at}:00+08:00`),
    )

  test.each<[string, string, (readonly [ListPart, string[]?, boolean?])[], string | null]>([
    ['nothing', '16:40', [], null],
    ['numbers that are made', '16:40', [['valuations']], '11-20 的估值与股本尚未到齐，名单按推算值'],
    ['some of one kind', '16:40', [['factors', ['600101.SH']], ['valuations']], '11-20 的复权因子、估值与股本尚未到齐，名单按推算值'],
    [
      'bars by name',
      '16:40',
      [['bars', ['600101.SH', '600102.SH']]],
      '11-20 的行情（缺 600101.SH、600102.SH）尚未到齐，缺行情的沿用最近收盘价',
    ],
    [
      'many bars',
      '16:40',
      [['bars', ['600101.SH', '600102.SH', '600103.SH', '600104.SH']]],
      '11-20 的行情（缺 600101.SH、600102.SH、600103.SH 等 4 只）尚未到齐，缺行情的沿用最近收盘价',
    ],
    ['an evening that has not come is nothing to tell', '17:59', [['sizes'], ['announcements']], null],
    ['what is due of it', '18:00', [['sizes'], ['announcements']], '11-20 的剩余规模尚未到齐，名单按此前已知的'],
    [
      'kinds one after the other',
      '20:00',
      [['bars', ['113501.SH']], ['announcements'], ['share_valuations']],
      '11-20 的正股估值与股本尚未到齐，名单按推算值；行情（缺 113501.SH）尚未到齐，缺行情的沿用最近收盘价；强赎公告尚未到齐，名单按此前已知的',
    ],
    ['what does not come any more', '20:00', [['valuations', [], true]], '11-20 的估值与股本未到齐，名单按推算值'],
  ])('%s', (_, at, parts, text) => {
    expect(note(`${day}T${at}`, parts)).toBe(text)
  })
})
