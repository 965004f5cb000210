import { useSite } from '../../api/site.ts'
import { marketClock } from '../../market/clock.ts'
import { useMarket } from '../../market/market-context.tsx'
import { useMarketDays } from '../../market/use-market-clock.ts'
import { Select } from '../../ui/controls.tsx'

/** Seconds; 0 is off. */
export type Refresh = 0 | 15 | 30 | 60

const choices: readonly { value: Refresh; label: string }[] = [
  { value: 0, label: '刷新 关' },
  { value: 15, label: '每 15 秒' },
  { value: 30, label: '每 30 秒' },
  { value: 60, label: '每 60 秒' },
]

/** The last prices of a session are made at its end, and come a little later. */
const afterMs = 4 * 60_000

/** Why nothing new can come now; null while it can. */
export function useStandstill(): string | null {
  const { id: kind } = useMarket()
  const { data_mode: modes, features } = useSite()
  const { now, closed } = useMarketDays()
  if (modes[kind] === 'demo') return '演示数据不会更新，自动刷新不可用'
  if (!features.live_quotes) return '没有启用实时行情源，显示收盘数据，自动刷新不可用'
  const clock = marketClock(now, closed)
  if (clock.expected) return '今年的休市日尚未公布，暂不更新行情，自动刷新不可用'
  return clock.open || marketClock(now - afterMs, closed).open ? null : `${clock.phase}，没有新的行情，自动刷新不可用`
}

/** How often the list is asked for again; standing still it says why. */
export function RefreshSelect({ value, onChange }: { value: Refresh; onChange: (value: Refresh) => void }) {
  const standstill = useStandstill()
  return (
    <span title={standstill ?? '按间隔重新取数'}>
      <Select
        label="自动刷新"
        width={92}
        value={standstill ? 0 : value}
        choices={choices}
        disabled={standstill !== null}
        onChange={onChange}
      />
    </span>
  )
}
