import { tradingDays } from '../src/market/calendar.ts'

/** Rows of a made-up market file by column, made to be broken by tests. */
export type FileRow = Record<string, string | number | boolean | null>

/** A bond file with the columns of the preset `cb-panel`: 20 bonds, 70 days; bond 3 leaves early, bond 4 is listed on day 20. */
export function bondRows(): FileRow[] {
  const days = tradingDays('2022-09-01', '2022-12-31').slice(0, 70)
  return days.flatMap((date, t) =>
    Array.from({ length: 20 }, (_, i): FileRow => {
      const conv_price = 8 + i / 10
      const stock_price = round(7 + i / 4 + Math.sin(t / 3 + i) / 5, 2)
      const conv_value = (100 / conv_price) * stock_price
      const listed = !(i === 3 && t >= 50) && !(i === 4 && t < 20)
      const close = i === 4 && t < 20 ? 100 : round(conv_value * 1.2 + Math.cos(t / 2 + i) / 2, 3)
      return {
        trade_date: date,
        ts_code: `${123001 + i}.SZ`,
        bond_short_name: `测试转债${i + 1}`,
        stk_cd: `${300001 + i}.SZ`,
        open: round(close - 0.2, 3),
        close,
        stock_price,
        conv_price,
        conv_value: round(conv_value, 4),
        conv_prem_pct: round((close / conv_value - 1) * 100, 4),
        ytm_pct: -1.5,
        turnover_pct: t === 5 && i === 0 ? 0 : 3.2,
        amount_wan: 1_200,
        remain_yi: 4.5,
        left_years: round(4 - t / 242, 4),
        rating: i % 2 === 0 ? 'AA' : 'A+',
        is_listed: listed,
        is_traded: listed && !(t === 5 && i === 0),
      }
    }),
  )
}

/** A stock file with the columns of the preset `stk-tushare`: 20 stocks, 70 days, unadjusted; no row on a suspended day. */
export function stockRows(): FileRow[] {
  const days = tradingDays('2022-09-01', '2022-12-31').slice(0, 70)
  const rows: FileRow[] = []
  for (let i = 0; i < 20; i++) {
    let before = 10 + i
    days.forEach((trade_date, t) => {
      const close = round(before * (1 + 0.02 * Math.sin(t * 1.7 + i)), 2)
      if (!(i === 2 && t >= 30 && t < 35)) {
        const high = round(Math.max(before, close) * 1.01, 2)
        const low = round(Math.min(before, close) * 0.99, 2)
        const vol = 10_000 + i
        rows.push({
          ts_code: `${600001 + i}.SH`,
          trade_date,
          open: before,
          high,
          low,
          close,
          pre_close: before,
          vol,
          amount: round((vol * (high + low)) / 20, 3),
          adj_factor: 1.5,
        })
        before = close
      }
    })
  }
  return rows
}

/** The rows of a stock file as if a share had gone ex on a day: its prices from then on, the exchange's previous close, the factor. */
export function wentEx(
  rows: readonly FileRow[],
  code: string,
  date: string,
  { cash = 0, ratio = 0 }: { readonly cash?: number; readonly ratio?: number },
): FileRow[] {
  const price = (value: FileRow[string]) => round((Number(value) - cash) / (1 + ratio), 2)
  const first = rows.find((row) => row['ts_code'] === code && String(row['trade_date']) >= date)!
  const step = Number(first['pre_close']) / price(first['pre_close']!)
  return rows.map((row) => {
    if (row['ts_code'] !== code || String(row['trade_date']) < date) return row
    const prices = Object.fromEntries(['open', 'high', 'low', 'close', 'pre_close'].map((key) => [key, price(row[key]!)]))
    const amount = round((Number(row['vol']) * (prices['high']! + prices['low']!)) / 20, 3)
    return { ...row, ...prices, amount, adj_factor: Number(row['adj_factor']) * step }
  })
}

export function csv(rows: readonly FileRow[]): string {
  const columns = Object.keys(rows[0]!)
  return `${[columns.join(','), ...rows.map((row) => columns.map((column) => row[column] ?? '').join(','))].join('\n')}\n`
}

const round = (value: number, decimals: number): number => Number(value.toFixed(decimals))
