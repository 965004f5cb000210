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
}

/** What a company published of a quarter on a day, in 亿; null is not told. `old`: its profit before it was corrected on the same day. */
export interface Publication {
  readonly i: number
  readonly t: number
  readonly period: string
  readonly revenue: number | null
  readonly profit: number
  readonly old: number | null
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
  }
}

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
      return [
        {
          ...{ i, t, period, profit },
          revenue: random.chance(0.9) ? round(random.between(1, 300)) : null,
          old: random.chance(0.2) ? round(profit + 1.25) : null,
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
    .map(({ t, period, revenue, profit, equity }) => ({
      period,
      published: days[t]!,
      items: { revenue: revenue ?? Number.NaN, np_parent: profit, equity_parent: equity ?? Number.NaN },
    }))

/**
 * Day of a share's listing as the list has it: long before the file for those that are there on its first day, or only come back. Where the
 * file has flags of listing, they say that who has no row before was not listed, and a list of the same source says the same.
 */
export const listedOn = ({ securities, days }: Truth, { hasListed }: { readonly hasListed: boolean }, i: number): string => {
  const { begins, first } = securities[i]!
  return begins === 'debut' || (hasListed && first > 0) ? days[first]! : `2004-0${1 + (i % 9)}-15`
}
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
      one(random, ['1', '1', '4']),
    ]
  }
  const head = ['ts_code', 'end_date', 'ann_date', 'f_ann_date', 'report_type', 'update_flag']
  const income = own.flatMap((each) => {
    const place = about(each)
    const rows = [[...place, '1', sum(each.revenue), sum(each.profit)]]
    return each.old === null ? rows : [[...place, '0', sum(each.revenue), sum(each.old)], ...rows]
  })
  if (tables.hasUnreadable && own.length > 0)
    income.push([code(own[0]!.i), day(own[0]!.period), day(truth.days[0]!), '某日', '1', '1', '7', '7'])
  const balance = own.flatMap((each) => (each.equity === null ? [] : [[...about(each), '1', sum(each.equity)]]))
  const list = truth.securities.map((_, i) => [code(i), listedName(i), day(listedOn(truth, shape, i)), '行业'])
  return [
    ...table('statements/income.csv', [...head, 'revenue', 'n_income_attr_p'], income),
    ...table('statements/balance.csv', [...head, 'total_hldr_eqy_exc_min_int'], balance),
    ...(tables.hasList ? table('stock_basic.csv', ['ts_code', 'name', 'list_date', 'industry'], list) : []),
  ]
}
