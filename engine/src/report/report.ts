import type { Report } from '@convexa/contract'

/** What the engine knows of a Report; who ran it and when is added by the server. */
export type EngineReport = Omit<
  Report,
  'backtest_id' | 'strategy_id' | 'group_id' | 'name' | 'note' | 'params_hash' | 'created_at' | 'partial'
>
