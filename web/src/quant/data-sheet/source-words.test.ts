import type { DataSheet } from '@convexa/contract/data-sheet'
import { expect, test } from 'vitest'
import { type Figures, sourceWords, untilWords } from './source-words.ts'

const close: Figures = { mode: 'imported', version: 'cb-1', date: '2026-11-20' }
const live: Figures = { ...close, time: '2026-11-23T10:00:03+08:00', realtime: true }
const sheet = (labels: readonly string[], more: Partial<DataSheet> = {}) =>
  ({ data_version: 'cb-1', sources: labels.map((label) => ({ label, last: null })), quotes: null, ...more }) as unknown as DataSheet
const quotes = { source: '腾讯', quoted_at: '2026-11-23T10:00:03+08:00', stale: false }

test.each<[string, Figures, DataSheet | null, string]>([
  ['demo data', { ...close, mode: 'demo' }, sheet(['演示模型']), '演示数据 截至 2026-11-20 收盘'],
  ['one source', close, sheet(['Tushare Pro']), 'Tushare Pro 截至 2026-11-20 收盘'],
  ['two', close, sheet(['a.parquet', 'Tushare Pro']), 'a.parquet、Tushare Pro 截至 2026-11-20 收盘'],
  ['many', close, sheet(['a', 'b', 'c']), 'a、b 等 3 个 截至 2026-11-20 收盘'],
  ['figures of another version', { ...close, version: 'cb-0' }, sheet(['Tushare Pro']), '导入的行情 截至 2026-11-20 收盘'],
  ['nothing known of them', close, null, '导入的行情 截至 2026-11-20 收盘'],
  ['quotes', live, sheet(['Tushare Pro'], { quotes }), '腾讯实时行情 截至 2026-11-23 10:00:03'],
  ['a close while there are quotes', close, sheet(['Tushare Pro'], { quotes }), 'Tushare Pro 截至 2026-11-20 收盘'],
])('%s', (_, figures, known, words) => {
  expect(`${sourceWords(figures, known)} 截至 ${untilWords(figures)}`).toBe(words)
})
