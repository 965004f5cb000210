import { isFraction } from '@convexa/contract/enums/hold-range'
import type { MarketId } from '@convexa/contract/enums/market'
import { operandsOf, operators } from '@convexa/contract/enums/operator'
import { rebalanceTypes } from '@convexa/contract/enums/rebalance-type'
import { ruleForms } from '@convexa/contract/enums/rule-forms'
import { hasStop, type StopField, type StopType, stopFields, stopTypes } from '@convexa/contract/enums/stop-type'
import { labelOf, valuesOf } from '@convexa/contract/enums/table'
import { ruleLabels } from '@convexa/contract/rule-labels'
import type { FilterFactor, Parameters } from '@convexa/contract/strategy'
import { plain } from '../../base/format.ts'
import { type GridCap, ruleViews } from '../../market/rule-views.ts'
import type { Draft } from '../../state/drafts.ts'
import { isFilled } from '../rule/draft.ts'
import { type Factors, shownAs } from '../rule/factors.ts'
import { type Bounds, writeValues } from './values-text.ts'

/** A number of the draft that a grid can vary. */
export interface AxisChoice extends Bounds {
  key: string
  label: string
  group: string
  unit: string
  /** Shown ÷ wire. */
  scale: 1 | 100
  /** As shown; null where the draft does not have it. */
  now: number | null
  /** Values to begin with. */
  suggest: string
  /** Where the number stands on the wire; what the draft lacks for it is added. */
  place(parameters: Parameters): { parameters: Parameters; path: string }
}

const groups = {
  hold: '持仓与轮动',
  weight: '打分权重',
  filter: '条件取值',
  stop: ruleLabels.stop_method,
  pool: '范围与剔除',
  cost: '成本与资金',
}

/** Everything that can be an axis, in the order of the builder; caps that the draft has no condition for are offered all the same. */
export function axisChoices(
  { parameters, settings }: Pick<Draft, 'parameters' | 'settings'>,
  kind: MarketId,
  factors: Factors,
): AxisChoice[] {
  const { hold_method: hold, rebalance_method: rebalance, stop_method: stop, exclude, universe } = parameters
  const byFraction = isFraction(hold)
  const choices: AxisChoice[] = [
    byFraction
      ? choice(
          '持有前',
          groups.hold,
          hold.hold_range_end,
          { unit: '%', scale: 100, min: 0.1, max: 100, suggest: '5,10,15,20,30' },
          at.holdEnd,
        )
      : choice(
          hold.hold_range_start === 1 ? '持有数量' : '持有到第几名',
          groups.hold,
          hold.hold_range_end,
          {
            ...{ unit: '只', min: hold.hold_range_start, max: ruleForms[kind].largestHold, whole: true },
            suggest: '5,10,15,20,30',
          },
          at.holdEnd,
        ),
    choice(...periods[rebalance.rebalance_type](rebalance.rebalance_value), at.period),
    choice(
      ruleLabels.hold_threshold,
      groups.hold,
      hold.hold_threshold,
      { unit: '名', min: 0, max: 1_000, whole: true, suggest: '0,2,5,10,20' },
      at.buffer,
    ),
    choice(
      ruleLabels.hold_max_weight,
      groups.hold,
      hold.hold_max_weight,
      { unit: '%', scale: 100, min: 1, max: 100, suggest: '5,10,20,100' },
      at.most,
    ),
    choice(
      '最短持有',
      groups.hold,
      parameters.hold_days,
      { unit: '日', min: 0, max: 250, whole: true, suggest: '0,5,10,20' },
      'parameters.hold_days',
    ),
  ]
  parameters.rank_factors.forEach((row, i) => {
    if (!row.enable) return
    const words = { unit: '', min: 0.01, max: 100, suggest: '0.25,0.5,1,2,4' }
    choices.push(choice(`${factors.nameOf(row.factor_key)} 权重`, groups.weight, row.weight, words, `parameters.rank_factors.${i}.weight`))
  })
  parameters.filter_factors.forEach((row, i) => {
    if (row.enable && isFilled(row)) choices.push(...filterChoices(row, i, factors))
  })
  choices.push(...ruleViews[kind].gridCaps.flatMap((cap) => capChoice(cap, parameters, factors)))
  choices.push(...stopChoices(stop))
  choices.push(
    choice(
      '上市天数不超过则剔除',
      groups.pool,
      exclude.list_days,
      { unit: '天', min: 0, max: 3_650, whole: true, suggest: '3,30,60,120' },
      'parameters.exclude.list_days',
    ),
  )
  if (ruleForms[kind].maxPerIssuer !== null) {
    choices.push(
      choice(
        ruleLabels.max_per_issuer,
        groups.pool,
        universe.max_per_issuer ?? null,
        { unit: '只', min: 1, max: 10, whole: true, suggest: '1,2,3' },
        'parameters.universe.max_per_issuer',
      ),
    )
  }
  choices.push(
    choice(
      ruleLabels.buy_rate,
      groups.cost,
      settings.cost.buy_rate,
      { unit: '%', scale: 100, min: 0, max: 2, suggest: '0,0.05,0.1,0.2' },
      'settings.cost.buy_rate',
    ),
    choice(
      ruleLabels.sell_rate,
      groups.cost,
      settings.cost.sell_rate,
      { unit: '%', scale: 100, min: 0, max: 2, suggest: '0,0.05,0.1,0.2' },
      'settings.cost.sell_rate',
    ),
    choice(
      '滑点',
      groups.cost,
      settings.cost.slippage ?? 0,
      { unit: '%', scale: 100, min: 0, max: 2, suggest: '0,0.05,0.1,0.2' },
      'settings.cost.slippage',
    ),
    choice('本金', groups.cost, settings.capital, { unit: '万元', min: 0.1, max: 100_000, suggest: '10,50,100,500' }, 'settings.capital'),
  )
  return choices.map((one, i) => ({ ...one, label: uniqueLabel(choices, i) }))
}

