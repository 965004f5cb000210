import { carryForward, type Panel, type Security } from '../src/panel/panel.ts'
import { type Statement, type StatementHistory, statementHistoryOf } from '../src/panel/statements.ts'
import { type Chance, chance } from './chance.ts'
import { randomTerms } from './random-terms.ts'
import { withUnlistedPrices } from './unlisted-prices.ts'

export interface RandomPanel {
  readonly days?: number
  readonly securities?: number
  /** All listed from the first day to the last and always traded. */
  readonly isWhole?: boolean
}

const security = (code: string, luck: Chance, listed: string | null): Security => ({
  code,
  name: code,
  pinyin: '',
  board: luck.pick(['CHINEXT', 'STAR', 'SSE_MAIN']),
  listed,
  delisted: null,
  lastDay: null,
  lastDayKnown: null,
  redemptionPrice: null,
  issuer: code,
  attributes: {
    ...(luck.next() < 0.9 ? { industry_1: luck.pick(['银行', '医药', '电子']) } : {}),
    industry_2: luck.pick(['城商行', '中药']),
    industry_3: luck.pick(['甲', '乙', '丙']),
    area: luck.pick(['浙江', '广东']),
    maturity: '2027-03-04',
  },
})

/**
 * A small market with what hurts: late listings, early ends, suspensions (prices carried, volume 0), runs of absent values, ties,
 * zeros and negative numbers, prices of days outside listing windows. Fields: prices, conv_prem (signed, with gaps), vol (whole numbers), amount, rating and call_status
 * (indices of their values), is_st_stk; two market series, one with gaps.
 */
export function randomPanel(seed: number, { days = 48, securities = 9, isWhole = false }: RandomPanel = {}): Panel {
  const luck = chance(seed)
  const stride = securities + 2
  const column = () => new Float64Array(days * stride).fill(Number.NaN)
  const columns = {
    ...{ close: column(), open: column(), high: column(), low: column(), pre_close: column(), conv_prem: column(), vol: column() },
    ...{ amount: column(), total_mv: column(), rating: column(), call_status: column(), is_st_stk: column() },
  }
  const dates = Array.from({ length: days }, (_, t) =>
    new Date(Date.UTC(2024, 0, 1 + t + 2 * Math.floor(t / 5))).toISOString().slice(0, 10),
  )
  const securitiesListed: (string | null)[] = []
  const listed = new Uint8Array(days * stride)
  const traded = new Uint8Array(days * stride)
  for (let i = 0; i < securities; i++) {
    const first = isWhole || luck.next() < 0.5 ? 0 : luck.below(days)
    securitiesListed.push(first > 0 || luck.next() < 0.5 ? dates[first] : null)
    const last = isWhole || luck.next() < 0.7 ? days - 1 : first + luck.below(days - first)
    let price = 80 + luck.next() * 60
    let absent = 0
    let suspended = 0
    for (let t = first; t <= last; t++) {
      const at = t * stride + i
      listed[at] = 1
      if (!isWhole && (suspended > 0 || luck.next() < 0.03)) {
        suspended = suspended > 0 ? suspended - 1 : luck.below(8)
        columns.vol[at] = 0
        continue
      }
      traded[at] = 1
      columns.pre_close[at] = price
      price = Math.round(price * (0.97 + luck.next() * 0.06) * 1000) / 1000
      columns.close[at] = price
      columns.open[at] = luck.next() < 0.2 ? price : Math.round(price * (0.99 + luck.next() * 0.02) * 1000) / 1000
      columns.high[at] = Math.max(columns.close[at], columns.open[at]) + luck.below(3)
      columns.low[at] = Math.min(columns.close[at], columns.open[at]) - luck.below(3)
      columns.vol[at] = (isWhole ? 1 : 0) + luck.below(12)
      columns.amount[at] = Math.round(columns.vol[at] * price * 10) / 10_000
      columns.total_mv[at] = 10 + luck.next() * 90
      columns.call_status[at] = luck.below(6)
      columns.is_st_stk[at] = Number(luck.next() < 0.1)
      columns.rating[at] = luck.below(4)
      if (absent > 0) absent--
      else if (luck.next() < 0.04) absent = luck.below(10)
      else columns.conv_prem[at] = premium(luck)
    }
  }
  const list = Array.from({ length: securities }, (_, i) => ({
    ...security(`12300${i}.SZ`, luck, securitiesListed[i]),
    ...(i % 5 === 4 ? {} : { terms: randomTerms(chance(1_000 * seed + i)) }),
  }))
  withUnlistedPrices(Object.values(columns), { listed, stride, dates, securities: list }, chance(seed + 8_000_000))
  carryForward(columns.close, { listed, traded, stride }, 0, days)
  const suspension = Float64Array.from(listed, (isListed, at) => (isListed === 1 ? 1 - traded[at] : Number.NaN))
  return {
    kind: 'cb',
    dates,
    securities: list,
    stride,
    columns: new Map(Object.entries({ ...columns, suspension })),
    listed,
    traded,
    benchmarks: new Map([
      ['000300', Float64Array.from(dates, () => 3_000 + luck.below(900))],
      ['cb_ew', Float64Array.from(dates, () => (luck.next() < 0.1 ? Number.NaN : 1_000 + luck.next()))],
    ]),
    reports: randomReports(chance(seed + 7_000_000), dates, securities),
    dataMode: 'demo',
    dataVersion: `random ${seed}`,
  }
}

/** Statements before and within the panel's days: quarters left out, published late or together, restated, items not stated. */
function randomReports(luck: Chance, dates: readonly string[], securities: number): StatementHistory {
  const first = Date.parse(dates[0]) / 86_400_000
  const dayOf = (date: string) => Date.parse(date) / 86_400_000
  const dateOf = (day: number) => new Date(day * 86_400_000).toISOString().slice(0, 10)
  const periods = Array.from({ length: 14 }, (_, k) => `${2020 + ((k + 3) >> 2)}-${['03-31', '06-30', '09-30', '12-31'][(k + 3) % 4]}`)
  const statements = Array.from({ length: securities }, () => {
    const list: Statement[] = []
    for (const [k, period] of periods.entries()) {
      if (luck.next() < 0.08) continue
      // The last five come out while the panel is looked at.
      let day = k < 9 ? first - 900 + 90 * k : first + 12 * (k - 9) + luck.below(9)
      for (let version = 0; version === 0 || (version < 3 && luck.next() < 0.15); version++) {
        list.push({ period, published: dateOf(day), items: randomItems(luck, version) })
        day += luck.below(30)
      }
    }
    return luck.next() < 0.1 ? [] : list
  })
  return statementHistoryOf(statements, dayOf)
}

function randomItems(luck: Chance, version: number): Record<string, number> {
  const items = { revenue: 10 + luck.below(90), np_parent: luck.below(21) - 6, equity_parent: luck.next() < 0.1 ? -5 : 20 + luck.below(50) }
  const left = Object.entries(items).filter(() => luck.next() >= (version === 0 ? 0.03 : 0.4))
  return Object.fromEntries(left)
}

function premium(luck: Chance): number {
  return luck.next() < 0.1 ? 0 : luck.next() - 0.3
}

/** The same market from a later day on. */
export function laterPart(panel: Panel, from: number): Panel {
  const cut = from * panel.stride
  return {
    ...panel,
    dates: panel.dates.slice(from),
    columns: new Map([...panel.columns].map(([key, column]) => [key, column.slice(cut)])),
    listed: panel.listed.slice(cut),
    traded: panel.traded.slice(cut),
    benchmarks: new Map([...panel.benchmarks].map(([code, series]) => [code, series.slice(from)])),
  }
}
