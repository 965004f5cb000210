import type { Parameters } from '@convexa/contract'
import { excludedTexts } from '@convexa/contract/enums/attribute'
import { boards } from '@convexa/contract/enums/board'
import { callStatuses } from '@convexa/contract/enums/call-status'
import { labelOf, valuesOf } from '@convexa/contract/enums/table'
import { dayNumber, noDay } from '../base/calendar.ts'
import { type Market, ratings } from '../market/market.ts'
import { bears } from '../panel/codes.ts'
import { datedKeys, textOn, textsOf } from '../panel/dated.ts'
import { lacksBar } from '../panel/missing-bars.ts'
import type { Panel, Security } from '../panel/panel.ts'
import { passing, type Rule, rowMarker } from './rules.ts'

/** What they look at of a bond's terms: the days of its redemption clause. */
export interface JudgedTerms {
  readonly terms?: { readonly redeem: { readonly days: number } | null }
}

/** What universe and exclusions look at. */
export interface UniverseInput extends Pick<Panel, 'dates' | 'stride' | 'listed' | 'traded' | 'missingBars'> {
  readonly securities: readonly (Pick<Security, 'code' | 'formerCodes' | 'board' | 'listed' | 'attributes' | 'dated'> & JudgedTerms)[]
  readonly columns: { get(key: string): Float64Array | undefined }
}
type Judged = UniverseInput['securities'][number]

/**
 * Universe and risk exclusions as rules (`leaveFrom`: the day from which a security is about to leave), and a warning for each exclusion that the data cannot decide.
 * Fields that the market does not have at all (强赎 for stocks) are passed over: the request is shared by both markets.
 */
