import type { Panel } from '../panel/panel.ts'
import type { Fills } from '../simulation/fills.ts'

/** Fills of a run, and what one yuan of it stands for by day of the run: 1, or its part in a group. */
interface Traded {
  readonly fills: Fills
  readonly scale?: Float64Array
}

/**
 * The largest share of a security's turnover of a day that the runs traded together, a fraction; null where no turnover is known. Ends that
 * are paid out come on days without one.
 * `first`, `last`: days of the runs, as indices of the panel's dates.
 */
export function peakParticipation(runs: readonly Traded[], { columns, stride }: Panel, first: number, last: number): number | null {
  const turnover = columns.get('amount')
  if (!turnover) return null
  let peak: number | null = null
  const next = runs.map(() => 0)
  const traded = new Float64Array(stride)
  for (let t = first; t <= last; t++) {
    const today: number[] = []
    runs.forEach(({ fills, scale }, k) => {
      for (; next[k] < fills.length && fills.day[next[k]] === t; next[k]++) {
        traded[fills.security[next[k]]] += fills.amount[next[k]] * (scale ? scale[t - first] : 1)
        today.push(fills.security[next[k]])
      }
    })
    for (const security of today) {
      // 成交额 is in 万元.
      const share = traded[security] / (turnover[t * stride + security] * 10_000)
      if (Number.isFinite(share) && share > (peak ?? -1)) peak = share
    }
    for (const security of today) traded[security] = 0
  }
  return peak
}
