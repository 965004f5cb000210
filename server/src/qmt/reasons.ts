import type { Kind, ScreenResult } from '@convexa/contract'
import { type CustomFactor, markets } from '@convexa/engine'
import { factorLabel } from '../quant/factor-label.ts'
import type { Screened } from './source-lists.ts'

type Row = ScreenResult['list_items'][number]

/** What a rule says of its securities now and on the day before, for sentences. */
export interface Told {
  readonly kind: Kind
  /** Screened against what is held. */
  readonly now: Screened
  readonly then: Screened | null
  readonly own: readonly CustomFactor[]
}

/** `名次 14 → 3，主要因「转股溢价率」由 28% 到 15%`; what the data of the day before do not say is left out, never guessed. */
export function cameBecause(told: Told, code: string): string {
  const row = rowIn(told.now, code)
  const was = rowIn(told.then, code)
  if (row?.rank == null) return '新进'
  if (told.then && was?.rank == null) return `名次 ${row.rank}，此前不在打分池`
  return moved(told, row, was, 1) ?? `名次 ${row.rank}，新进`
}

/** `名次 6 → 13，…` or the rule that put it out. */
export function leavesBecause(told: Told, code: string): string {
  const row = rowIn(told.now, code)
  const rule = told.now.excluded?.find((one) => one.code === code)?.rule
  if (row?.rank == null) return rule ? `剔除：触发「${rule}」` : (row?.reason_text ?? '不在目标名单中')
  const why = row.reason_text?.split('，').slice(1).join('，')
  return [moved(told, row, rowIn(told.then, code), -1) ?? `名次 ${row.rank}`, ...(why ? [why] : [])].join('，')
}

export const rankIn = (screened: Screened | null, code: string): number | null => rowIn(screened, code)?.rank ?? null

const rowIn = (screened: Screened | null, code: string): Row | undefined => screened?.list_items.find((row) => row.code === code)

function moved({ kind, own }: Told, row: Row, was: Row | undefined, sign: 1 | -1): string | null {
  if (was?.rank == null || row.rank === null) return null
  if (was.rank === row.rank) return `名次 ${row.rank} 未变`
  const ranks = `名次 ${was.rank} → ${row.rank}`
  const cause = sign * (was.rank - row.rank) > 0 ? causeOf(row, was, sign) : null
  if (!cause) return ranks
  const { label, text } = wordsFor(kind, own, cause)
  const [before, after] = [text(was.score_parts?.[cause]?.raw ?? null), text(row.score_parts?.[cause]?.raw ?? null)]
  return before === after ? `${ranks}，「${label}」的相对位置变了` : `${ranks}，主要因「${label}」由 ${before} 到 ${after}`
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

function wordsFor(kind: Kind, own: readonly CustomFactor[], ref: string) {
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
