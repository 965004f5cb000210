import type { Settings } from '@convexa/contract/backtest'
import type { StrategyDetail } from '@convexa/contract/saved-strategy'
import type { Draft } from '../../state/drafts.ts'

/** What a strategy's detail says of its rule. */
export type SavedRule = Pick<StrategyDetail, 'id' | 'version' | 'strategy_name' | 'detail' | 'settings'> &
  Partial<Pick<StrategyDetail, 'kept_meanings'>>

/** A saved strategy on the workbench: `otherwise` are the settings of one that was saved without. Its dates stay as they were saved. */
export function draftOfSaved(
  { id, version, strategy_name, detail, settings, kept_meanings: kept = [] }: SavedRule,
  otherwise: Pick<Draft, 'settings' | 'range'>,
): Draft {
  return {
    name: strategy_name,
    edited: false,
    parameters: structuredClone(detail),
    ...(settings ? { settings: structuredClone(settings), range: null } : otherwise),
    saved: { id, version },
    ...(kept.length > 0 && { kept }),
  }
}

/** The draft `now` once `sent` has been saved: what was typed in between is an edit of it. Another strategy, opened in between, stays as it is. */
export function savedAs(now: Draft, sent: Draft, name: string, saved: { id: string; version: number }): Draft {
  const same = sent.saved ? now.saved?.id === sent.saved.id : !now.saved && now.name === sent.name
  if (!same) return now
  return { ...now, name, saved, edited: now.parameters !== sent.parameters || now.settings !== sent.settings }
}

/** A saved rule to compare with; settings that it lacks are no difference. */
export const comparable = ({ detail, settings }: SavedRule, otherwise: Settings) => ({
  parameters: detail,
  settings: settings ?? otherwise,
})
