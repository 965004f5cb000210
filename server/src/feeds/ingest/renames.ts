/** Codes that changed, where a day is put behind a market: what is stored under a former code goes on under the one of now. */
import type { Security } from '@convexa/engine'
import type { CodeChange } from '../../market/code-changes.ts'
import { formerBy, type Renames, renamesUpTo, underNewCode } from '../../market/import/renames.ts'
import type { DayTable } from '../rows.ts'
import type { DayAnswers } from './day-answers.ts'
import type { Entry } from './entries.ts'
import type { Facts } from './facts.ts'
import type { Past } from './past.ts'

/**
 * The changes that a day has reached, and those that the market has gone through already: a day of before that is made again has answers
 * under former codes. A security with both codes in the market was there before the change was known and stays as it is.
 */
export function renamesOn(day: string, changes: readonly CodeChange[], { securities }: Pick<Past, 'securities'>): Renames {
  const there = new Set(securities.map(({ code }) => code))
  const gone = securities.flatMap(({ code, formerCodes = [] }) => formerCodes.map((former) => [former, code] as const))
  const all = new Map([...renamesUpTo(changes, day), ...gone])
  return new Map([...all].filter(([old, now]) => !(there.has(old) && there.has(now))))
}

/** What was published, under the codes of the day; the shares of bonds too. */
export function renamedPast(past: Past, renames: Renames): Past {
  const byCode = <T>(of: Readonly<Record<string, T>>) =>
    Object.fromEntries(Object.entries(of).map(([code, value]) => [renames.get(code) ?? code, value]))
  return {
    ...past,
    securities: past.securities.map((security) => ofRenamedStock(underNewCode(security, renames), renames)),
    aside: byCode(past.aside),
    factorStates: byCode(past.factorStates),
  }
}

function ofRenamedStock(security: Security, renames: Renames): Security {
  const stockCode = renames.get(security.stockCode ?? '')
  if (stockCode === undefined) return security
  return { ...security, stockCode, ...(security.issuer === security.stockCode && { issuer: stockCode }) }
}

/** Securities with the codes that they bore. */
export function withFormerCodes(securities: readonly Security[], renames: Renames): Security[] {
  const former = formerBy(renames)
  return securities.map((security) => {
    const codes = former.get(security.code)
    return codes ? { ...security, formerCodes: [...new Set([...(security.formerCodes ?? []), ...codes])].sort() } : security
  })
}

/** What sources answered, under the codes of the day; of a former code and the new one, the word on the new one. */
export function renamedAnswers(answers: DayAnswers, renames: Renames): DayAnswers {
  if (renames.size === 0) return answers
  const now = (code: string) => renames.get(code) ?? code
  const table = (of: DayTable): DayTable => ({
    ...of,
    codes: of.codes.map(now),
    ...(of.unread && { unread: of.unread.map(now) }),
    ...(of.suspended && { suspended: [...new Set(of.suspended.map(now))].sort() }),
  })
  const one = <T>(of: ReadonlyMap<string, T>): Map<string, T> =>
    new Map([...[...of].filter(([code]) => renames.has(code)).map(([code, value]) => [now(code), value] as const), ...without(of)])
  const without = <T>(of: ReadonlyMap<string, T>) => [...of].filter(([code]) => !renames.has(code))
  const all = <T>(of: ReadonlyMap<string, readonly T[]>): Map<string, readonly T[]> => {
    const lists = new Map<string, readonly T[]>()
    for (const [code, list] of of)
      lists.set(now(code), renames.has(code) ? [...list, ...(lists.get(now(code)) ?? [])] : [...(lists.get(code) ?? []), ...list])
    return lists
  }
  const entry = (of: Entry): Entry => ({
    ...of,
    code: now(of.code),
    ...(of.stockCode !== undefined && { stockCode: now(of.stockCode) }),
  })
  const { calls, conversionPrices, remainingSizes, ratings, names } = answers.facts
  const facts: Facts = {
    ...{ calls: all(calls), conversionPrices: all(conversionPrices), remainingSizes: all(remainingSizes) },
    ...{ ratings: all(ratings), names: all(names) },
  }
  return {
    ...answers,
    facts,
    table: table(answers.table),
    entries: answers.entries && new Map([...one(answers.entries)].map(([code, of]) => [code, entry(of)])),
    stocks: answers.stocks && table(answers.stocks),
    stockNames: one(answers.stockNames),
    exDays: answers.exDays && new Map([...answers.exDays].map(([code, isEx]) => [now(code), isEx])),
  }
}
