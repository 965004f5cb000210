import type { FactorRef, FilterFactor, Parameters, RankFactor } from '@convexa/contract'
import { isFraction } from '@convexa/contract/enums/hold-range'
import { holdWeights } from '@convexa/contract/enums/hold-weight'
import { missingValues } from '@convexa/contract/enums/missing-value'
import { noNeutralization } from '@convexa/contract/enums/neutralization'
import { operators } from '@convexa/contract/enums/operator'
import { timingRules } from '@convexa/contract/enums/timing-rule'
import { type ErrorContext, refusal } from '../base/problem.ts'
import { textKey } from '../expression/attributes.ts'
import { compileGroup, compileRef, type Expression, type Names, namesOf, type Problem } from '../expression/index.ts'
import { withDerived } from '../market/derived-columns.ts'
import type { Field, Market } from '../market/market.ts'
import { datedFields } from '../panel/dated.ts'
import type { Panel } from '../panel/panel.ts'
import type { SectionFactor } from './cross-section.ts'
import type { HoldRange } from './hold-range.ts'
import type { Found, Named, ResolvedFactor } from './resolved-factor.ts'
import { wrongStops } from './rule-checks.ts'
import { memberField } from './universe.ts'

/** What a factor is neutralized by before it is ranked. */
export interface Neutral<F extends Named> {
  readonly size: F | null
  readonly group: F | null
}

interface Rank<F extends Named = ResolvedFactor> {
  readonly row: RankFactor
  readonly factor: F
  readonly neutral: Neutral<F> | null
}

/** A request's factors compiled against what the data have. Disabled rows and weights of 0 are gone. */
export interface CompiledScreen<F extends Named = ResolvedFactor> {
  readonly parameters: Parameters
  /** `index` is the row's place in the request. */
  readonly filters: readonly { readonly row: FilterFactor; readonly factor: F; readonly index: number }[]
  readonly ranks: readonly Rank<F>[]
  /** What hold weights are made of (types 3–5), else null. */
  readonly weight: F | null
  /** Rules of the target exposure; a market series without a factor is the run's benchmark. */
  readonly timing: readonly { readonly row: TimingRow; readonly factor: F | null }[]
  readonly holdRange: HoldRange
}

export type CompiledScreenResult<F extends Named = ResolvedFactor> =
  | { ok: true; compiled: CompiledScreen<F> }
  | { ok: false; problem: Problem }

/** Compiles what a screen computes, or says the first thing in it that cannot be: with `benchmarks` also a series that the data lack. */
export function compileScreen(
  market: Market,
  available: ReadonlySet<string>,
  parameters: Parameters,
  context: ErrorContext,
  benchmarks?: ReadonlySet<string>,
): CompiledScreenResult {
  const rating = wrongRating(market, parameters)
  if (rating) return { ok: false, problem: refusal(context, rating) }
  const names = benchmarks ? namesOf(market, available, { benchmarks }) : namesIn(market, available)
  return compileScreenWith(
    market,
    parameters,
    context,
    (ref) => resolveFactor(market, names, ref),
    (attribute) => {
      const group = resolveGroup(attribute)
      if (!names.stated || names.stated.has(textKey(attribute)) || !group.ok) return group
      return { ok: false, problem: refusal(context, `当前数据没有「${group.factor.label}」，无法按它中性化`) }
    },
  )
}

// Hundreds of names are made for a request, and one after the other asks for those of the same data.
const lastNames = new WeakMap<Market, { readonly available: ReadonlySet<string>; readonly names: Names }>()

function namesIn(market: Market, available: ReadonlySet<string>): Names {
  const known = lastNames.get(market)
  if (known && known.available.size === available.size && [...available].every((key) => known.available.has(key))) return known.names
  const names = namesOf(market, available)
  lastNames.set(market, { available, names })
  return names
}

