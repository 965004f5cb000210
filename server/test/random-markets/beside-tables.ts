/** Tables that lie beside a market file of shares: what their companies published, and a list that says since when each is listed. */
import type { Random } from '../../src/market/demo/random.ts'
import { withCommas } from './cell-writings.ts'
import { type CodeWriting, codeTexts } from './code-writings.ts'
import { type DateWriting, dateTexts } from './date-writings.ts'
import { csvBytes, type WrittenFile } from './encode.ts'
import type { Truth } from './truth.ts'

export interface BesideTables {
  readonly hasStatements: boolean
  /** One row of the statements has a day of publication that nobody can read. */
  readonly hasUnreadable: boolean
  readonly hasList: boolean
  readonly dates: readonly DateWriting[]
  readonly codes: readonly CodeWriting[]
  readonly sums: 'yuan' | 'commas' | '亿'
  /** A column with an empty cell was a column of fractions once: types and marks are written 1.0. */
  readonly hasFractions: boolean
  /** Rows of one publication stand in two files. */
  readonly isSplit: boolean
  /** One share has two rows in the list, with different days; or it has rows before the day that the list says. */
  readonly list: 'plain' | 'contradicted' | 'late'
  /** Its place, and that of the day. */
  readonly odd: { readonly i: number; readonly t: number }
}

/**
 * What a company published of a quarter on a day, in 亿; null is not told. `old`: its profit before it was corrected on the same day, or
 * adjusted; `other`: a second one that nothing tells from the first.
 */
export interface Publication {
  readonly i: number
  readonly t: number
  readonly period: string
  readonly revenue: number | null
  readonly profit: number
  readonly old: number | null
  readonly isAdjusted: boolean
  readonly other: number | null
  readonly equity: number | null
}

const one = <T>(random: Random, list: readonly T[]): T => list[random.whole(0, list.length - 1)]!

export function chooseBeside(random: Random): BesideTables {
  const hasStatements = random.chance(0.7)
  return {
    hasStatements,
    hasUnreadable: hasStatements && random.chance(0.2),
    hasList: !hasStatements || random.chance(0.5),
    dates: random.chance(0.5) ? [one(random, dateTexts)] : [one(random, dateTexts), one(random, dateTexts)],
    codes: [
      one(
        random,
        codeTexts.filter(({ isBare }) => !isBare),
      ),
    ],
    sums: one(random, ['yuan', 'commas', '亿'] as const),
    hasFractions: random.chance(0.3),
    isSplit: random.chance(0.3),
    list: one(random, ['plain', 'plain', 'contradicted', 'late'] as const),
    odd: { i: random.whole(0, 3), t: random.whole(2, 5) },
  }
}

const typeColumn = 4
const ends = ['03-31', '06-30', '09-30', '12-31']
/** Quarters that ended before a day, the latest first. */
const quartersBefore = (day: string): string[] => {
  const year = Number(day.slice(0, 4))
  return [year, year - 1, year - 2].flatMap((each) => ends.map((end) => `${each}-${end}`).reverse()).filter((end) => end < day)
}

const round = (value: number): number => Number(value.toFixed(2))

/** A quarter is published once, and may be restated on later days; also behind a newer one. */
export function makePublications(random: Random, { securities, days }: Truth): Publication[] {
  return securities.flatMap((_, i) => {
    const seen = new Set<string>()
    return Array.from({ length: random.whole(0, 4) }, (): Publication[] => {
      const t = random.whole(0, days.length - 1)
      const period = quartersBefore(days[t]!)[random.whole(0, 2)]!
      if (seen.has(`${t} ${period}`)) return []
      seen.add(`${t} ${period}`)
      const profit = round(random.between(-3, 20))
      const revenue = random.chance(0.9) ? round(random.between(1, 300)) : null
      return [
        {
          ...{ i, t, period, profit, revenue },
          old: random.chance(0.2) ? round(profit + 1.25) : null,
          isAdjusted: random.chance(0.5),
          // Something is left of the publication.
          other: revenue !== null && random.chance(0.06) ? round(profit - 0.75) : null,
          equity: random.chance(0.7) ? round(random.between(5, 90)) : null,
        },
      ]
    }).flat()
  })
}

/** By share: versions of statements in the order of their publication, each item in 亿 (NaN: not told). */
export interface ExpectedVersion {
  readonly period: string
  readonly published: string
  readonly items: Readonly<Record<string, number>>
}
export const versionsOf = (publications: readonly Publication[], i: number, days: readonly string[]): ExpectedVersion[] =>
  publications
    .filter((each) => each.i === i)
    .toSorted((a, b) => a.t - b.t || (a.period < b.period ? -1 : 1))
    .map(({ t, period, revenue, profit, other, equity }) => ({
      period,
      published: days[t]!,
      items: { revenue: revenue ?? Number.NaN, np_parent: other === null ? profit : Number.NaN, equity_parent: equity ?? Number.NaN },
    }))

