import type { Settings } from '@convexa/contract/backtest'
import { executions } from '@convexa/contract/enums/execution'
import type { MarketRow } from '@convexa/contract/enums/market'
import { dayAfter } from '../../base/dates.ts'
import { limitsSince } from '../../market/rule-views.ts'
import type { Range } from '../../state/drafts.ts'
import type { Choice } from '../../ui/controls.tsx'
import { type DataRange, startOf } from './draft.ts'

const ranges: readonly (Choice<Range> & { redeemed?: true })[] = [
  { value: 'default', label: '涨跌停以来', redeemed: true },
  { value: '1y', label: '近1年' },
  { value: '3y', label: '近3年' },
  { value: '5y', label: '近5年' },
  { value: '2018', label: '2018至今' },
  { value: 'all', label: '全部' },
]

/** The usual ranges that a market's data can fill: what begins more than a month before them would be 全部 under a wrong name. */
export const rangeChoices = ({ id, redeemed }: Pick<MarketRow, 'id' | 'redeemed'>, data: DataRange | null): Choice<Range>[] =>
  ranges
    .filter((one) => (!one.redeemed || redeemed) && (!data || dayAfter(startOf(one.value, id, data), 31) >= data.start))
    .map(({ value, label }) => ({ value, label }))

/** What is to be said of a range of bonds that begins before their price limits did; null of others. */
export const rangeHint = (
  { redeemed }: Pick<MarketRow, 'redeemed'>,
  { start_date: start, execution }: Pick<Settings, 'start_date' | 'execution'>,
): string | null =>
  redeemed && !executions[execution].frictionless && start < limitsSince
    ? `${limitsSince} 之前可转债没有涨跌幅限制，更早的日子按当时的规则撮合，与现在不可直接相比。`
    : null
