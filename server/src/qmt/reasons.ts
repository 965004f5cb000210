import type { MarketId, Parameters, ScreenResult, TargetItem } from '@convexa/contract'
import { type CustomFactor, markets } from '@convexa/engine'
import { factorLabel } from '../quant/factor-label.ts'
import { lessThanALot } from './lots.ts'
import type { Quote } from './market-day.ts'
import type { Planned } from './plan.ts'
import type { Screened } from './source-lists.ts'

type Row = ScreenResult['list_items'][number]

/** Input of the sentences in the lines of a dry run. */
export interface ReasonInput {
  readonly kind: MarketId
  /** Of a single rule; null for several, of which the sentences are shorter. */
  readonly rule: RuleScreens | null
  /** Of the trading config: they take the place of the rule's own buffer. */
  readonly hold_rank: number | null
  readonly order_min: number
}

/** What a rule says of its securities now and on the day before. */
export interface RuleScreens {
  readonly parameters: Parameters
  /** Screened against what is held. */
  readonly now: Screened
  readonly before: Screened | null
  readonly own: readonly CustomFactor[]
}

export interface Line extends Planned {
  /** Among the targets; absent where the sources do not list it. */
  readonly item: TargetItem | undefined
  readonly quote: Quote | undefined
}

/** Why a line is bought, sold or left: 新进, 未持有, 移出, 剔除 … with the ranks that led to it. */
export function reasonOf(line: Line, input: ReasonInput): string {
  const { held, target } = line
  if (held > 0 && target === 0) return leaves(line, input)
  if (held === 0 && target > 0) return comes(line, input)
  if (held === 0) return rankThen(line, line.quote ? lessThanALot(input.kind, line.quote) : '资金不足一手')
  if (target === held) return rankThen(line, staysBecause(line, input))
  return rankThen(line, target > held ? '加仓到目标权重' : '减仓到目标权重')
}

export const rankIn = (screened: Screened | null | undefined, code: string): number | null => rowIn(screened, code)?.rank ?? null

const rankThen = ({ item }: Line, words: string): string => (item ? `名次 ${item.rank}，${words}` : words)

function staysBecause({ item, held, wanted }: Line, { hold_rank, order_min }: ReasonInput): string {
  if (item?.weight === 0) return hold_rank === null ? '在缓冲名次内，继续持有' : `在持有名次 ${hold_rank} 内，继续持有`
  const isOff = item && Math.floor(Math.abs(wanted - held) / item.lot_step + 1e-6) > 0
  return isOff ? `继续持有，差额不足单笔最小 ${order_min.toLocaleString('en')} 元` : '继续持有'
}

/** `新进：名次 14 → 3，主要因「转股溢价率」由 28% 到 15%`; what was on the list of the day before is only not held. */
function comes({ code, item }: Line, { kind, rule }: ReasonInput): string {
  const row = rowIn(rule?.now, code)
  if (!rule || row?.rank == null) return item ? `未持有：目标权重 ${(item.weight * 100).toFixed(1)}%` : '新进'
  const was = rowIn(rule.before, code)
  if (was?.selected) return `未持有：${ranksOf(row, was)}，前一交易日已在名单`
  if (rule.before && was?.rank == null) return `新进：名次 ${row.rank}，前一交易日不在打分池`
  return `新进：${moved(kind, rule, row, was, 1)}`
}

/** `移出：名次 6 → 13，…，超出持有区间 10 与缓冲名次 5`, or the rule that put it out. */
function leaves({ code, item, quote }: Line, { kind, rule, hold_rank }: ReasonInput): string {
  const gone = quote && !quote.listed ? '已退市' : '不在目标名单中'
  if (!rule) return item ? `移出：名次 ${item.rank}，持有只数已满` : gone
  const row = rowIn(rule.now, code)
  const excluded = rule.now.excluded?.find((one) => one.code === code)?.rule
  if (row?.rank == null) return excluded ? `剔除：触发「${excluded}」` : (row?.reason_text ?? gone)
  const rowReason = row.reason_text?.split('，').slice(1).join('，')
  const why = item ? '持有只数已满，让位于更靠前的持仓' : hold_rank === null ? rowReason : `超出交易参数的持有名次 ${hold_rank}`
  return [`移出：${moved(kind, rule, row, rowIn(rule.before, code), -1)}`, ...(why ? [why] : [])].join('，')
}

const rowIn = (screened: Screened | null | undefined, code: string): Row | undefined =>
  screened?.list_items.find((row) => row.code === code)

const ranksOf = (row: Row, was: Row | undefined): string =>
  was?.rank == null || was.rank === row.rank ? `名次 ${row.rank}` : `名次 ${was.rank} → ${row.rank}`

/** What the data of the day before do not say is left out, never guessed. */
function moved(kind: MarketId, { own, parameters }: RuleScreens, row: Row, was: Row | undefined, sign: 1 | -1): string {
  const ranks = ranksOf(row, was)
  const isThatWay = was?.rank != null && row.rank !== null && sign * (was.rank - row.rank) > 0
  const cause = was && isThatWay ? causeOf(row, was, sign) : null
  if (!was || !cause) return ranks
  const { label, text } = wordsFor(kind, own, cause)
  const [then, raw] = [was.score_parts?.[cause]?.raw ?? null, row.score_parts?.[cause]?.raw ?? null]
  const [before, after] = [text(then), text(raw)]
  const prefer = parameters.rank_factors.find(({ factor_key }) => factor_key === cause)?.prefer
  // A value that went the other way, or not at all, moved nothing: the others around it did.
  const isAgainst = prefer !== undefined && then !== null && raw !== null && (prefer === 'small' ? then - raw : raw - then) * sign < 0
  return before === after || isAgainst ? `${ranks}，「${label}」的相对位置变了` : `${ranks}，主要因「${label}」由 ${before} 到 ${after}`
}

/** The factor whose part of the score moved most in the direction of the move. */
function causeOf(now: Row, then: Row, sign: 1 | -1): string | null {
  let best: { ref: string; move: number } | null = null
  for (const [ref, { contrib }] of Object.entries(now.score_parts ?? {})) {
    const move = sign * ((contrib ?? Number.NaN) - (then.score_parts?.[ref]?.contrib ?? Number.NaN))
    if (move > 1e-9 && move > (best?.move ?? 0)) best = { ref, move }
  }
  return best?.ref ?? null
}

function wordsFor(kind: MarketId, own: readonly CustomFactor[], ref: string) {
  const { fields, factors } = markets[kind]
  const known = [...fields, ...factors].find(({ key }) => key === ref)
  const label = factorLabel(kind, own, ref)
  const text = (value: number | null) => {
    if (value === null) return '无'
    // Four decimals are a fraction; 双低 and the like have three.
    if (known && known.unit === null && known.decimals === 4) return `${(value * 100).toFixed(1)}%`
    return `${Number(value.toFixed(known?.decimals ?? 4))}${known?.unit ?? ''}`
  }
  return { label, text }
}
