import type { ScreenResult } from '@convexa/contract/screen'

type Step = ScreenResult['funnel'][number]

/** How many are left after each part of the builder, and what each of its rows removed. */
export interface Counts {
  /** In the market that day, and of the chosen boards. */
  all: number
  afterRisk: number
  afterConditions: number
  /** Ranked: also finite in every factor. */
  pool: number
  /** By `filter.{index}` and every other step. */
  removed: ReadonlyMap<string, number>
}

const part = (step: Step) => step.step.split('.')[0] ?? ''
/** Steps of the universe come first, then the risk exclusions, then the conditions, then what the ranking drops. */
const afterOf = (steps: readonly Step[], parts: readonly string[], otherwise: number) =>
  steps.filter((step) => parts.includes(part(step))).at(-1)?.after ?? otherwise

export function countsOf(funnel: readonly Step[] | undefined): Counts | null {
  const first = funnel?.[0]
  if (!funnel || !first) return null
  const start = part(first) === 'listed' ? first.after : first.before
  const all = afterOf(funnel, ['universe'], start)
  const afterRisk = afterOf(funnel, ['exclude'], all)
  const afterConditions = afterOf(funnel, ['filter'], afterRisk)
  const pool = afterOf(funnel, ['missing'], afterConditions)
  return {
    all: Math.max(all, afterRisk),
    afterRisk,
    afterConditions,
    pool,
    removed: new Map(funnel.map(({ step, before, after }) => [step, before - after])),
  }
}
