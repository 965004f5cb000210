import type { Report } from '@convexa/contract'

/** Members of a report that only its owner reads: they are added whenever it is read, and never kept with it. */
export const ownMembers = [
  'backtest_id',
  'strategy_id',
  'group_id',
  'name',
  'note',
  'favourite',
  'data_sources',
  'checks',
  'earlier_engine',
] as const satisfies readonly (keyof Report)[]
export type OwnMembers = Pick<Report, (typeof ownMembers)[number]>
