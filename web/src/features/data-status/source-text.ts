import type { DataSheet } from '@convexa/contract/data-sheet'
import { type DataMode, dataModes } from '@convexa/contract/enums/data-mode'
import { dateTime } from '../../base/dates.ts'

/** Most sources that are named; the others are counted. */
const named = 2

/** Figures whose sources are named: of a day and a data version, or realtime quotes of the current day. */
export interface Figures {
  mode: DataMode | null
  version: string
  date: string
  /** ISO with +08:00. */
  time?: string
  realtime?: boolean
}

/** Names of the data sources in the given order; where none is known, the name of the data mode. */
function namesOf(mode: DataMode | null, labels: readonly string[]): readonly string[] {
  if (mode === 'demo') return [dataModes.demo.label]
  return labels.length > 0 ? labels : [mode === null ? '本站行情' : dataModes[mode].label]
}

/** `Tushare Pro`, `Tushare Pro、东方财富 等 3 个`. */
export const shortened = (names: readonly string[], most = named): string =>
  names.slice(0, most).join('、') + (names.length > most ? ` 等 ${names.length} 个` : '')

/** Of figures; `sheet` of the newest data, `earlier` the sources of their own version, where that is another and they are known. */
export function sourceWords(
  { mode, version, realtime = false }: Figures,
  sheet: DataSheet | null,
  earlier: DataSheet['sources'] = [],
): string {
  const isNewest = sheet?.data_version === version
  if (realtime) return `${(isNewest && sheet.quotes?.source) || ''}实时行情`
  return shortened(
    namesOf(
      mode,
      (isNewest ? sheet.sources : earlier).map(({ label }) => label),
    ),
  )
}

/** `2026-11-20 收盘`, of quotes the moment. */
export const untilWords = ({ date, time, realtime = false }: Figures): string => (realtime && time ? dateTime(time) : `${date} 收盘`)

/** What a run says of its data. */
type Ran = { data_mode: DataMode; data_sources?: readonly string[] | undefined }

export const sourcesOfRun = ({ data_mode: mode, data_sources: labels = [] }: Ran): readonly string[] => namesOf(mode, labels)

/** Each once, in the order of the runs. */
export const sourcesOfRuns = (runs: readonly Ran[]): string => shortened([...new Set(runs.flatMap(sourcesOfRun))])