const at = {
  holdEnd: 'parameters.hold_method.hold_range_end',
  buffer: 'parameters.hold_method.hold_threshold',
  most: 'parameters.hold_method.hold_max_weight',
  period: 'parameters.rebalance_method.rebalance_value',
}
/** What a grid begins with. */
export const firstAxes = [at.holdEnd, at.period] as const

interface Words {
  unit: string
  scale?: 1 | 100
  min: number
  max: number
  whole?: boolean
  suggest: string
}

/** @param place a path that the draft has, or how one comes to be, under a key of its own */
function choice(
  label: string,
  group: string,
  wire: number | null,
  words: Words,
  place: string | AxisChoice['place'],
  key = String(place),
): AxisChoice {
  const scale = words.scale ?? 1
  const now = wire === null ? null : Number((wire * scale).toPrecision(12))
  const placed: AxisChoice['place'] = typeof place === 'string' ? (parameters) => ({ parameters, path: place }) : place
  return { whole: false, ...words, scale, key, label, group, now, place: placed }
}

const periods: Record<Parameters['rebalance_method']['rebalance_type'], (value: number) => [string, string, number, Words]> = {
  0: (value) => [
    ruleLabels.rebalance_type,
    groups.hold,
    value,
    { unit: '日', min: 1, max: rebalanceTypes[0].max, whole: true, suggest: '1,5,10,15,20' },
  ],
  1: (value) => [
    '每周第几个交易日',
    groups.hold,
    value,
    { unit: '', min: -rebalanceTypes[1].max, max: rebalanceTypes[1].max, whole: true, suggest: '1:5' },
  ],
  2: (value) => [
    '每月第几个交易日',
    groups.hold,
    value,
    { unit: '', min: -rebalanceTypes[2].max, max: rebalanceTypes[2].max, whole: true, suggest: '1,5,10,15' },
  ],
}

/** Four steps around a value, of round numbers. */
function around(value: number): string {
  if (value === 0) return '0,1,2,3'
  const size = 10 ** Math.floor(Math.log10(Math.abs(value)) - 1)
  const round = (one: number) => Number((Math.round(one / size) * size).toPrecision(12))
  return writeValues([...new Set([0.6, 0.8, 1, 1.2, 1.4].map((share) => round(value * share)))].sort((a, b) => a - b))
}

