import type { Settings } from '@convexa/contract'
import { adjustments } from '@convexa/contract/enums/adjust'
import { labelOf } from '@convexa/contract/enums/table'
import type { Panel } from '../panel/panel.ts'
import type { Market } from './market.ts'

/**
 * The settings of a run as its prices are stated. A rule that says adjusted prices may meet raw ones with their factor, since a market
 * was imported again (data.md 3.8): it runs on them as raw.
 */
export function settingsOn({ adjust, columns }: Pick<Panel, 'adjust' | 'columns'>, { roles }: Market, settings: Settings): Settings {
  const isRaw = adjust !== undefined && !adjustments[adjust].adjusted && roles.adjustment !== null && columns.has(roles.adjustment)
  return isRaw && adjustments[settings.adjust].adjusted ? { ...settings, adjust: 'raw' } : settings
}

export const basisWarning = (settings: Settings): string =>
  `规则的价格口径是${labelOf(adjustments, settings.adjust)}，而现在的行情是未复权价加复权因子：本次按${labelOf(adjustments, 'raw')}计算，分红送转由复权因子计入`