/** The same with factors, and the groups of attributes, that are found in another way. */
export function compileScreenWith<F extends Named>(
  market: Pick<Market, 'roles' | 'neutralizations'>,
  parameters: Parameters,
  context: ErrorContext,
  find: (ref: FactorRef) => Found<F>,
  findGroup: (attribute: string) => Found<F>,
): CompiledScreenResult<F> {
  const stops = wrongStops(parameters.stop_method)
  if (stops) return { ok: false, problem: refusal(context, stops) }
  const range = holdRangeOf(parameters)
  if (typeof range === 'string') return { ok: false, problem: refusal(context, range) }

  for (const code of parameters.universe.index_codes ?? []) {
    if (!find(memberField(code)).ok)
      return { ok: false, problem: refusal(context, `当前数据没有指数 ${code} 的历史成分，无法按成分选择范围`) }
  }
  const filters: { row: FilterFactor; factor: F; index: number }[] = []
  for (const [index, row] of parameters.filter_factors.entries()) {
    if (!row.enable) continue
    const made = find(row.factor_key)
    if (!made.ok) return { ok: false, problem: named(made.problem, context) }
    const wrong = wrongValue(row, made.factor)
    if (wrong) return { ok: false, problem: refusal(context, `第 ${index + 1} 个条件（${made.factor.label}）${wrong}`) }
    filters.push({ row, factor: made.factor, index })
  }
  const ranks: Rank<F>[] = []
  for (const row of parameters.rank_factors) {
    if (!row.enable || row.weight === 0) continue
    const made = find(row.factor_key)
    if (!made.ok) return { ok: false, problem: named(made.problem, context) }
    const neutral = neutralOf(row)
    if (neutral && 'code' in neutral) return { ok: false, problem: named(neutral, context) }
    ranks.push({ row, factor: made.factor, neutral })
  }
  if (ranks.length === 0) return { ok: false, problem: refusal(context, '至少需要一个启用且权重大于 0 的打分因子') }

  const weightRef = weightRefOf(market, parameters)
  if (weightRef === undefined) return { ok: false, problem: refusal(context, '按因子加权需要选择加权因子') }
  let weight: F | null = null
  if (weightRef !== null) {
    const made = find(weightRef)
    if (!made.ok) return { ok: false, problem: named(made.problem, context) }
    weight = made.factor
  }
  const timing: { row: TimingRow; factor: F | null }[] = []
  for (const row of parameters.timing ?? []) {
    if (timingRules[row.rule].value === null) continue
    const wrong = wrongTiming(row)
    if (wrong) return { ok: false, problem: refusal(context, wrong) }
    const made = row.factor_key === undefined ? null : find(row.factor_key)
    if (made && !made.ok) return { ok: false, problem: named(made.problem, context) }
    timing.push({ row, factor: made?.factor ?? null })
  }
  return { ok: true, compiled: { parameters, filters, ranks, weight, timing, holdRange: range } }

  function neutralOf({ neutralization: wanted }: RankFactor): Neutral<F> | Problem | null {
    if (wanted === null || wanted === '' || wanted === noNeutralization) return null
    const known = market.neutralizations.find(({ key }) => key === wanted)
    if (known === undefined) {
      return refusal(
        context,
        `没有中性化方式「${wanted}」，可选：${market.neutralizations.map(({ key, label }) => `${label}（${key}）`).join('、')}`,
      )
    }
    const size = known.size === null ? null : find(known.size)
    if (size && !size.ok) return size.problem
    const group = known.group === null ? null : findGroup(known.group)
    if (group && !group.ok) return group.problem
    return { size: size?.factor ?? null, group: group?.factor ?? null }
  }
}

type TimingRow = NonNullable<Parameters['timing']>[number]
const mostMeanDays = 250

function wrongTiming({ rule, factor_key, value }: TimingRow): string | null {
  if (timingRules[rule].value === 'level') return factor_key !== undefined && value !== undefined ? null : '阈值择时需要选择因子并填写阈值'
  const whole = value !== undefined && Number.isInteger(value) && value >= 2 && value <= mostMeanDays
  return whole ? null : `均线择时需要填写均线天数，为 2 至 ${mostMeanDays} 的整数`
}

/** The panel with the derived columns that expressions read, and those that code reads by key (`named`). */
export function panelFor(panel: Panel, expressions: Iterable<Expression>, named: Iterable<string> = []): Panel {
  const keys = new Set(named)
  // Expressions read dated facts directly, so only `named` ones become columns.
  for (const expression of expressions) for (const key of expression.needs.fields) if (!datedFields[key]) keys.add(key)
  return withDerived(panel, keys)
}

/** Every expression of a screen, once per text. */
export function expressionsOf(compiled: CompiledScreen): Expression[] {
  return [...new Map([...factorsOf(compiled).values()].map(({ expression }) => [expression.text, expression])).values()]
}

/** Every factor of a screen by its ref: of conditions, ranks, weights, timing and neutralizations. */
export function factorsOf<F extends Named>(compiled: CompiledScreen<F>): Map<FactorRef, F> {
  const all = [...compiled.filters, ...compiled.ranks].map(({ factor }) => factor)
  if (compiled.weight) all.push(compiled.weight)
  for (const { factor } of compiled.timing) if (factor) all.push(factor)
  all.push(...neutralFactorsOf(compiled))
  return new Map(all.map((factor) => [factor.ref, factor]))
}

/** The sizes and groups that rank factors are neutralized by. */
export function neutralFactorsOf<F extends Named>({ ranks }: CompiledScreen<F>): F[] {
  const factors: F[] = []
  for (const { neutral } of ranks) {
    if (neutral?.size) factors.push(neutral.size)
    if (neutral?.group) factors.push(neutral.group)
  }
  return factors
}

