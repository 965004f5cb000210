import { create } from 'zustand'
import { atLeast, finite, listOf, oneOf, optional, orNull, text } from '../../state/shapes.ts'
import { local } from '../../state/storage.ts'
import { cellMetrics, type MetricKey, type Part } from './cell-metrics.ts'
import type { AxisForm, Pace, SplitForm } from './grid-request.ts'

// What is set on the grid's page: kept in the browser, as a draft is.

export interface GridForm {
  /** Across, down, and behind one another; at most three. Empty until the choices are known. */
  axes: readonly AxisForm[]
  split: SplitForm
  metric: MetricKey
  part: Part
  view: 'heat' | 'table' | 'parallel'
  pace: Pace | null
}

interface Store extends GridForm {
  change(part: Partial<GridForm>): void
}

const key = 'gridForm'
const first: GridForm = {
  axes: [],
  split: { type: 'ratio', ratio: 0.2, years: 3 },
  metric: 'sharpe',
  part: 'inside',
  view: 'heat',
  pace: null,
}

const shape = atLeast<Partial<GridForm>>({
  axes: optional(listOf(atLeast<AxisForm>({ key: text, text }))),
  split: optional(atLeast<SplitForm>({ type: oneOf('none', 'ratio', 'walk_forward'), ratio: finite, years: finite })),
  metric: optional(oneOf(...cellMetrics.map((metric) => metric.key))),
  part: optional(oneOf('inside', 'outside', 'difference')),
  view: optional(oneOf('heat', 'table', 'parallel')),
  pace: optional(orNull(atLeast<Pace>({ perCellDay: finite }))),
})

export const useGridForm = create<Store>((set, get) => ({
  ...first,
  ...local.read(key, shape),
  change(part) {
    set(part)
    const { change: _, ...kept } = get()
    local.write(key, kept)
  },
}))
