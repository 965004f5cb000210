/**
 * Reference tables that lie beside a market file and say more of its securities: names, listing dates, boards, industries, calls.
 * They add; they never change what the market file says.
 */
import { existsSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import type { Announcement, BondTerms, Clause } from '@convexa/engine'
import type { Finding } from '../../db/tables/quality.ts'
import { addDays } from '../calendar.ts'
import { byTrigger } from '../clause-labels.ts'
import type { SnapshotKind } from '../manifest.ts'
import { type AgreedFacts, agreedFacts, contradictionText } from './agreed-facts.ts'
import { readCode } from './cells/code.ts'
import { readPlainNumber } from './cells/number.ts'
import { readName, readText } from './cells/text.ts'
import { cellsOf, placeOf } from './companion-files.ts'
import { couponsOf } from './coupons.ts'
import { firstDay, isOnCalendar } from './day-range.ts'
import { ImportFileError, openSource } from './source-file.ts'

/** What is known of a security besides its rows. Dates YYYY-MM-DD. */
export interface Companion {
  readonly name?: string
  readonly stockName?: string
  readonly listed?: string
  /** First day on which it is listed no more. */
  readonly delisted?: string
  readonly boardName?: string
  /** What is known of the terms (bonds). */
  readonly terms?: Partial<BondTerms>
  /** Whether the list calls it exchangeable: for shares of another company than its issuer. */
  readonly isExchangeable?: boolean
  /** 赎回日 of a call (bonds). */
  readonly redemptionDay?: string
  /** Later years whose coupons the source does not say and that have usual ones instead. */
  readonly couponsFilled?: number
  /** Announcements of a call, and proposals to lower the conversion price, ascending. */
  readonly calls?: readonly string[]
  /** What the notice of a call says of its payment, by the day of the notice. */
  readonly notices?: Readonly<Record<string, CallNotice>>
  readonly proposals?: readonly string[]
  /** Announcements of other kinds, ascending: no table tells them, the store knows them of sources. */
  readonly others?: readonly Announcement[]
  readonly attributes: Readonly<Record<string, string>>
}

type CallNotice = Pick<Announcement, 'price' | 'registration' | 'redemption' | 'payment' | 'lastTrading'>

export interface Companions {
  readonly files: readonly string[]
  readonly byCode: ReadonlyMap<string, Companion>
  /** Rows that were left out for a code or a day that cannot be read: where. */
  readonly unreadable: readonly string[]
  /** Facts in which rows of one list differ, which are left out. */
  readonly findings: readonly Finding[]
  /** Files that could not be used at all, each with why: without them ends and listings are judged from rows. */
  readonly unused: readonly string[]
  /** What lists of calls cover: a bond that ended within one and is not on it was not called. */
  readonly callLists: readonly ListSpan[]
}

/** First and last day of the announcements that a list has: the days that it covers. */
export type ListSpan = readonly [from: string, until: string]

/** What the lists of calls and of proposals beside a file cover; empty without one. */
export const callListsOf = (byCode: Companions['byCode']): ListSpan[] => spansOf([...byCode.values()].flatMap(({ calls = [] }) => calls))
export const proposalListsOf = (byCode: Companions['byCode']): ListSpan[] =>
  spansOf([...byCode.values()].flatMap(({ proposals = [] }) => proposals))

export function spansOf(days: readonly string[]): ListSpan[] {
  if (days.length === 0) return []
  const ascending = [...days].sort()
  return [[ascending[0]!, ascending.at(-1)!]]
}

export const isCovered = (lists: readonly ListSpan[], day: string): boolean => lists.some(([from, until]) => from <= day && day <= until)

/** Lists that overlap are one; what lies between two that do not is covered by neither. */
export function joinedLists(lists: readonly ListSpan[]): ListSpan[] {
  const joined: ListSpan[] = []
  for (const [from, until] of lists.toSorted(([a], [b]) => (a < b ? -1 : 1))) {
    const last = joined.at(-1)
    if (last && from <= last[1]) joined[joined.length - 1] = [last[0], until > last[1] ? until : last[1]]
    else joined.push([from, until])
  }
  return joined
}

/** What two tables say of one security: the first holds where both say it; announcements are put together. */
export function joinedCompanion(first: Companion, second: Companion): Companion {
  const calls = daysOf(first.calls, second.calls)
  const proposals = daysOf(first.proposals, second.proposals)
  const terms = (first.terms || second.terms) && { ...second.terms, ...first.terms }
  return {
    ...second,
    ...first,
    ...(terms && { terms }),
    ...(calls.length > 0 && { calls }),
    ...(proposals.length > 0 && { proposals }),
    ...((first.notices || second.notices) && { notices: joinedNotices(first.notices, second.notices) }),
    attributes: { ...second.attributes, ...first.attributes },
  }
}

/** Two notices of one day are one: each fact as the first that states it says it. */
function joinedNotices(first: Companion['notices'] = {}, second: Companion['notices'] = {}): NonNullable<Companion['notices']> {
  const days = new Set([...Object.keys(second), ...Object.keys(first)])
  return Object.fromEntries([...days].map((day) => [day, { ...second[day], ...first[day] }]))
}

const daysOf = (...lists: (readonly string[] | undefined)[]): string[] => [...new Set(lists.flatMap((list) => list ?? []))].sort()

/** The first day on which a security is over, as tables say: its delisting, or the day after a bond's maturity. Undefined: they do not. */
export function overFrom({ delisted, terms }: Pick<Companion, 'delisted' | 'terms'>): string | undefined {
  const matured = terms?.maturityDate ? addDays(terms.maturityDate, 1) : undefined
  return delisted !== undefined && (matured === undefined || delisted < matured) ? delisted : matured
}

/** What Tushare's `cb_call` calls a call, now and in old rows. */
const callWords: ReadonlySet<string> = new Set(['公告实施强赎', '公告强赎'])

interface Source {
  /** Folder beside the file's own, and the file in it. */
  readonly folder: string
  readonly file: string
  readonly columns: readonly string[]
  /** Columns that are read where the file has them. */
  readonly also?: readonly string[]
  read(row: (column: string) => string | number | null): Companion
}

const sources: Readonly<Record<SnapshotKind, readonly Source[]>> = {
  cb: [
    {
      folder: 'cb_reference',
      file: 'cb_basic.parquet',
      columns: [
        'ts_code',
        'bond_short_name',
        'stk_short_name',
        'list_date',
        'value_date',
        'conv_start_date',
        'conv_end_date',
        'maturity_date',
        'maturity',
        'maturity_price',
        'issue_size',
        'rate_clause',
      ],
      also: ['delist_date', 'conv_stop_date', 'cb_type'],
      read: (row) => {
        const type = readText(row('cb_type'))
        const coupons = couponsOf(row('rate_clause'), readPlainNumber(row('maturity')), date('day', row('value_date')).day ?? null)
        return {
          ...text('name', row('bond_short_name'), readName),
          ...text('stockName', row('stk_short_name'), readName),
          ...date('listed', row('list_date')),
          ...date('delisted', row('delist_date')),
          ...date('redemptionDay', row('conv_stop_date')),
          ...(type !== null && { isExchangeable: type.toUpperCase() === 'EB' }),
          terms: {
            ...number('issueSize', row('issue_size'), 1e8),
            ...date('valueDate', row('value_date')),
            ...date('conversionStart', row('conv_start_date')),
            ...date('conversionEnd', row('conv_end_date')),
            ...date('maturityDate', row('maturity_date')),
            ...number('maturityPrice', row('maturity_price')),
            ...(coupons.yearly.length > 0 && { coupons: coupons.yearly }),
          },
          couponsFilled: coupons.filled,
          attributes: {},
        }
      },
    },
    {
      folder: 'cb_reference',
      file: 'cb_terms.parquet',
      columns: [
        'ts_code',
        'industry',
        'maturity_price',
        ...['redeem', 'reset', 'putback'].flatMap((clause) => [`${clause}_span`, `${clause}_maxspan`, `${clause}_trigger`]),
        'putback_start',
      ],
      read: (row) => {
        const { redeem, put } = byTrigger(clauseOf(row, 'redeem'), clauseOf(row, 'putback'))
        const reset = clauseOf(row, 'reset')
        const { from } = date('from', row('putback_start'))
        return {
          terms: {
            ...number('maturityPrice', row('maturity_price')),
            ...(redeem && { redeem }),
            ...(reset && { reset }),
            ...(put && from !== undefined && { put: { ...put, from } }),
          },
          attributes: text('industry_1', row('industry')),
        }
      },
    },
    {
      folder: 'cb_reference',
      file: 'cb_call_announcements.parquet',
      columns: ['ts_code', 'ann_date'],
      also: ['is_call', 'call_price', 'call_reg_date', 'call_date', 'payment_date'],
      read: (row) => {
        // A table that has a row for each announcement says of which kind it is; one without the column lists calls alone.
        const words = readText(row('is_call'))
        if (words !== null && !callWords.has(words)) return { attributes: {} }
        const { day } = date('day', row('ann_date'))
        const notice = {
          ...number('price', row('call_price')),
          ...date('registration', row('call_reg_date')),
          ...date('redemption', row('call_date')),
          ...date('payment', row('payment_date')),
        }
        return day === undefined ? { attributes: {} } : { calls: [day], notices: { [day]: notice }, attributes: {} }
      },
    },
    {
      folder: 'cb_reference',
      file: 'cb_down_revision_board.parquet',
      columns: ['ts_code', 'ann_date'],
      read: (row) => ({ proposals: Object.values(date('day', row('ann_date'))), attributes: {} }),
    },
  ],
  stk: [
    {
      folder: 'a_share_2024_raw_adj',
      file: 'stock_basic.parquet',
      columns: ['ts_code', 'list_date'],
      also: ['name', 'area', 'industry', 'market', 'delist_date', 'act_ent_type'],
      read: (row) => ({
        ...text('name', row('name'), readName),
        ...text('boardName', row('market')),
        ...date('listed', row('list_date')),
        ...date('delisted', row('delist_date')),
        attributes: { ...text('industry_1', row('industry')), ...text('area', row('area')), ...text('orgform', row('act_ent_type')) },
      }),
    },
  ],
  index: [],
}

/** Whether a file of that name is one of them, and no market file. */
export const isCompanion = (kind: SnapshotKind, name: string): boolean => sources[kind].some(({ file }) => namesOf(file).includes(name))

const namesOf = (file: string): string[] => [file, file.replace(/\.parquet$/, '.csv')]

/** Reads those companions of a market file that are there. One that cannot be read is left out and named. */
export async function readCompanions(kind: SnapshotKind, path: string): Promise<Companions> {
  const byCode = new Map<string, Companion>()
  const files: string[] = []
  const unreadable: string[] = []
  const unused: string[] = []
  const contradictions: string[] = []
  for (const source of sources[kind]) {
    const places = [dirname(path), join(dirname(path), '..', source.folder)].flatMap((folder) =>
      namesOf(source.file).map((name) => join(folder, name)),
    )
    const found = places.find((place) => existsSync(place))
    if (found === undefined) continue
    const name = `${source.folder}/${basename(found)}`
    const read = await readSource(kind, found, source).catch((error: unknown) => {
      if (error instanceof ImportFileError) return error
      // The system does not give it: no right to read it, a folder of that name, a broken disk.
      if (error instanceof Error && 'code' in error) return new ImportFileError('read', `无法读取（${error.code}）`)
      throw error
    })
    if (read instanceof ImportFileError) {
      unused.push(`${name}：${read.message}`)
      continue
    }
    files.push(name)
    unreadable.push(...read.unreadable)
    for (const [code, rows] of rowsByCode(read.rows)) {
      const { facts, differing } = agreedCompanion(rows)
      for (const [path, said] of differing) contradictions.push(`${name}：${code} ${contradictionText(path, said)}`)
      const known = byCode.get(code)
      byCode.set(code, known ? joinedCompanion(known, facts) : facts)
    }
  }
  return { files, byCode, unreadable, unused, findings: contradicted(contradictions), callLists: callListsOf(byCode) }
}

/** What the rows of one list say of a security. Each of its announcements is one; the last is how many coupons are usual ones. */
function agreedCompanion(rows: readonly Companion[]): AgreedFacts<Companion> {
  const [first, ...more] = rows
  if (more.length === 0) return { facts: first!, differing: new Map() }
  const said = rows.map(({ calls, proposals, couponsFilled, ...facts }) => facts)
  const { facts, differing } = agreedFacts<Companion>(said, { isGroup: (path) => /^(terms|attributes|notices(\.[^.]+)?)$/.test(path) })
  const days = (of: 'calls' | 'proposals') => daysOf(...rows.map((row) => row[of]))
  const [calls, proposals] = [days('calls'), days('proposals')]
  const filled = facts.terms?.coupons && rows.flatMap(({ terms, couponsFilled }) => (terms?.coupons ? (couponsFilled ?? []) : []))
  return {
    facts: {
      ...facts,
      ...(calls.length > 0 && { calls }),
      ...(proposals.length > 0 && { proposals }),
      ...(filled && filled.length > 0 && { couponsFilled: Math.min(...filled) }),
    },
    differing,
  }
}

function rowsByCode(rows: readonly [string, Companion][]): Map<string, Companion[]> {
  const found = new Map<string, Companion[]>()
  for (const [code, row] of rows) {
    const known = found.get(code)
    if (known) known.push(row)
    else found.set(code, [row])
  }
  return found
}

const mostNamed = 20

function contradicted(facts: readonly string[]): Finding[] {
  if (facts.length === 0) return []
  const text = '参考资料里同一代码的几行说法不同，分不出哪一行为准，这些项目未采用'
  return [{ check: 'list_contradicts', level: 'warning', count: facts.length, text, examples: [...facts].sort().slice(0, mostNamed) }]
}

interface ReadSource {
  readonly rows: readonly [string, Companion][]
  readonly unreadable: readonly string[]
}

async function readSource(kind: SnapshotKind, path: string, source: Source): Promise<ReadSource> {
  const file = await openSource(path)
  if (kind === 'index') return { rows: [], unreadable: [] }
  const absent = source.columns.filter((column) => !file.columns.includes(column))
  if (absent.length > 0) throw new ImportFileError('columns', `缺少列：${absent.join('、')}`)
  const wanted = [...source.columns, ...(source.also ?? [])]
  const { rows, cell, day } = await cellsOf(file, wanted, isPossible)
  const isDay = (column: string) => column.endsWith('_date') || column === 'putback_start'
  const found: [string, Companion][] = []
  const unreadable: string[] = []
  for (let row = 0; row < rows; row++) {
    const code = readCode(cell('ts_code', row), kind)
    const wrong = code === null ? 'ts_code' : wanted.find((column) => isDay(column) && day(column, row).unreadable !== null)
    if (wrong !== undefined) unreadable.push(placeOf(file, row, wrong, cell(wrong, row)))
    else found.push([code!, source.read((column) => (isDay(column) ? day(column, row).day : cell(column, row)))])
  }
  return { rows: found, unreadable }
}

/** Days that have come, or will in the next weeks: no calendar reaches a maturity, nor the leaving that lists write of who stays. */
const onCalendar: ReadonlySet<string> = new Set(['list_date', 'ann_date'])

/** Whether a list can mean a day. Spreadsheets write "none" as one of 1899 (`date`). */
const isPossible = (column: string, day: string): boolean =>
  day < '1970' || (column === 'delist_date' ? day >= firstDay : !onCalendar.has(column) || isOnCalendar(day))

function text<K extends string>(key: K, cell: string | number | null, readOf = readText): Partial<Record<K, string>> {
  const read = readOf(cell)
  return read === null ? {} : ({ [key]: read } as Partial<Record<K, string>>)
}

function number<K extends string>(key: K, cell: string | number | null, divide = 1): Partial<Record<K, number>> {
  const read = readPlainNumber(cell) ?? Number.NaN
  return read === read ? ({ [key]: read / divide } as Partial<Record<K, number>>) : {}
}

type Cell = (column: string) => string | number | null

/** 15 of 30 days, 130 %. */
function clauseOf(row: Cell, name: string): Clause | null {
  const [days, window, percent] = [row(`${name}_span`), row(`${name}_maxspan`), row(`${name}_trigger`)].map(readPlainNumber)
  if (!days || !window || !percent) return null
  return days > 0 && window >= days && percent > 0 ? { days, window, trigger: percent / 100 } : null
}

/** Spreadsheets write "none" as a day of 1899. */
function date<K extends string>(key: K, day: string | number | null): Partial<Record<K, string>> {
  return typeof day === 'string' && day >= '1970' ? ({ [key]: day } as Partial<Record<K, string>>) : {}
}