export function universeRules(
  panel: UniverseInput,
  market: Market,
  parameters: Pick<Parameters, 'universe' | 'exclude'>,
  leaveFrom: Int32Array,
): { rules: Rule[]; warnings: string[] } {
  const { universe, exclude } = parameters
  const rules: Rule[] = []
  const warnings: string[] = []
  const fixed = (key: string, label: string, leaves: (security: Judged) => boolean) => {
    rules.push(staticRule(key, label, panel, leaves))
  }
  /** A rule on a field's cells; `leaves` is the set of values that leave, as a table of 0 and 1 or a bound; `textOf` names one of them. */
  const onField = (
    key: string,
    label: string,
    field: string,
    leaves: (value: number, i: number) => boolean,
    textOf?: (value: number) => string,
  ) => {
    const column = panel.columns.get(field)
    if (column) {
      const labelOf = textOf && ((i: number, day: number) => textOf(column[day * panel.stride + i]))
      rules.push({ key, label, ...(labelOf && { labelOf }), apply: cellRule(column, panel.stride, leaves) })
    } else if (market.fields.some((each) => each.key === field))
      warnings.push(`当前数据没有「${fieldLabel(market, field)}」，未执行剔除：${label}`)
  }

  rules.push({ key: 'listed', label: '不在上市期间', apply: maskRule(panel.listed, panel.stride) })
  if (universe.markets.length > 0) {
    const wanted = new Set(universe.markets)
    fixed('universe.markets', `不属于${universe.markets.map((board) => labelOf(boards, board)).join('、')}`, (s) => !wanted.has(s.board))
  }
  if (universe.index_codes?.length) {
    const columns = universe.index_codes.map((code) => panel.columns.get(memberField(code)))
    const label = `不是${universe.index_codes.map((code) => indexName(market, code)).join('、')}成分`
    rules.push({ key: 'universe.index_codes', label, apply: memberRule(columns, panel.stride) })
  }
  if (universe.include_codes?.length) {
    const wanted = new Set(universe.include_codes)
    fixed('universe.include_codes', '不在指定代码内', (s) => !bears(s, wanted))
  }
  if (universe.exclude_codes.length > 0) {
    const unwanted = new Set(universe.exclude_codes)
    fixed('universe.exclude_codes', '黑名单', (s) => bears(s, unwanted))
  }
  if (exclude.suspended) {
    const labelOf = (i: number, day: number) => (lacksBar(panel, i, day) ? '缺行情' : '停牌')
    const texts = panel.missingBars ? { label: '停牌或缺行情', labelOf } : { label: '停牌' }
    rules.push({ key: 'exclude.suspended', ...texts, apply: maskRule(panel.traded, panel.stride) })
  }
  rules.push({ key: 'exclude.last_day', label: '最后交易日将至', apply: leavingRule(leaveFrom) })
  if (exclude.st && market.roles.st) onField('exclude.st', 'ST 或 *ST', market.roles.st, (value) => value > 0)
  if (exclude.list_days > 0) {
    rules.push({ key: 'exclude.list_days', label: `上市 ${exclude.list_days} 天以内`, apply: listDaysRule(panel, exclude.list_days) })
  }
  if (exclude.call_status?.length) {
    const values = valuesOf(callStatuses)
    const unwanted = new Set(exclude.call_status.map((status) => values.indexOf(status)))
    const label = exclude.call_status.map((status) => labelOf(callStatuses, status)).join('、')
    const textOf = (value: number) => `强赎状态：${labelOf(callStatuses, values[value])}`
    onField('exclude.call_status', `强赎状态：${label}`, 'call_status', (value) => unwanted.has(value), textOf)
  }
  if (exclude.call_remain_days !== undefined && exclude.call_remain_days !== null) {
    const left = exclude.call_remain_days
    const need = Float64Array.from(panel.securities, ({ terms }) => terms?.redeem?.days ?? Number.NaN)
    onField('exclude.call_remain_days', `强赎剩余计数 ${left} 天以内`, 'redeem_count', (value, i) => need[i] - value <= left)
  }
  if (exclude.ratings_below) {
    const least = (ratings as readonly string[]).indexOf(exclude.ratings_below)
    const label = `评级低于 ${exclude.ratings_below}`
    const textOf = (value: number) => (ratings[value] ? `评级 ${ratings[value]}，低于 ${exclude.ratings_below}` : label)
    if (least >= 0) onField('exclude.ratings_below', label, 'rating', (value) => value > least, textOf)
  }
  const onText = (key: string, label: string, name: string, attributes: readonly string[], unwanted: (text: string) => boolean) => {
    const found = (s: Judged, date: string) => attributes.map((each) => textOn(s, each, date) ?? '').find(unwanted)
    const leaves = (s: Judged, date: string) => found(s, date) !== undefined
    const dated = attributes.some((each) => datedKeys(panel.securities).has(each))
    const labelOf = (i: number, day: number) => `${name}：${found(panel.securities[i], dated ? panel.dates[day] : '')}`
    const rule = dated
      ? { key: `exclude.${key}`, label, apply: datedRule(panel, leaves) }
      : staticRule(`exclude.${key}`, label, panel, (s) => leaves(s, ''))
    rules.push({ ...rule, labelOf })
  }
  const attribute = (key: string, name: string, unwanted: readonly string[], attributes: readonly string[]) => {
    if (unwanted.length === 0) return
    const set = new Set(unwanted)
    onText(key, `${name}：${unwanted.join('、')}`, name, attributes, (text) => set.has(text))
  }
  if (exclude.yy_ratings_above) {
    const worst = yyGrade(exclude.yy_ratings_above)
    const label = `第三方评级差于 ${exclude.yy_ratings_above}`
    onText('yy_ratings_above', label, label, [yyRating], (text) => yyGrade(text) > worst)
  }
  for (const { key, label, keys } of texts) attribute(key, label, exclude[key], keys)
  return { rules, warnings }
}

/**
 * Says how many securities without a rating stay where a rule excludes low ratings: no rating is not a low one (data.md 3.1).
 * @param at where the day's row of ratings begins
 */
export function unratedNotes(
  { exclude }: Pick<Parameters, 'exclude'>,
  ratings: Float64Array | undefined,
  at: number,
  count: number,
  isIn: (security: number) => boolean,
): string[] {
  if (!exclude.ratings_below || ratings === undefined) return []
  let unrated = 0
  for (let i = 0; i < count; i++) if (ratings[at + i] !== ratings[at + i] && isIn(i)) unrated++
  return unrated === 0 ? [] : [`${unrated} 只无评级，未按评级剔除`]
}

const texts = valuesOf(excludedTexts).map((key) => ({ key, label: excludedTexts[key].label, keys: excludedTexts[key].attributes }))

const yyRating = 'yy_rating'

/** 1 is the best; `5+` and `5-` lie on both sides of `5`. NaN where a text is no grade. */
function yyGrade(text: string): number {
  const [, grade, sign] = /^(\d+(?:\.\d+)?)([+-]?)$/.exec(text.trim()) ?? []
  return grade === undefined ? Number.NaN : Number(grade) + (sign === '+' ? -0.25 : sign === '-' ? 0.25 : 0)
}

