import { expect, test } from 'vitest'
import { sourcesOf } from './data-sources.ts'

const labelsOf = (...names: string[]) => {
  const files = names.map((name) => ({ name, bytes: 1, sha256: '' }))
  return sourcesOf({ source: { preset: '', files } }, { quality: { source: [] } }).map(({ label }) => label)
}

test('an import of a few files names each, one of a file for every stock the first and how many', () => {
  expect(labelsOf('a.csv', 'b.csv')).toEqual(['a.csv', 'b.csv'])
  const many = Array.from({ length: 5_500 }, (_, i) => `${600_000 + i}.csv`)
  expect(labelsOf(...many, 'tushare/stock-day/2026-11-20')).toEqual(['600000.csv 等 5500 个文件', 'Tushare Pro'])
})
