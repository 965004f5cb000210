import type { Report } from '@convexa/contract'
import { firstFrom, lastUpTo } from '../base/calendar.ts'
import { drawdownsOf } from './drawdowns.ts'
import { relative } from './periods.ts'

type Window = readonly [key: string, label: string, start: string, end: string]

/** Stretches in which the mainland markets were under strain, named by what happened (product.md 3.6). */
const eventWindows: readonly Window[] = [
  ['decline_2018', '2018 年全年下跌', '2018-01-02', '2018-12-28'],
  ['reopening_2020', '2020 年 2 月复工首日', '2020-02-03', '2020-02-03'],
  ['crowded_2021', '2021 年 2 月抱团瓦解', '2021-02-18', '2021-03-09'],
  ['lockdown_2022', '2022 年 4 月疫情低点', '2022-04-01', '2022-04-26'],
  ['small_caps_2023', '2023-08 至 2024-02 小微盘回撤', '2023-08-01', '2024-02-05'],
  ['micro_caps_2024', '2024 年 1–2 月微盘流动性', '2024-01-22', '2024-02-05'],
  ['bond_credit_2024', '2024 年 6–8 月转债信用冲击', '2024-06-03', '2024-08-30'],
  ['surge_2024', '2024 年 9–10 月急涨', '2024-09-24', '2024-10-08'],
  ['gap_2025', '2025-04-07 跳空下跌', '2025-04-07', '2025-04-07'],
]

/** How a run and its benchmark came through each window that lies inside it whole. Net values are 1 before the first day. */
export function eventsOf(dates: readonly string[], nav: Float64Array, bench: Float64Array): Report['events'] {
  return eventWindows.flatMap(([key, label, start, end]) => {
    const from = firstFrom(dates, start)
    const to = lastUpTo(dates, end)
    if (from > to || start < dates[0] || end > dates[dates.length - 1]) return []
    const [own, its] = [relative(nav, from, to), relative(bench, from, to)]
    return [
      {
        key,
        label,
        start: dates[from],
        end: dates[to],
        return_: own[own.length - 1] - 1,
        bench_return: its[its.length - 1] - 1,
        max_drawdown: drawdownsOf(own).worst?.depth ?? 0,
      },
    ]
  })
}