/**
 * Day of a share's listing as the list has it: long before the file for those that are there on its first day, or only come back. Where the
 * file has flags of listing, they say that who has no row before was not listed, and a list of the same source says the same.
 */
export const listedOn = ({ securities, days }: Truth, { hasListed }: { readonly hasListed: boolean }, i: number): string => {
  const { begins, first } = securities[i]!
  return begins === 'debut' || (hasListed && first > 0) ? days[first]! : `2004-0${1 + (i % 9)}-15`
}
/** The share that the list says two things of, or a later day than its rows: its place; −1 where there is none. */
export const oddShare = (tables: BesideTables | null, list: BesideTables['list']): number =>
  tables?.hasList && tables.list === list ? tables.odd.i : -1
export const listedName = (i: number): string => `名单${i + 1}`

/** @param has which of the publications the file has; of shares that the market does not have yet a source tells later */
export function besideFiles(
  random: Random,
  shape: { readonly beside: BesideTables; readonly hasListed: boolean },
  truth: Truth,
  publications: readonly Publication[],
  has: (publication: Publication) => boolean,
): WrittenFile[] {
  const { beside: tables } = shape
  const { codes, dates, sums } = tables
  const day = (text: string) => one(random, dates).text(text)
  const code = (i: number) => one(random, codes).text(truth.securities[i]!.code)
  const sum = (value: number | null) => {
    if (value === null) return one(random, ['', '-', 'nan'])
    const yuan = (value * 1e8).toFixed(0)
    return sums === 'yuan' ? yuan : sums === 'commas' ? withCommas(yuan) : `${value}亿`
  }
  const mixed = (rows: string[][]) =>
    rows
      .map((row) => ({ row, at: random.uniform() }))
      .sort((a, b) => a.at - b.at)
      .map(({ row }) => row)
  const table = (name: string, header: readonly string[], rows: string[][]): WrittenFile[] =>
    rows.length === 0
      ? []
      : [{ name, bytes: csvBytes(header, mixed(rows), { encoding: 'utf-8', lineEnd: '\n', isQuoted: false, endsWithLineEnd: true }) }]
  const fraction = (digit: string) => (tables.hasFractions ? `${digit}.0` : digit)
  const own = tables.hasStatements ? publications.filter(has) : []
  const about = ({ i, t, period }: Publication) => {
    const published = truth.days[t]!
    // Without a day of first publication that of the announcement is meant, and with one that of the announcement is none.
    const first = random.chance(0.3) ? '' : day(published)
    return [
      code(i),
      day(period),
      first === '' ? day(published) : day(`${published.slice(0, 4)}-01-02`),
      first,
      fraction(one(random, ['1', '1', '4'])),
    ]
  }
  const head = ['ts_code', 'end_date', 'ann_date', 'f_ann_date', 'report_type', 'update_flag']
  const income = own.flatMap((each) => {
    const place = about(each)
    const row = (flag: string, profit: number, at = place) => [...at, fraction(flag), sum(each.revenue), sum(profit)]
    const adjusted = place.with(typeColumn, fraction('5'))
    return [
      row('1', each.profit),
      ...(each.other === null ? [] : [row('1', each.other)]),
      // What stood before an adjustment is older whatever its mark.
      ...(each.old === null ? [] : [each.isAdjusted ? row(one(random, ['0', '1']), each.old, adjusted) : row('0', each.old)]),
      // A quarter alone.
      ...(random.chance(0.1) ? [row('1', 7, place.with(typeColumn, fraction('2')))] : []),
    ]
  })
  if (tables.hasUnreadable && own.length > 0)
    income.push([code(own[0]!.i), day(own[0]!.period), day(truth.days[0]!), '某日', '1', '1', '7', '7'])
  const balance = own.flatMap((each) => (each.equity === null ? [] : [[...about(each), fraction('1'), sum(each.equity)]]))
  const line = (i: number, on: string) => [code(i), listedName(i), day(on), '行业']
  const list = truth.securities.map((_, i) =>
    line(i, i === oddShare(tables, 'late') ? truth.days[tables.odd.t]! : listedOn(truth, shape, i)),
  )
  const twice = oddShare(tables, 'contradicted')
  if (twice >= 0) list.push(line(twice, '2005-06-15'))
  const isOther = income.map(() => tables.isSplit && random.chance(0.5))
  const incomeOf = (other: boolean) => income.filter((_, k) => isOther[k] === other)
  return [
    ...table('statements/income.csv', [...head, 'revenue', 'n_income_attr_p'], incomeOf(false)),
    // Names say nothing of age.
    ...table(`statements/${one(random, ['a', 'z'])}.csv`, [...head, 'revenue', 'n_income_attr_p'], incomeOf(true)),
    ...table('statements/balance.csv', [...head, 'total_hldr_eqy_exc_min_int'], balance),
    ...(tables.hasList ? table('stock_basic.csv', ['ts_code', 'name', 'list_date', 'industry'], list) : []),
  ]
}
