import type { SnapshotKind } from '../../market/snapshot.ts'
import { type AnswerPlace, readAll, tables } from './answers.ts'
import { rowOf } from './step-rows.ts'

/** Codes whose own row of a day did not pass the checks, and whose place another source's has taken. */
export async function replacedOn({ db, dataDir }: AnswerPlace, market: SnapshotKind, day: string): Promise<ReadonlySet<string>> {
  const need = tables[market]
  const kept = (await rowOf(db, { market, day, step: 'quotes' }))?.answers.filter((each) => each.need === need) ?? []
  if (!kept.some(({ instead }) => instead)) return new Set()
  return new Set((await readAll(dataDir, kept))?.[need]?.answer.replaced)
}
