import type { ScreenResult } from '@convexa/contract/screen'
import type { Parameters } from '@convexa/contract/strategy'
import { missing } from '../../base/format.ts'
import { type Factors, valueText } from '../rule/factors.ts'
import { filterText } from '../rule/summary.ts'

type Excluded = NonNullable<ScreenResult['excluded']>[number]
type Step = ScreenResult['funnel'][number]

/** The condition of the draft that a step of the funnel is; null of what is no condition. */
function conditionAt(step: Step | undefined, { filter_factors: rows }: Parameters) {
  const index = /^filter\.(\d+)$/.exec(step?.step ?? '')?.[1]
  return (index === undefined ? null : rows[Number(index)]) ?? null
}

/** A step in words: a condition with the unit of its factor, anything else as the server says it. */
export function stepWords(step: Step, parameters: Parameters, factors: Factors): string {
  const row = conditionAt(step, parameters)
  return row ? `${row.action === 'keep' ? '仅保留' : '剔除'}：${filterText(row, factors)}` : step.label
}

/** Why one is not in the pool, and what its value was that day. */
export function excludedWords(
  { rule, rule_index: index, value }: Excluded,
  funnel: readonly Step[],
  parameters: Parameters,
  factors: Factors,
): { why: string; value: string } {
  const step = funnel[index]
  const row = conditionAt(step, parameters)
  if (!step || !row) return { why: rule, value: value === null ? missing : String(value) }
  return { why: stepWords(step, parameters, factors), value: valueText(factors.of(row.factor_key), value) }
}
