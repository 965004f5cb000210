/** A table of dividends beside a market file: plans by share, ex-day and period, in the versions that sources give (domain.md 5.7). */
import type { Random } from '../../src/market/demo/random.ts'
import { type CodeWriting, codeTexts } from './code-writings.ts'
import { type DateWriting, dateTexts } from './date-writings.ts'
import { csvBytes } from './encode.ts'
import type { Payment, Truth } from './truth.ts'

type Plans = 'plain' | 'doubled' | 'corrected' | 'two plans' | 'planned too' | 'one wrong'
const allPlans: readonly Plans[] = ['plain', 'doubled', 'corrected', 'two plans', 'planned too', 'one wrong']

export interface DividendTable {
  readonly plans: Plans
  /** Tushare's columns, or those of announcements, a sum for ten shares. */
  readonly isTushare: boolean
  readonly dates: readonly DateWriting[]
  readonly codes: readonly CodeWriting[]
}

const one = <T>(random: Random, list: readonly T[]): T => list[random.whole(0, list.length - 1)]!

export function chooseTable(random: Random): DividendTable {
  const plans = one(random, allPlans)
  return {
    plans,
    // Only there a row has a period and a day of publication.
    isTushare: plans === 'plain' || plans === 'one wrong' ? random.chance(0.5) : true,
    dates: random.chance(0.5) ? [one(random, dateTexts)] : [one(random, dateTexts), one(random, dateTexts)],
    codes: [
      one(
        random,
        codeTexts.filter(({ isBare }) => !isBare),
      ),
    ],
  }
}

/** The share whose record says three times what it paid, where the table has one. */
export const wrongShare = (table: DividendTable | null, { securities }: Truth): number =>
  table?.plans === 'one wrong' ? securities.findIndex(({ payments }) => payments.some(({ cash }) => cash > 0)) : -1

/** @param until rows of ex-days before this one */
export function dividendBytes(random: Random, table: DividendTable, truth: Truth, until: number): Uint8Array {
  const { plans, isTushare, dates, codes } = table
  const wrong = wrongShare(table, truth)
  const header = isTushare
    ? ['ts_code', 'end_date', 'ann_date', 'div_proc', 'stk_div', 'cash_div_tax', 'imp_ann_date', 'ex_date']
    : ['代码', '除权除息日', '每10股派息', '每10股送转']
  const day = (text: string) => one(random, dates).text(text)
  const rows = truth.securities.flatMap(({ code, payments }, i) =>
    payments
      .filter(({ t }) => t < until)
      .flatMap(({ t, cash, ratio }, k): string[][] => {
        const ex = truth.days[t]!
        const written = () => one(random, codes).text(code)
        const money = i === wrong && cash > 0 && payments.findIndex((each) => each.cash > 0) === k ? cash * 3 : cash
        if (!isTushare) return [[written(), day(ex), text(money * 10), text(ratio * 10)]]
        const year = Number(ex.slice(0, 4)) - 1
        const plan = (paid: Omit<Payment, 't'>, { period = k, published = `${year}-03-15`, proc = '实施' } = {}) => [
          ...[written(), day(`${year - period}-12-31`), day(`${year}-02-20`), proc, text(paid.ratio), text(paid.cash)],
          ...[day(published), proc === '实施' ? day(ex) : ''],
        ]
        const whole = { cash: money, ratio }
        if (plans === 'doubled') return [plan(whole), plan(whole)]
        if (plans === 'corrected') return [plan(whole, { published: `${year}-04-02` }), plan({ cash: money + 0.31, ratio })]
        if (plans === 'planned too') return [plan(whole, { proc: '预案' }), plan(whole)]
        if (plans !== 'two plans' || money < 0.02) return [plan(whole)]
        const first = Math.floor(money * 50) / 100
        return [plan({ cash: first, ratio }), plan({ cash: money - first, ratio: 0 }, { period: k + 40 })]
      }),
  )
  const mixed = rows.map((row) => ({ row, at: random.uniform() })).sort((a, b) => a.at - b.at)
  return csvBytes(
    header,
    mixed.map(({ row }) => row),
    { encoding: 'utf-8', lineEnd: '\n', isQuoted: false, endsWithLineEnd: true },
  )
}

const text = (value: number): string => String(Number(value.toFixed(6)))
