import type { MarketId } from '@convexa/contract'
import { joinedLists, type ListSpan } from '../../market/import/companions.ts'
import { rulesOf } from '../../market/market-rules.ts'
import type { DayTable } from '../rows.ts'
import { bondColumns } from './bond-columns.ts'
import type { DayAnswers } from './day-answers.ts'
import type { Members } from './members.ts'
import type { Past } from './past.ts'
import { stockColumns } from './stock-columns.ts'

interface WithColumns {
  readonly table: DayTable
  /** Values of a source that stand beside what is known. */
  readonly otherValues: readonly string[]
}

/** Without the column a market gets its days of ST with its securities, and then its history has them too. */
export const hasStColumn = ({ kind, dates, fields }: Past, { columns }: DayTable): boolean =>
  !rulesOf(kind)?.stFromNames || dates.length === 0 || fields.has('is_st') || columns.has('is_st')

/** The table with what it needs besides; of bonds a row for each that is listed, traded or not. */
export function withDayColumns(past: Past, answers: DayAnswers, members: Members): WithColumns {
  if (past.kind === 'index') return { table: answers.table, otherValues: [] }
  return dayColumns[past.kind](past, answers, members)
}

const dayColumns: Readonly<Record<MarketId, (past: Past, answers: DayAnswers, members: Members) => WithColumns>> = {
  cb: bondDay,
  stk: (past, { table, entries, facts }) => ({
    table: { ...table, columns: stockColumns(past, table, entries, hasStColumn(past, table) ? facts.names : null) },
    otherValues: [],
  }),
}

function bondDay(past: Past, answers: DayAnswers, members: Members): WithColumns {
  const { table, entries, facts, stocks, stockNames } = answers
  const named = new Set(table.codes)
  const others = members.securities.filter(({ code }, i) => members.listed[i] === 1 && !named.has(code)).map(({ code }) => code)
  const longer = (cells: Float64Array) => {
    const all = new Float64Array(cells.length + others.length).fill(Number.NaN)
    all.set(cells)
    return all
  }
  const whole = {
    ...table,
    codes: [...table.codes, ...others],
    columns: new Map([...table.columns].map(([key, cells]) => [key, longer(cells)])),
  }
  const before = new Map(past.securities.map(({ code }, place) => [code, place]))
  const bonds = new Map(members.securities.map((security) => [security.code, { security, place: before.get(security.code) }]))
  const { columns, otherValues } = bondColumns({
    table: whole,
    past,
    facts,
    bonds,
    entries,
    stocks,
    stockNames,
    callLists: callListsOf(past, answers),
  })
  return { table: { ...whole, columns }, otherValues }
}

export const callListsOf = (past: Past, { callLists = [] }: DayAnswers): ListSpan[] => joinedLists([...past.callLists, ...callLists])
