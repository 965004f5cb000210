import type { SharedReport, ShareListItem } from '@convexa/contract/share'

export const shareStatusWords: Record<ShareListItem['status'], string> = { active: '有效', expired: '已过期', revoked: '已撤回' }

export const lifetimes = [
  { value: 7, label: '7 天' },
  { value: 30, label: '30 天' },
  { value: 90, label: '90 天' },
  { value: 365, label: '一年' },
] as const

/** A link as it is given to somebody: the server may not know its own address. */
export const wholeLink = (url: string, origin: string): string => new URL(url, origin).href

/** 「经典双低 · 2020-01-02 至 2026-11-20」: the title of a shared report. Never a return. */
export const sharedTitle = ({ name, metrics }: Pick<SharedReport, 'name' | 'metrics'>): string =>
  `${name} · ${metrics.start_date} 至 ${metrics.end_date}`

/** What has changed since the report was computed: another run of it now may give other numbers. Nothing when nothing has. */
export function changedSince({ data_version: data, engine_version: engine, shared }: SharedReport): string | null {
  const dataChanged = shared.data_version !== null && shared.data_version !== data
  const engineChanged = shared.engine_version !== engine
  if (dataChanged && engineChanged) return '数据版本与引擎版本已更新，重算结果可能不同'
  if (dataChanged) return '数据版本已更新，重算结果可能不同'
  return engineChanged ? '引擎版本已更新，重算结果可能不同' : null
}
