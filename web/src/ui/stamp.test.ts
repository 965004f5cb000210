import { expect, it } from 'vitest'
import { type DataTime, stampOf } from './stamp.ts'

const live: DataTime = { source: 'live', time: '2026-11-20T14:32:05+08:00', date: '2026-11-20', realtime: true }
const now = Date.parse('2026-11-20T14:32:35+08:00')
const later = (minutes: number) => now + minutes * 60_000

it.each([
  ['live', live, now, true, '数据 2026-11-20 14:32:05 · 实时', 'ok', null],
  [
    'live that stands still in session',
    live,
    later(10),
    true,
    '数据 2026-11-20 14:32:05 · 实时',
    'warn',
    '行情停在 14:32:05，已 10 分钟未更新',
  ],
  ['live, market closed', live, later(60), false, '数据 2026-11-20 14:32:05 · 实时', 'ok', null],
  ['delayed', { ...live, source: 'delayed' }, later(15), true, '数据 2026-11-20 14:32:05 · 延迟 15 分钟', 'warn', null],
  [
    'delayed by more than it says',
    { ...live, source: 'delayed' },
    later(20),
    true,
    '数据 2026-11-20 14:32:05 · 延迟 15 分钟',
    'warn',
    '行情停在 14:32:05，已 5 分钟未更新',
  ],
  ['of a close', { ...live, source: 'close', realtime: false }, later(999), true, '数据 2026-11-20 · 收盘', 'quiet', null],
  [
    'simulated',
    { ...live, source: 'demo', realtime: false },
    now,
    true,
    '数据 2026-11-20 收盘 · 演示数据',
    'warn',
    '模拟生成，非真实行情，不能用于交易',
  ],
] as const)('data %s', (_, given, at, open, text, look, warning) => expect(stampOf(given, at, open)).toEqual({ text, look, warning }))
