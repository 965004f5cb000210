import type { Settings } from '@convexa/contract/backtest'
import { isFraction } from '@convexa/contract/enums/hold-range'
import { operandsOf } from '@convexa/contract/enums/operator'
import { periodOf, rebalanceTypes } from '@convexa/contract/enums/rebalance-type'
import { ruleLabels } from '@convexa/contract/rule-labels'
import type { Parameters } from '@convexa/contract/strategy'
import { dayAfter, weekdayOf } from '../../../base/dates.ts'
import { plain } from '../../../base/format.ts'

// The same rule a little changed: every number of it a fifth down and a fifth up, other days, other securities. Each case is one quick run.

interface Case {
  /** What is other: `8 只`. */
  label: string
  parameters: Parameters
  settings: Settings
}
export interface Variant {
  key: string
  name: string
  cases: readonly Case[]
}

export interface Rule {
  parameters: Parameters
  settings: Settings
}

/** A fifth down and a fifth up; whole numbers move by at least one, and nothing below `least`. */
export function around(value: number, whole: boolean, least = whole ? 1 : 0): number[] {
  const moved = [value * 0.8, value * 1.2].map((one, side) => {
    if (!whole) return Number(one.toPrecision(4))
    const step = Math.round(one)
    return step === value ? value + (side === 0 ? -1 : 1) : step
  })
  return moved.filter((one) => one >= least && one !== value)
}

/** Numbers of securities left out at random. */
const missingShare = 0.1
const draws = 3

/** Every small change of a rule; `nameOf` says what a factor is called, `codes` who could be missing, `days` on which it was run. */
export function variantsOf(
  rule: Rule,
  nameOf: (ref: string) => string,
  codes: readonly string[],
  unitOf: string,
  days: readonly string[],
): Variant[] {
  const { parameters, settings } = rule
  const { hold_method: hold, rebalance_method: rebalance, rank_factors, filter_factors } = parameters
  const withHold = (change: Partial<Parameters['hold_method']>): Rule => ({
    settings,
    parameters: { ...parameters, hold_method: { ...hold, ...change } },
  })
  const size = hold.hold_range_end - hold.hold_range_start + 1
  const variants: Variant[] = []
  if (!isFraction(hold))
    variants.push({
      key: 'hold',
      name: '持有数量',
      cases: around(size, true).map((n) => ({ label: `${n} ${unitOf}`, ...withHold({ hold_range_end: hold.hold_range_start + n - 1 }) })),
    })
  if (hold.hold_threshold > 0)
    variants.push({
      key: 'threshold',
      name: ruleLabels.hold_threshold,
      cases: around(hold.hold_threshold, true, 0).map((n) => ({ label: `${n}`, ...withHold({ hold_threshold: n }) })),
    })
  variants.push({
    key: 'rebalance',
    name: periodOf(rebalance) === null ? ruleLabels.rebalance_type : '轮动日',
    cases: shiftedDays(rebalance).map(({ label, value }) => ({
      label,
      settings,
      parameters: { ...parameters, rebalance_method: { ...rebalance, rebalance_value: value } },
    })),
  })
  variants.push({
    key: 'start',
    name: '起始日',
    cases: shiftedStarts(days).map(({ label, date }) => ({ label, parameters, settings: { ...settings, start_date: date } })),
  })
  filter_factors.forEach((row, i) => {
    if (!row.enable || typeof row.value !== 'number' || row.value === 0) return
    const byRank = operandsOf(row.operation) === 'share'
    const values = around(Math.abs(row.value), false).map((value) => Math.sign(row.value as number) * value)
    variants.push({
      key: `filter ${i}`,
      name: `${nameOf(row.factor_key)}${byRank ? '分位' : ''}`,
      cases: values.map((value) => ({
        label: byRank ? `${plain(value * 100)}%` : plain(value),
        settings,
        parameters: { ...parameters, filter_factors: filter_factors.map((one, k) => (k === i ? { ...one, value } : one)) },
      })),
    })
  })
  const scored = rank_factors.filter((row) => row.enable && row.weight > 0)
  if (scored.length > 1)
    rank_factors.forEach((row, i) => {
      if (!row.enable || row.weight === 0) return
      variants.push({
        key: `rank ${i}`,
        name: `${nameOf(row.factor_key)}权重`,
        cases: around(row.weight, false).map((weight) => ({
          label: plain(weight),
          settings,
          parameters: { ...parameters, rank_factors: rank_factors.map((one, k) => (k === i ? { ...one, weight } : one)) },
        })),
      })
    })
  const { cost } = settings
  if (cost.buy_rate + cost.sell_rate > 0)
    variants.push({
      key: 'cost',
      name: '单边成本',
      cases: [0.8, 1.2].map((times) => ({
        label: `${plain(Number(((cost.buy_rate + cost.sell_rate) * 50 * times).toPrecision(3)))}%`,
        parameters,
        settings: { ...settings, cost: { ...cost, buy_rate: cost.buy_rate * times, sell_rate: cost.sell_rate * times } },
      })),
    })
  if (codes.length >= 50)
    variants.push({
      key: 'missing',
      name: `随机缺 10% ${unitOf === '只' ? '证券' : unitOf}`,
      cases: Array.from({ length: draws }, (_, draw) => ({
        label: `第 ${draw + 1} 次`,
        settings,
        parameters: {
          ...parameters,
          universe: {
            ...parameters.universe,
            exclude_codes: [...new Set([...parameters.universe.exclude_codes, ...drawn(codes, draw + 1)])].slice(0, mostExcluded),
          },
        },
      })),
    })
  return variants.filter(({ cases }) => cases.length > 0)
}

/** As the contract has it. */
const mostExcluded = 2_000

/** Rebalanced a little less or more often, or a day earlier or later. */
function shiftedDays(rebalance: Parameters['rebalance_method']): { label: string; value: number }[] {
  const { rebalance_type: type, rebalance_value: value } = rebalance
  if (periodOf(rebalance) === null) return around(value, true).map((n) => ({ label: `每 ${n} 日`, value: n }))
  const { max: most, short } = rebalanceTypes[type]
  // Counted from the end the days are negative; there is no day 0.
  const step = (by: number) => (value + by === 0 ? value + 2 * by : value + by)
  return [-1, 1]
    .map(step)
    .filter((n) => Math.abs(n) <= most)
    .map((n) => ({ label: `${short}内${n > 0 ? `第 ${n}` : `倒数第 ${-n}`} 日`, value: n }))
}

/** Starts a day earlier and later: they move all rebalances of a rule that trades every N days. */
function shiftedStarts([first, second]: readonly string[]): { label: string; date: string }[] {
  if (!first || !second) return []
  let before = dayAfter(first, -1)
  while (weekdayOf(before) % 6 === 0) before = dayAfter(before, -1)
  return [
    { label: '早一日', date: before },
    { label: '晚一日', date: second },
  ]
}

/** A tenth of the codes, the same for the same draw. */
function drawn(codes: readonly string[], draw: number): string[] {
  let state = draw * 2_654_435_761
  const next = () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
  return codes.filter(() => next() < missingShare)
}
