import type { ScreenResult } from '@convexa/contract/screen'
import { expect, it } from 'vitest'
import { textColumns } from '../../market/text-columns.ts'
import { csv } from '../../ui/table/sheet.ts'
import { factorsOf } from '../rule/factors.ts'
import { sheetOf } from './screen-export.ts'

const meta = (factor_key: string, factor_name: string, unit: string | null, decimals: number) => ({
  ...{ factor_key, factor_name, unit, decimals, factor_type: 0 as const, category: '', prefer_default: 'small' as const },
  ...{ realtime: true, available: true, coverage: 1, description: '' },
})
const rating = { ...meta('rating', '评级', null, 0), values: ['AAA', 'AA+'] }
const factors = factorsOf([
  rating,
  meta('close', '收盘价', '元', 3),
  meta('conv_prem', '转股溢价率', null, 4),
  meta('ytm', '到期收益率', null, 4),
])

it('what is on the page comes first; numbers and units are those of the page, and the first line says demo', () => {
  const result = {
    data_time: '2026-11-20T15:00:00+08:00',
    data_version: 'v1',
    data_mode: 'demo',
    data_note: '11-20 的估值与股本尚未到齐，名单按推算值',
    list_items: [
      {
        rank: 1,
        code: '900001.DM',
        name: '演示',
        score: 98.2,
        selected: true,
        reserve: false,
        values: { close: 112.345, conv_prem: 0.1234, rating: 'AA+' },
      },
    ],
  } as unknown as ScreenResult
  const told: Record<string, number | string> = { rating: 1, ytm: -0.012, stock_name: '演示股份' }
  const lines = sheetOf({
    name: '双低',
    result,
    rows: result.list_items,
    refs: ['conv_prem', 'ytm', 'rating', 'stock_name'],
    texts: textColumns.cb,
    cell: (row, ref) => told[ref] ?? row.values[ref] ?? null,
    factors,
  })
  const [first, head, row] = csv(lines).split('\r\n')
  expect(first).toContain('演示数据')
  expect(first).toContain('11-20 的估值与股本尚未到齐，名单按推算值')
  expect(head).toBe('名次,代码,名称,得分,名单,转股溢价率(%),到期收益率(%),评级,正股,收盘价(元)')
  expect(row).toBe('1,900001.DM,演示,98.2,入选,12.34,-1.2,AA+,演示股份,112.345')
})
