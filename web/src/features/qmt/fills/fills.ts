import type { FillListItem } from '@convexa/contract/qmt-trade'

/** What a client told of one day, the newest order first. */
export interface FillDay {
  date: string
  /** Orders that were only written down. */
  dryRun: boolean
  orders: readonly FillListItem[]
  bought: number
  sold: number
  /** Orders of which something was traded. */
  done: number
}

/** By day and by whether they were real, in the order they come. */
export function daysOf(fills: readonly FillListItem[]): FillDay[] {
  const days = new Map<string, FillListItem[]>()
  for (const fill of fills) {
    const key = `${fill.trade_date} ${fill.dry_run}`
    const day = days.get(key)
    if (day) day.push(fill)
    else days.set(key, [fill])
  }
  const sum = (orders: readonly FillListItem[], side: FillListItem['side']) =>
    orders.reduce((total, one) => (one.side === side ? total + one.amount : total), 0)
  return [...days.values()].map((orders) => ({
    date: orders[0]!.trade_date,
    dryRun: orders[0]!.dry_run,
    orders,
    bought: sum(orders, 'buy'),
    sold: sum(orders, 'sell'),
    done: orders.filter(({ filled }) => filled > 0).length,
  }))
}

export const statusWords: Record<FillListItem['status'], string> = {
  open: '未成交',
  filled: '全部成交',
  part_cancelled: '部分成交，余撤',
  cancelled: '已撤单',
  rejected: '废单',
  unsure: '待核对',
}
