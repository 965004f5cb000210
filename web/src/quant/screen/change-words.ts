import type { ScreenRow } from '@convexa/contract/screen'
import type { Parameters } from '@convexa/contract/strategy'
import type { HeldStanding } from '../../state/held.ts'
import { type Factors, valueText } from '../factors.ts'

// Why a security came to a list or left it, in the words of the workbench, the board, the strategies' list and their drawer alike.

export type Ranks = readonly Pick<Parameters['rank_factors'][number], 'factor_key' | 'prefer'>[]

/** Where a row stood; nothing of one that was not ranked. */
export const standingOf = (row: ScreenRow | undefined): HeldStanding | undefined =>
  row === undefined || row.rank === null ? undefined : { rank: row.rank, parts: row.score_parts ?? {} }

/**
 * `名次 14 → 3，主要因「转股溢价率」由 28% 降到 15%，占得分变化的 61%`; of a place that did not move that way the screen's own word for it,
 * without where it stood only what is so now. Who comes from beyond the holding is told so first: 补位新进.
 */
export function moveWords(row: ScreenRow, was: HeldStanding | undefined, way: 'up' | 'down', factors: Factors, by: Ranks = []): string {
  const { rank } = row
  if (was === undefined || rank === null) return [`名次 ${rank}`, ...toldOf(row)].join('，')
  // Who comes to a list from the place that it has now was left out then for another reason than its place.
  const same = way === 'up' ? `名次 ${rank}，当时也是 ${rank}` : `名次 ${rank} 未变`
  const ranks = was.rank === rank ? same : `名次 ${was.rank} → ${rank}`
  const cause = (way === 'up' ? rank < was.rank : rank > was.rank) ? causeOf(row, was, way) : null
  if (!cause) return [ranks, ...toldOf(row)].join('，')
  const { ref, share } = cause
  const [from, to] = [was.parts[ref]?.raw ?? null, row.score_parts?.[ref]?.raw ?? null]
  const [before, after] = [valueText(factors.of(ref), from), valueText(factors.of(ref), to)]
  const part = share < 0.995 ? `，占得分变化的 ${Math.round(share * 100)}%` : ''
  const name = factors.nameOf(ref)
  const why =
    before === after || isAgainst(from, to, ref, way, by)
      ? `「${name}」的相对位置变了`
      : `主要因「${name}」由 ${before} ${to !== null && from !== null && to < from ? '降到' : '升到'} ${after}${part}`
  return [ranks, ...filledOf(row), why].join('，')
}

/** `名次 3，此前不在打分池` */
export const newcomerWords = (row: ScreenRow, before: string): string => [`名次 ${row.rank}`, ...filledOf(row), before].join('，')

/** What the screen says behind the place; that it is new says whoever asks. */
const toldOf = ({ reason_text: told }: ScreenRow): string[] =>
  told
    ?.split('，')
    .slice(1)
    .filter((part) => part !== '新进') ?? []
const filledOf = (row: ScreenRow): string[] => toldOf(row).filter((part) => part.startsWith('补位'))

/** A value that went the other way moved nothing: the others around it did. */
function isAgainst(before: number | null, after: number | null, ref: string, way: 'up' | 'down', by: Ranks): boolean {
  const prefer = by.find(({ factor_key }) => factor_key === ref)?.prefer
  if (!prefer || before === null || after === null || before === after) return false
  return (after > before === (prefer === 'large')) !== (way === 'up')
}

/** The factor whose part of the score moved most in the direction of the move, and its share of all that moved so. */
function causeOf(now: ScreenRow, then: HeldStanding, way: 'up' | 'down'): { ref: string; share: number } | null {
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