function filterChoices(row: FilterFactor, index: number, factors: Factors): AxisChoice[] {
  const { factor_key: ref, operation, value, action } = row
  const name = `${action === 'keep' ? '仅保留 ' : ''}${factors.nameOf(ref)}`
  const path = `parameters.filter_factors.${index}.value`
  const ranked = operandsOf(operation) === 'share'
  const { scale, unit } = ranked ? { scale: 100 as const, unit: '%' } : shownAs(factors.of(ref))
  const bounds = ranked ? { min: 0.1, max: 99.9 } : { min: -1e9, max: 1e9 }
  const made = (words: string, given: number, where: string) =>
    choice(
      `${name} ${words}`,
      groups.filter,
      given,
      { unit, scale, ...bounds, suggest: around(given * scale) },
      (parameters) => ({ parameters, path: where }),
      where,
    )
  if (operandsOf(operation) === 'range' && Array.isArray(value)) {
    const [low, high] = value as [number, number]
    return [made('下限', low, `${path}.0`), made('上限', high, `${path}.1`)]
  }
  return typeof value === 'number' ? [made(labelOf(operators, operation), value, path)] : []
}

const cap = { action: 'exclude', operation: 'gt' } as const satisfies Partial<FilterFactor>

/** A condition that the draft does not have yet: it is added for the grid. */
function capChoice({ ref, label, unit, scale, suggest }: GridCap, { filter_factors: rows }: Parameters, factors: Factors): AxisChoice[] {
  if (!factors.of(ref)?.available) return []
  if (rows.some((row) => row.enable && row.factor_key === ref && row.operation === cap.operation && row.action === cap.action)) return []
  const place: AxisChoice['place'] = (parameters) => ({
    path: `parameters.filter_factors.${parameters.filter_factors.length}.value`,
    parameters: {
      ...parameters,
      filter_factors: [...parameters.filter_factors, { factor_key: ref, ...cap, value: 0, enable: true }],
    },
  })
  return [choice(label, groups.filter, null, { unit, scale, min: 0, max: 1e6, suggest }, place, `cap.${ref}`)]
}

type Stop = Parameters['stop_method']
/** Where no stop is set the two simplest are offered all the same. */
const offeredFields = (type: StopType): readonly StopField[] => stopTypes[hasStop(type) ? type : 3].fields

function stopChoices(stop: Stop): AxisChoice[] {
  return offeredFields(stop.stop_type).map((field) => {
    const words: Words = {
      unit: '%',
      scale: 100,
      min: 0.1,
      max: stopFields[field].max * 100,
      suggest: '3,5,8,10,15',
    }
    const place: AxisChoice['place'] = (parameters) => ({
      path: `parameters.stop_method.${field}`,
      parameters: withStop(parameters, field),
    })
    return choice(
      stopFields[field].axisLabel,
      groups.stop,
      hasStop(stop.stop_type) ? (stop[field] ?? null) : null,
      words,
      place,
      `stop.${field}`,
    )
  })
}

/** Without a stop the grid judges within the day; with both of them, both. */
function withStop(parameters: Parameters, field: StopField): Parameters {
  const { stop_method: stop } = parameters
  if (hasStop(stop.stop_type) && stop[field] !== undefined) return parameters
  return {
    ...parameters,
    stop_method: { base: 'prev_close', ...stop, stop_type: typeWith(stop.stop_type, field), [field]: stop[field] ?? 0.1 },
  }
}

/** The type itself where it has the field, else the first that has its fields and this one. */
function typeWith(type: StopType, field: StopField): StopType {
  const own: readonly StopField[] = stopTypes[type].fields
  if (own.includes(field)) return type
  const wanted = [...own, field]
  return valuesOf(stopTypes).find((each) => wanted.every((one) => (stopTypes[each].fields as readonly StopField[]).includes(one))) ?? type
}

/** Labels name axes on the wire: each once, at most 40 characters. */
function uniqueLabel(choices: readonly AxisChoice[], index: number): string {
  const label = (choices[index]?.label ?? '').slice(0, 36)
  const twins = choices.slice(0, index).filter((one) => one.label.slice(0, 36) === label).length
  return twins === 0 ? label : `${label} ${twins + 1}`
}

/** `10 只`, `30%`, `1.5`. */
export const valueWords = ({ unit }: Pick<AxisChoice, 'unit'>, shown: number): string =>
  unit === '' ? plain(shown) : unit === '%' ? `${plain(shown)}%` : `${plain(shown)} ${unit}`
