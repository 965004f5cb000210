import { expect, it } from 'vitest'
import { type DataTime, stampOf } from './stamp.ts'

const live: DataTime = { source: 'live', time: '2026-11-20T14:32:05+08:00', date: '2026-11-20', realtime: true }
const noon: DataTime = { ...live, time: '2026-11-20T11:30:01+08:00' }
const close: DataTime = { ...live, time: '2026-11-20T15:00:02+08:00' }
const made = Date.parse(live.time)
const second = 1_000
const minute = 60 * second
/** What the exchanges did in so long since 14:32:05. */
const after = (ms: number, open = true) => ({ open, moved: (from: number) => Math.max(0, made + ms - from) })
/** A break: nothing has moved. */
const still = { open: false, moved: () => 0 }

it.each([
  ['live', live, after(30 * second), '数据 2026-11-20 14:32:05 · 实时', 'ok', null],
  ['live that stands still', live, after(10 * minute), '数据 2026-11-20 14:32:05 · 实时', 'warn', '行情停在 14:32:05，已 10 分钟未更新'],
  [
    'live that stood still before the close',
    live,
    after(24 * minute, false),
    '数据 2026-11-20 14:32:05 · 行情中断',
    'warn',
    '行情停在 14:32:05，缺少其后 24 分钟的变化',
  ],
  ['live, at lunch', noon, still, '数据 2026-11-20 11:30:01 · 午间收盘', 'quiet', null],
  ['live, after the close', close, still, '数据 2026-11-20 15:00:02 · 收盘', 'quiet', null],
  ['delayed', { ...live, source: 'delayed' }, after(15 * minute), '数据 2026-11-20 14:32:05 · 延迟 15 分钟', 'warn', null],
  [
    'delayed by more than it says',
    { ...live, source: 'delayed' },
    after(20 * minute),
    '数据 2026-11-20 14:32:05 · 延迟 15 分钟',
    'warn',
    '行情停在 14:32:05，已 5 分钟未更新',
  ],
  ['of a close', { ...live, source: 'close', realtime: false }, after(999 * minute), '数据 2026-11-20 · 收盘', 'quiet', null],
  [
    'simulated',
    { ...live, source: 'demo', realtime: false },
    after(0),
    '数据 2026-11-20 收盘 · 演示数据',
    'warn',
    '模拟生成，非真实行情，不能用于交易',
  ],
] as const)('data %s', (_, given, since, text, look, warning) => expect(stampOf(given, since)).toEqual({ text, look, warning }))
