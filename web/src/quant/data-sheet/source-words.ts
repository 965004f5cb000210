import type { DataSheet } from '@convexa/contract/data-sheet'
import type { DataMode } from '@convexa/contract/market'
import { dateTime } from '../../ui/dates.ts'

export const modeWords: Readonly<Record<DataMode, string>> = { demo: '演示数据', imported: '导入的行情', platform: '平台行情' }
/** Sources that are named. */
const named = 2

/** Who is asked about: figures of a day, of what version, and quotes where they are of the day that is not over. */
export interface Figures {
  mode: DataMode | null
  version: string
  date: string
  /** ISO with +08:00. */
  time?: string
  realtime?: boolean
}

/** `Tushare Pro`, `Tushare Pro、东方财富 等 3 个`; only what kind of data they are where the sheet is of others, or there is none. */
export function sourceWords({ mode, version, realtime = false }: Figures, sheet: DataSheet | null): string {
  const known = sheet?.data_version === version ? sheet : null
  if (realtime && known?.quotes) return `${known.quotes.source}实时行情`
  const words = mode === null ? '本站行情' : modeWords[mode]
  if (mode === 'demo' || !known || known.sources.length === 0) return words
  const labels = known.sources.slice(0, named).map(({ label }) => label)
  return labels.join('、') + (known.sources.length > named ? ` 等 ${known.sources.length} 个` : '')
}

/** `2026-11-20 收盘`, of quotes the moment. */
export const untilWords = ({ date, time, realtime = false }: Figures): string => (realtime && time ? dateTime(time) : `${date} 收盘`)
