import type { StrategyListItem } from '@convexa/contract/saved-strategy'

export interface Overlaid {
  /** Union of the days of all lines, ascending. */
  dates: readonly string[]
  lines: readonly { id: string; name: string; values: readonly (number | null)[] }[]
  /** Strategies without a dated curve in their glance: they have none, or one computed before dates were included. */
  without: readonly string[]
}

/** The curves of glances over one another, each from 1 on; they need not have the same days. */
export function overlaid(strategies: readonly Pick<StrategyListItem, 'id' | 'strategy_name' | 'glance'>[]): Overlaid {
  const curves = strategies.flatMap(({ id, strategy_name: name, glance }) => {
    const { sparkline = [], sparkline_dates: days = [] } = glance ?? {}
    const first = sparkline[0]
    if (!first || days.length < 2 || days.length !== sparkline.length) return []
    return [{ id, name, byDay: new Map(days.map((day, i) => [day, (sparkline[i] ?? first) / first])) }]
  })
  const dates = [...new Set(curves.flatMap(({ byDay }) => [...byDay.keys()]))].sort()
  const ids = new Set(curves.map(({ id }) => id))
  return {
    dates,
    lines: curves.map(({ id, name, byDay }) => ({ id, name, values: dates.map((day) => byDay.get(day) ?? null) })),
    without: strategies.flatMap(({ id, strategy_name: name }) => (ids.has(id) ? [] : [name])),
  }
}
