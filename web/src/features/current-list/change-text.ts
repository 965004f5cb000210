import type { SecurityOption } from '@convexa/contract/market'
import type { ScreenRow } from '@convexa/contract/screen'
import type { Parameters } from '@convexa/contract/strategy'
import type { ChangeCause } from '@convexa/engine/screen'
import { type Factors, valueText } from '../rule/factors.ts'
import type { ListStanding } from './current-list.ts'

// Why a security came to a list or left it, in the words of the workbench, the board, the strategies' list and their drawer alike.

type Ranks = readonly Pick<Parameters['rank_factors'][number], 'factor_key' | 'prefer'>[]

/** What a list and the one before it are compared by. */
export type ChangeRule = Pick<Parameters, 'hold_method' | 'universe' | 'rebalance_method' | 'rank_factors'>

/** What the words of a cause are made with. */
export interface CauseContext {
  factors: Factors
  by: Ranks
  /** What the day of the list before is called: 昨天, or its date. */
  before: string
  /** The row of now and where it stood then. */
  row: ScreenRow | undefined
  was: ListStanding | undefined
  security?: SecurityOption | undefined
}

/** Where a row stood; nothing of one that was not ranked. */
export const standingOf = (row: ScreenRow | undefined): ListStanding | undefined =>
  row === undefined || row.rank === null ? undefined : { rank: row.rank, parts: row.score_parts ?? {} }

/** `名次 14 → 3，进入前 10 名，主要因「转股溢价率」由 28% 降到 15%，占得分变化的 61%` */
export function causeWords(cause: ChangeCause, context: CauseContext): string {
  const { before } = context
  switch (cause.kind) {
    case 'rule':
      return join(`规则在 ${cause.on} 改过`, cause.rank === null ? '' : `名次 ${cause.rank}`)
    case 'passed':
      return `${before}被「${cause.rule}」剔除，今天通过，名次 ${cause.rank}`
    case 'valued':
      return `${factorsIn(cause.rule)}今天有了数据，名次 ${cause.rank}`
    case 'aged':
      return `上市满 ${daysIn(cause.rule)} 天，今天起可选，名次 ${cause.rank}`
    case 'listed':
      return `新上市，今天起可选，名次 ${cause.rank}`
    case 'entered':
      return join(`名次 ${cause.from} → ${cause.rank}，进入前 ${cause.last} 名`, moved(context, 'up'))
    case 'issuer_free':
      return `同一正股的「${cause.other.name}」移出，名额空出`
    case 'place_free':
      return cause.within
        ? `名次 ${cause.rank} 早已够格，「${cause.other.name}」移出，补入空位`
        : `「${cause.other.name}」移出空出一席，排在前面的同一正股已在名单里，名次 ${cause.rank} 补入`
    case 'room':
      return `名单原来只有 ${cause.held} 只，名次 ${cause.rank} 补入空位`
    case 'waited':
      return `${cause.since} 已在前 ${cause.last} 名，等到轮动才换入`
    case 'gone':
      return goneWords(context.security)
    case 'called':
      return calledWords(cause.rule, context.security)
    case 'suspended':
      return `今日${cause.rule}`
    case 'excluded':
      return `今天被「${cause.rule}」剔除`
    case 'valueless':
      return `${factorsIn(cause.rule)}今天没有数据`
    case 'left':
      return join(
        `名次 ${cause.from} → ${cause.rank}，跌出前 ${cause.bound} 名${cause.buffered ? '（此前由缓冲保留）' : ''}`,
        moved(context, 'down'),
      )
    case 'risen':
      return `名次 ${cause.from === null ? cause.rank : `${cause.from} → ${cause.rank}`}，已排到第 ${cause.first} 名之前`
    case 'outside':
      return `${cause.since} 已在前 ${cause.bound} 名之外${cause.waits ? '，等到轮动才换出' : ''}`
    case 'issuer_taken':
      return `同一正股已有「${cause.other.name}」，只留靠前的一只`
    case 'crowded':
      return `只持有 ${cause.places} 只，名次 ${cause.rank} 排不进`
    case 'in_now':
      return join(`名次 ${cause.rank}`, cause.rank > cause.bound ? '补位' : '')
    case 'out_now':
      return `名次 ${cause.rank}，在前 ${cause.bound} 名之外`
    default:
      return cause satisfies never
  }
}

const join = (...parts: string[]): string => parts.filter(Boolean).join('，')

/** 「双低」 of 缺少「双低」. */
const factorsIn = (rule: string): string => rule.replace(/^缺少/, '')
const daysIn = (rule: string): string => /\d+/.exec(rule)?.[0] ?? ''

function goneWords(security: SecurityOption | undefined): string {
  const last = security?.delist_date ?? security?.last_trade_date
  return last ? `已摘牌，最后交易日 ${last}` : '已摘牌或到期，当日没有行情'
}

function calledWords(rule: string, security: SecurityOption | undefined): string {
  const what = rule.startsWith('强赎状态：') ? rule.slice('强赎状态：'.length) : rule
  return join(what, security?.last_trade_date ? `最后交易日 ${security.last_trade_date}` : '')
}

/** `主要因「转股溢价率」由 28% 降到 15%，占得分变化的 61%`: the scored factor that moved the rank most; empty where it cannot be told. */
function moved({ row, was, factors, by }: CauseContext, way: 'up' | 'down'): string {
  if (row === undefined || was === undefined) return ''
  const cause = causeOf(row, was, way)
  if (!cause) return ''
  const { ref, share } = cause
  const [from, to] = [was.parts[ref]?.raw ?? null, row.score_parts?.[ref]?.raw ?? null]
  const [before, after] = [valueText(factors.of(ref), from), valueText(factors.of(ref), to)]
  const part = share < 0.995 ? `，占得分变化的 ${Math.round(share * 100)}%` : ''
  const name = factors.nameOf(ref)
  return before === after || isAgainst(from, to, ref, way, by)
    ? `「${name}」的相对位置变了`
    : `主要因「${name}」由 ${before} ${to !== null && from !== null && to < from ? '降到' : '升到'} ${after}${part}`
}
/** A value that went the other way moved nothing: the others around it did. */
function isAgainst(before: number | null, after: number | null, ref: string, way: 'up' | 'down', by: Ranks): boolean {
  const prefer = by.find(({ factor_key }) => factor_key === ref)?.prefer
  if (!prefer || before === null || after === null || before === after) return false
  return (after > before === (prefer === 'large')) !== (way === 'up')
}

/** The factor whose part of the score moved most in the direction of the move, and its share of all that moved so. */
function causeOf(now: ScreenRow, then: ListStanding, way: 'up' | 'down'): { ref: string; share: number } | null {
  const sign = way === 'up' ? 1 : -1
  const moves = Object.entries(now.score_parts ?? {}).flatMap(([ref, { contrib }]) => {
    const before = then.parts[ref]?.contrib
    const move = contrib === null || before === null || before === undefined ? 0 : sign * (contrib - before)
    return move > 1e-9 ? [{ ref, move }] : []
  })
  const all = moves.reduce((sum, { move }) => sum + move, 0)
  const most = moves.reduce<(typeof moves)[number] | null>((top, one) => (top && top.move >= one.move ? top : one), null)
  return most && { ref: most.ref, share: most.move / all }
}
