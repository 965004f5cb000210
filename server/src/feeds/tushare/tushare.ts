import { feedLabels } from '../../config/feeds.ts'
import type { FeedErrorKind } from '../../db/tables/answers.ts'
import { type Asking, type Feed, FeedError } from '../feed.ts'
import type { DayTable } from '../rows.ts'
import { compactDate, textCell } from '../source/cell.ts'
import { isBond, isStock, tushareIndex } from '../source/codes.ts'
import { beside, dayTable, only, plain, type Readings, readings, tradedOnly } from '../source/columns.ts'
import type { Transport } from '../source/transport.ts'
import { withVolumes } from '../source/volume.ts'
import { type TushareRow, type TushareSettings, tushareApi } from './api.ts'
import { tushareExDays } from './ex-days.ts'
import { tushareLists } from './lists.ts'

const prices = { open: 'open', high: 'high', low: 'low', close: 'close', pre_close: 'pre_close' }

const daily = readings('stk', { ...prices, vol: { column: 'vol', unit: '手' }, amount: { column: 'amount', unit: '千元' } })
const factor = readings('stk', { adj_factor: 'adj_factor' })
const basic = readings('stk', {
  turnover: { column: 'turnover_rate', unit: '%' },
  turnover_free: { column: 'turnover_rate_f', unit: '%' },
  pe: 'pe',
  pe_ttm: 'pe_ttm',
  pb: 'pb',
  ps_ttm: 'ps_ttm',
  dv_ratio: { column: 'dv_ratio', unit: '%' },
  dv_ttm: { column: 'dv_ttm', unit: '%' },
  total_share: { column: 'total_share', unit: '万股' },
  float_share: { column: 'float_share', unit: '万股' },
  free_share: { column: 'free_share', unit: '万股' },
  total_mv: { column: 'total_mv', unit: '万元' },
  circ_mv: { column: 'circ_mv', unit: '万元' },
})
const bondDaily = readings('cb', {
  ...prices,
  vol: { column: 'vol', unit: '手' },
  amount: { column: 'amount', unit: '万元' },
  pure_value: 'bond_value',
  conv_value: 'cb_value',
  conv_prem: { column: 'cb_over_rate', unit: '%' },
})
const indexDaily = readings('index', { close: 'close', open: 'open', high: 'high', low: 'low' })
const limits = [plain('up_limit', 'up_limit', '元'), plain('down_limit', 'down_limit', '元')]
/** What it writes where a new share has no limit. */
const noLimit = 10_000

/** Tushare Pro (paid by points). Its days are unadjusted; a suspended stock has no row. */
export function tushare(settings: TushareSettings, ask: Transport, now?: () => number): Feed {
  const call = tushareApi(settings, ask, now)

  const dayOf = async (api: string, table: Readings, date: string, codes: readonly string[] | undefined, asking: Asking) => {
    const few = codes && codes.length <= 100 ? { ts_code: codes.join(',') } : {}
    const params = { trade_date: compactDate(date), ...few }
    return await call(api, params, ['ts_code', 'trade_date', ...table.map(({ column }) => column)], asking)
  }
  const tableOf = (api: string, table: Readings, date: string, rows: readonly TushareRow[], keep: (code: string) => boolean) => {
    const other = rows.find((row) => row('trade_date') !== compactDate(date))
    if (other) throw new FeedError('shape', `Tushare 的 ${api} 应答了 ${String(other('trade_date')).slice(0, 10)}，问的是 ${date}`)
    const ours = rows.map((row) => ({ code: String(row('ts_code')), cell: row })).filter(({ code }) => keep(code))
    return dayTable('Tushare', date, ours, table)
  }

  return {
    name: 'tushare',
    label: feedLabels.tushare,
    givesOfDay: ['factors', 'valuations'],
    offers: {
      ...tushareLists(call),
      'ex-days': tushareExDays(call),

      'stock-day': async ({ date, codes }, asking) => {
        const keep = wanted(codes, isStock)
        const table = async (api: string, columns: Readings) =>
          tableOf(api, columns, date, await dayOf(api, columns, date, codes, asking), keep)
        const bars = await table('daily', daily)
        if (bars.codes.length === 0) return bars
        const parts: DayTable[] = []
        const notes: string[] = []
        /** Parts that do not come leave the bars as they are: they are asked for again. */
        const noteError = (error: unknown): null => {
          if (!(error instanceof FeedError) || isOfWhole.has(error.kind) || asking.signal.aborted) throw error
          notes.push(error.message)
          return null
        }
        for (const [api, columns, what] of [
          ['adj_factor', factor, '复权因子'],
          ['daily_basic', basic, '换手率、估值与股本'],
        ] as const) {
          const part = await table(api, columns).catch(noteError)
          if (part === null) notes.push(`缺少${what}`)
          else if (part.codes.length === 0) notes.push(`${api} 还没有这一天的数据，缺少${what}`)
          else parts.push(part)
        }
        const rows = await call('suspend_d', { trade_date: compactDate(date), suspend_type: 'S' }, suspendFields, asking).catch(noteError)
        const joined = beside(bars, ...parts)
        const said = notes.length > 0 ? { notes } : {}
        return rows === null ? { ...joined, ...said } : { ...tradedOnly(joined, suspendedIn(rows, keep)), ...said }
      },

      'bond-day': async ({ date, codes }, asking) => {
        // Asked by codes it has rounded prices to the cent; the whole day is one call as well.
        const rows = await dayOf('cb_daily', bondDaily, date, undefined, asking)
        // It has rows of bonds that did not trade, with a premium that moves and no price.
        return tradedOnly(withVolumes(tableOf('cb_daily', bondDaily, date, rows, wanted(codes, isBond))))
      },

      'index-day': async ({ date, codes }, asking) => {
        const rows: { code: string; cell: TushareRow }[] = []
        for (const number of codes) {
          const params = { ts_code: tushareIndex(number), trade_date: compactDate(date) }
          const fields = ['ts_code', 'trade_date', ...indexDaily.map(({ column }) => column)]
          const found = await call('index_daily', params, fields, asking)
          for (const cell of found) if (cell('trade_date') === compactDate(date)) rows.push({ code: number, cell })
        }
        return dayTable('Tushare', date, rows, indexDaily)
      },

      'stock-limits': async ({ date }, asking) => {
        const rows = await dayOf('stk_limit', limits, date, undefined, asking)
        const table = tableOf('stk_limit', limits, date, rows, isStock)
        return only(table, (_, i) => table.columns.get('up_limit')![i]! < noLimit)
      },
    },
  }
}

const suspendFields = ['ts_code', 'suspend_timing', 'suspend_type']

/** Out all day: a pause of an hour has a timing, and its stock a bar. */
function suspendedIn(rows: readonly TushareRow[], keep: (code: string) => boolean): string[] {
  const out = rows.filter((row) => textCell(row('suspend_timing')) === null && textCell(row('suspend_type')) === 'S')
  return out.map((row) => String(row('ts_code'))).filter(keep)
}

function wanted(codes: readonly string[] | undefined, kind: (code: string) => boolean): (code: string) => boolean {
  if (!codes) return kind
  const codeSet = new Set(codes)
  return (code) => codeSet.has(code) && kind(code)
}

/** Faults of the account or the address: nothing else would be answered either. */
const isOfWhole: ReadonlySet<FeedErrorKind> = new Set(['credentials', 'blocked', 'banned'])
