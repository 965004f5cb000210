import type { DataSheet } from '@convexa/contract/data-sheet'
import { expect, it, test } from 'vitest'
import { type Figures, shortened, sourcesOfRun, sourcesOfRuns, sourceWords, untilWords } from './source-text.ts'

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
  [
    'quotes of data that are not the newest any more',
    { ...live, version: 'cb-0' },
    sheet(['Tushare Pro'], { quotes }),
    '实时行情 截至 2026-11-23 10:00:03',
  ],
  ['a close while there are quotes', close, sheet(['Tushare Pro'], { quotes }), 'Tushare Pro 截至 2026-11-20 收盘'],
])('%s', (_, figures, known, words) => {
  expect(`${sourceWords(figures, known)} 截至 ${untilWords(figures)}`).toBe(words)
})

it('names the sources of figures of an older version where they are known', () => {
  const older: Figures = { ...close, version: 'cb-0' }
  const earlier = [{ label: '东方财富', last: '2026-11-19' }]
  expect(sourceWords(older, sheet(['Tushare Pro']), earlier)).toBe('东方财富')
  expect(sourceWords(older, null, earlier)).toBe('东方财富')
  expect(sourceWords({ ...older, mode: 'demo' }, null, earlier)).toBe('演示数据')
})

it('names the sources of runs, each once', () => {
  const imported = { data_mode: 'imported', data_sources: ['bonds.csv', 'Tushare Pro'] } as const
  const demo = { data_mode: 'demo', data_sources: ['演示模型'] } as const
  expect(shortened(sourcesOfRun(imported))).toBe('bonds.csv、Tushare Pro')
  // What was stored before sources were, or is of a version that is kept no longer.
  expect(sourcesOfRun({ data_mode: 'imported' })).toEqual(['导入的行情'])
  expect(sourcesOfRun({ data_mode: 'platform', data_sources: [] })).toEqual(['平台行情'])
  expect(sourcesOfRuns([imported, demo, imported])).toBe('bonds.csv、Tushare Pro 等 3 个')
  expect(sourcesOfRuns([demo, demo])).toBe('演示数据')
})