/** What an exclusion needs of the securities and they do not have, or null. */
export function lackingTexts(securities: readonly Pick<Security, 'attributes' | 'dated'>[], { exclude }: Pick<Parameters, 'exclude'>) {
  const says = (keys: readonly string[]) => securities.some((each) => keys.some((key) => textsOf(each, key).length > 0))
  for (const { key, label, keys } of texts) {
    if (exclude[key].length > 0 && !says(keys)) return `当前数据没有${label}，请移除按${label}的剔除条件`
  }
  const { yy_ratings_above: worst } = exclude
  if (!worst) return null
  if (Number.isNaN(yyGrade(worst))) return '第三方评级需为数字等级，如 6'
  return says([yyRating]) ? null : '当前数据没有第三方评级，请移除该剔除条件'
}

/** 1 on the days on which a security was a member of the index. */
export const memberField = (index: string): string => `index_member_${index}`

const indexName = (market: Market, code: string): string => fieldLabel(market, memberField(code)).replace(/成分$/, '')

/** Members of none of the indices on that day leave. */
function memberRule(columns: readonly (Float64Array | undefined)[], stride: number): Rule['apply'] {
  return (fail, id, { day, count }) => {
    const row = day * stride
    for (let i = 0; i < count; i++) if (fail[i] === 0 && !columns.some((column) => column?.[row + i] === 1)) fail[i] = id
  }
}

function fieldLabel(market: Market, key: string): string {
  return market.fields.find((field) => field.key === key)?.label ?? key
}

function staticRule(key: string, label: string, panel: UniverseInput, leaves: (security: Judged) => boolean): Rule {
  const out = Uint8Array.from(panel.securities, (security) => (leaves(security) ? 1 : 0))
  return {
    key,
    label,
    apply(fail, id, cells) {
      for (let i = 0; i < cells.count; i++) fail[i] |= id & passing(fail[i]) & -out[i]
    },
  }
}

/** What may be another thing on another day. */
function datedRule({ securities, dates }: UniverseInput, leaves: (security: Judged, date: string) => boolean): Rule['apply'] {
  return (fail, id, { day, count }) => {
    for (let i = 0; i < count; i++) if (fail[i] === 0 && leaves(securities[i], dates[day])) fail[i] = id
  }
}

function maskRule(mask: Uint8Array, stride: number): Rule['apply'] {
  const mark = rowMarker(mask)
  return (fail, id, { day, count }) => mark(fail, id, day * stride, count)
}

// Absent values neither satisfy nor fail: the comparisons of `leaves` are false for NaN.
function cellRule(column: Float64Array, stride: number, leaves: (value: number, i: number) => boolean): Rule['apply'] {
  return (fail, id, cells) => {
    const row = cells.day * stride
    for (let i = 0; i < cells.count; i++) if (fail[i] === 0 && leaves(column[row + i], i)) fail[i] = id
  }
}

/** Days mostly ascend, and then only securities that leave between one day and the next are updated. */
function leavingRule(leaveFrom: Int32Array): Rule['apply'] {
  const count = leaveFrom.length
  const stays = new Uint8Array(count)
  const mark = rowMarker(stays)
  let today = noDay
  /** Securities that leave after a processed day, by day; `next` is the first of them that has not left. */
  let later: Int32Array | null = null
  let next = 0
  return (fail, id, { day }) => {
    if (day < today) {
      for (let i = 0; i < count; i++) stays[i] = Number(day < leaveFrom[i])
      later = null
    } else if (day > today) {
      if (later === null) {
        later = inOrderOf(leaveFrom, today)
        next = 0
      }
      for (; next < later.length && leaveFrom[later[next]] <= day; next++) stays[later[next]] = 0
    }
    today = day
    mark(fail, id, 0, count)
  }
}

/** Indices of those that come after a day and do come, by day. */
function inOrderOf(days: Int32Array, after: number): Int32Array {
  const count = days.length
  const keys = new Float64Array(count)
  let many = 0
  for (let i = 0; i < count; i++) if (days[i] > after && days[i] !== noDay) keys[many++] = days[i] * count + i
  return Int32Array.from(keys.subarray(0, many).sort(), (key) => key % count)
}

// Natural days; the listing day counts as 1.
function listDaysRule(panel: UniverseInput, least: number): Rule['apply'] {
  const listed = Float64Array.from(panel.securities, (security) => (security.listed === null ? Number.NaN : dayNumber(security.listed)))
  return (fail, id, cells) => {
    const today = dayNumber(panel.dates[cells.day]) + 1
    for (let i = 0; i < cells.count; i++) fail[i] |= id & passing(fail[i]) & -Number(today - listed[i] <= least)
  }
}
