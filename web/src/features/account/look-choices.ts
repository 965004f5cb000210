import type { Density, Rise, Theme } from '../../state/preferences.ts'

export const themes: readonly { value: Theme; label: string }[] = [
  { value: 'light', label: '浅色' },
  { value: 'dark', label: '深色' },
  { value: 'system', label: '跟随系统' },
]
export const densities: readonly { value: Density; label: string }[] = [
  { value: 'compact', label: '紧凑' },
  { value: 'standard', label: '标准' },
]
export const rises: readonly { value: Rise; label: string }[] = [
  { value: 'red', label: '红涨绿跌' },
  { value: 'green', label: '绿涨红跌' },
]
