import { missing } from '../../base/format.ts'
import { lastKnown, lowest, type Series } from './series.ts'

/** What a line shows, in words: from, to, highest, lowest. For readers, who cannot see its shape. */
export function lineFacts(name: string, dates: readonly string[], values: Series, format: (value: number) => string): string {
  const from = values.findIndex((value) => value !== null)
  const to = lastKnown(values)
  if (from < 0 || to < 0) return `${name}：没有数据`
  const low = lowest(values)
  const high = lowest(values.map((value) => (value === null ? null : -value)))
  const at = (index: number) => {
    const value = values[index]
    return `${value === null || value === undefined ? missing : format(value)}（${dates[index]}）`
  }
  return `${name}：${dates[from]} 至 ${dates[to]}，从 ${format(values[from] as number)} 到 ${format(values[to] as number)}，最高 ${at(high)}，最低 ${at(low)}`
}

/** What bars show: how many, the largest, the smallest. */
export function barFacts(names: readonly string[], values: readonly (number | null)[], format: (value: number) => string): string {
  const low = lowest(values)
  const high = lowest(values.map((value) => (value === null ? null : -value)))
  if (low < 0) return '没有数据'
  return `共 ${values.length} 项，最高 ${names[high]} ${format(values[high] as number)}，最低 ${names[low]} ${format(values[low] as number)}`
}
