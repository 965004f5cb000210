import { expect, it } from 'vitest'
import { untilWords } from './remaining.ts'

const until = '2026-11-21T02:00:00+08:00'
const at = (time: string) => untilWords(until, Date.parse(`${time}+08:00`))

it.each([
  ['2026-11-21T00:48:00', '剩余 1 小时 12 分'],
  ['2026-11-21T00:48:01', '剩余 1 小时 12 分'],
  ['2026-11-21T01:59:59', '剩余 1 分'],
  ['2026-11-21T00:00:00', '剩余 2 小时'],
  ['2026-11-18T23:59:00', '剩余 2 天 2 小时 1 分'],
  ['2026-11-21T02:00:00', '已过预计时间，仍在进行'],
  ['2026-11-21T09:00:00', '已过预计时间，仍在进行'],
])('at %s: %s', (now, words) => expect(at(now)).toBe(`预计 2026-11-21 02:00 恢复（${words}）`))
