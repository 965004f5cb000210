import type { FactorMeta } from '@convexa/contract/factor'
import { keepFactors } from '../src/api/kept-factors.ts'
import { useBinningForms } from '../src/features/binning/binning-form.ts'
import { useFavourites } from '../src/features/builder/factor-favourites.ts'
import { useConfirmedLists } from '../src/features/current-list/confirmed-lists.ts'
import { useCurrentLists } from '../src/features/current-list/current-list.ts'
import { useFactorDrafts } from '../src/features/factors/drafts.ts'
import { useGridForm } from '../src/features/grid/grid-form.ts'
import { keepGrid } from '../src/features/grid/kept-grid.ts'
import { useChecklist } from '../src/features/onboarding/checklist.ts'
import { remember } from '../src/features/palette/recent.ts'
import { newFilter } from '../src/features/rule/draft.ts'
import { keepRunName } from '../src/features/run/backtest-run-names.ts'
import { useRuns } from '../src/features/run/backtest-run-store.ts'
import { countVisit } from '../src/features/site-status/visits.ts'
import { useAuth } from '../src/state/auth.ts'
import { useStrategies } from '../src/state/drafts.ts'
import { keepLastChild } from '../src/state/last-pages.ts'
import { usePreferences } from '../src/state/preferences.ts'
import { someDraft } from './some-draft.ts'

/** Does in each store what its page does, so that this release writes all that it keeps of a person's own. */
export function storeAll(user_id: string): void {
  useAuth.setState({ userData: { user_id } as ReturnType<typeof useAuth.getState>['userData'] })
  const draft = someDraft('经典双低')
  const { parameters, settings } = draft
  const strategies = useStrategies.getState()
  strategies.set('cb', { ...draft, saved: { id: '01920000-0000-7000-8000-0000000000aa', version: 3 }, range: '5y' })
  strategies.edit('cb', (before) => ({
    ...before,
    parameters: { ...parameters, filter_factors: [newFilter('close')], hold_method: { ...parameters.hold_method, hold_range_end: 12 } },
  }))
  strategies.set('stk', someDraft('小市值'))
  useCurrentLists.getState().set('cb:draft', {
    ...{
      name: '经典双低',
      tradeDate: '2026-11-20',
      takenAt: '2026-11-20T08:00:00.000Z',
      codes: ['900001.DM'],
      names: { '900001.DM': '演示转债 1' },
    },
    standings: { '900001.DM': { rank: 1, parts: { dblow: { raw: 120.5, contrib: null } } } },
  })
  useConfirmedLists.getState().confirm('a', { date: '2026-11-20', items: [{ code: '900001.DM', name: '演示转债 1' }] })
  useFactorDrafts
    .getState()
    .put('cb', { id: 'new-1', name: '动量', formula: 'close', description: '', unit: null, decimals: 2, prefer: 'large' })
  useFavourites.getState().toggle('dblow')
  remember({ id: 'cb:900001.DM', title: '演示转债 1', code: '900001.DM', to: '/rotation/convertible-bond/screen?code=900001.DM' })
  useGridForm.getState().change({ axes: [{ key: 'hold_end', text: '5, 10' }] })
  const axes = [{ path: 'parameters.hold_method.hold_range_end', label: '持有数量', values: [5, 10] }]
  const metrics = { annual_return: 0.1, total_return: 0.2, max_drawdown: -0.1, sharpe: 1, calmar: null, turnover: 3, win_rate: 0.5 }
  keepGrid({
    question: {
      ...{ body: { parameters, settings, axes }, name: '经典双低', own: null },
      axes: [{ label: '持有数量', unit: '', scale: 1, values: [5, 10], now: 10 }],
    },
    answer: {
      ...{ axes, best: { index: [0] }, plateau: { cells: [[0]], sentence: '' }, stability: [{ index: [0], neighbour_std: null }] },
      cells: [0, 1].map((place) => ({ index: [place], metrics })),
      ...{ oos_rank_correlation: null, robustness: { trials: 2, luck_threshold: 1, dsr: null, pbo: null } },
      ...{ partial: false, done: 2, total: 2, warnings: [], elapsed_ms: 10, data_version: 'v' },
    },
    seconds: 1,
  })
  useBinningForms.getState().change('cb', { bins: 5, second: 'conv_prem' })
  keepRunName('r', '经典双低')
  useRuns.getState().start({ kind: 'cb', name: '经典双低', note: '', parameters, settings })
  useChecklist.getState().finish('list')
  usePreferences.getState().collapse('builder', true)
  usePreferences.getState().set('theme', 'dark')
  usePreferences.getState().set('qmtBasketExportSettings', { capital: 20, holdWeightType: 2 })
  countVisit('/rotation')
  keepLastChild('/rotation', '/rotation/stock')
  keepFactors('cb', [
    {
      ...{ factor_key: 'close', factor_name: '收盘价', factor_type: 0, category: '行情', unit: '元', decimals: 3, prefer_default: 'small' },
      ...{ realtime: true, available: true, coverage: 1, description: '' },
    } satisfies FactorMeta,
  ])
}
