/** The steps of a day and the questions that they ask; which a market asks stands in `ingest-rules.ts`. */
import type { Need } from '../../db/tables/answers.ts'
import type { Answer, Ask } from '../feed.ts'

/** When something can be had: bars and lists after the close, announcements in the evening, statements late. */
export const steps = ['quotes', 'events', 'statements'] as const
export type Step = (typeof steps)[number]

export type AnswersSoFar = { readonly [N in Need]?: Answer<N> }

export interface GatherState {
  readonly day: string
  /** Codes of the market's securities, for needs that are asked of each. */
  readonly codes: readonly string[]
  /** Codes among the day's bars of which nothing was ever published: their history is asked for with the bars. */
  readonly newcomers: readonly string[]
  /** Codes among the day's bars without a factor whose previous close differs from their close before: a distribution may be the cause. */
  readonly stepped: readonly string[]
  /** Codes whose conversion price may have changed, by the answers so far. */
  repriced(answers: AnswersSoFar): readonly string[]
  readonly answers: AnswersSoFar
  /** Whether what stocks were called is known so far. */
  readonly hasNames: boolean
  /** Statements are asked from this day of publication on. */
  readonly statementsFrom: string
}

/**
 * One question of a day; null: there is nothing to ask. Without an answer to one that must be there the day waits; `if offered`: also, but
 * not where no source may give it.
 */
export type Question = {
  [N in Need]: { readonly need: N; readonly must: boolean | 'if offered'; readonly ask: (state: GatherState) => Ask<N> | null }
}[Need]

export const question = <N extends Need>(need: N, must: boolean | 'if offered', ask: (state: GatherState) => Ask<N> | null) =>
  ({ need, must, ask }) as Extract<Question, { need: N }>

/** Announcements of some days before too: sources do not always have them on their day. */
export const lookBackDays = 10
export const daysBefore = (day: string, days: number): string =>
  new Date(Date.parse(`${day}T00:00:00Z`) - days * 86_400_000).toISOString().slice(0, 10)
