import { type AnswerPlace, readAll, tables } from './answers.ts'
import { didTrade } from './outsiders.ts'
import type { Past } from './past.ts'
import { rowOf } from './step-rows.ts'

/**
 * Rejected rows: the codes whose row of a day did not count as its source gave it: it could not be read, did not pass the checks, or another source's has taken
 * its place. Codes that nothing was ever published of are among them.
 *
 * @param t the day, by its place in the past
 */
export async function rejectedOn({ db, dataDir }: AnswerPlace, past: Past, t: number): Promise<ReadonlySet<string>> {
  const need = tables[past.kind]
  const row = await rowOf(db, { market: past.kind, day: past.dates[t]!, step: 'quotes' })
  const kept = row?.answers.filter((each) => each.need === need) ?? []
  const table = (await readAll(dataDir, kept))?.[need]?.answer
  if (!table) return new Set()
  const traded = new Set(past.securities.flatMap(({ code }, place) => (past.traded[t * past.stride + place] === 1 ? [code] : [])))
  const leftOut = table.codes.filter((code, i) => !traded.has(code) && didTrade(table, i))
  return new Set([...leftOut, ...(table.unread ?? []), ...(table.replaced ?? [])])
}
