import type { FeedErrorKind, Need } from '../db/tables/answers.ts'
import { order } from './chain.ts'
import type { Health } from './health.ts'

/** A source that left a question without an answer when it was asked last. */
export interface Lost {
  readonly source: string
  readonly need: Need
  readonly fault: FeedErrorKind
  readonly since: Date
  readonly answeredAt: Date | null
  /** Name of the source that answered in its place; null: none did. */
  readonly instead: string | null
}

/**
 * The failing sources of each need's chain, in its order: up to the first source that answers, which is asked before those behind it, so
 * that what is known of them is of long ago. A question that a source may not answer is no failure where another one answers it: so it was set up.
 */
export function failingSources(health: readonly Health[], on: readonly string[], needed: readonly Need[]): Lost[] {
  return needed.flatMap((need) => {
    const checked = order[need].flatMap((source) =>
      on.includes(source) ? (health.find((one) => one.need === need && one.source === source) ?? []) : [],
    )
    const answers = checked.findIndex(({ up }) => up)
    const instead = checked[answers]?.source ?? null
    return checked.slice(0, answers < 0 ? checked.length : answers).flatMap(({ source, failedAt: since, fault, answeredAt }) => {
      if (since === null || fault === null || (instead !== null && isRefusal(fault))) return []
      return [{ source, need, fault, since, answeredAt, instead }]
    })
  })
}

const isRefusal = (fault: FeedErrorKind): boolean => fault === 'permission' || fault === 'credentials'