export function resolveFactor(market: Market, names: Names, ref: FactorRef): Found<ResolvedFactor> {
  const compiled = compileRef(ref, names)
  if (!compiled.ok) return compiled
  const field = names.fields.get(ref)
  return {
    ok: true,
    factor: {
      ref,
      label: names.custom?.get(ref)?.label ?? labelOf(market, ref, field),
      expression: compiled.expression,
      rawPrices: compiled.expression.rawPrices,
      values: field?.values ?? null,
    },
  }
}

/** The groups of an attribute (行业). */
export function resolveGroup(attribute: string): Found<ResolvedFactor> {
  const group = compileGroup(attribute)
  if (group === null) throw new Error(`no attribute ${attribute}`)
  return { ok: true, factor: { ref: attribute, values: null, ...group } }
}

/** Chinese name of a factor ref: `bias_20` → 20日乖离率; a formula is its own name. */
function labelOf(market: Market, ref: FactorRef, field?: Field): string {
  const known = field ?? market.fields.find((each) => each.key === ref) ?? market.factors.find((each) => each.key === ref && !each.window)
  if (known) return known.label
  if (ref.startsWith('formula:')) return ref.slice(8).trim()
  const window = /(?:^|_)(\d+)(?=_|$)/.exec(ref)?.[1]
  if (window === undefined) return ref
  const pattern = ref.replace(new RegExp(`_${window}(?=_|$)`), '_N')
  const factor = market.factors.find((each) => each.key === pattern)
  return factor ? factor.label.replace('N', window) : ref
}

// A field that the data lack is a mistake of this request, with its own sentence.
function named(problem: Problem, context: ErrorContext): Problem {
  return problem.missing === undefined ? problem : { ...refusal(context, problem.message), missing: problem.missing }
}

function weightRefOf(market: Pick<Market, 'roles'>, parameters: Parameters): FactorRef | null | undefined {
  const { hold_weight_type: type, hold_weight_factor: factor } = parameters.hold_method
  const { by } = holdWeights[type]
  switch (by) {
    case 'size':
      return market.roles.size
    case 'factor':
      return factor
    case 'volatility':
      return market.roles.volatility
    case 'rank':
    case null:
      return null
    default:
      return by satisfies never
  }
}

/** What is held of a ranking, or what is wrong with it. */
export function holdRangeOf(parameters: Parameters): HoldRange | string {
  const { hold_range_start: start, hold_range_end: end } = parameters.hold_method
  if (isFraction(parameters.hold_method)) {
    if (start >= end || end > 1) return '持有区间的比例需为 0 至 1，且起点小于终点'
    return { first: start, last: end, fraction: true }
  }
  if (!Number.isInteger(start) || !Number.isInteger(end) || start < 1 || end < start) return '持有区间需为整数名次，且起点不大于终点'
  return { first: start, last: end, fraction: false }
}

/** Below what is no rating nobody would be: the exclusion would vanish without a word. Markets without ratings pass it over. */
function wrongRating({ fields }: Pick<Market, 'fields'>, { exclude: { ratings_below: least } }: Parameters): string | null {
  const ratings = fields.find(({ key }) => key === 'rating')?.values
  return least && ratings && !ratings.includes(least) ? `没有评级「${least}」` : null
}

function wrongValue(row: FilterFactor, factor: Named): string | null {
  const { operation, value } = row
  const { operands, numeric } = operators[operation]
  if (operands === 'none') return null
  if (operands === 'range') return isPair(value) && value[0] <= value[1] ? null : '的取值需为从小到大的两个数字'
  if (numeric) return typeof value === 'number' ? null : '的取值需为数字'
  const texts = Array.isArray(value) ? value : [value]
  const isList = operands === 'list'
  if (isList !== Array.isArray(value)) return isList ? '的取值需为列表' : '的取值需为单个值'
  const unknown = texts.find((text) => enumValue(text, factor.values) === null)
  return unknown === undefined ? null : `没有取值「${unknown}」`
}

function isPair(value: FilterFactor['value']): value is [number, number] {
  return Array.isArray(value) && value.length === 2 && typeof value[0] === 'number' && typeof value[1] === 'number'
}

/** The cell value that a condition's text or number stands for; null when there is none. */
export function enumValue(value: string | number, values: readonly string[] | null): number | null {
  if (typeof value === 'number') return value
  if (values) {
    const index = values.indexOf(value)
    return index < 0 ? null : index
  }
  const parsed = Number(value)
  return value.trim() === '' || Number.isNaN(parsed) ? null : parsed
}

/** The column that a rank factor is ranked by. */
export function rankedColumn({ missing_process: process }: RankFactor, factor: SectionFactor): Float64Array {
  return missingValues[process].from === 'history' ? factor.filled() : factor.column()
}
