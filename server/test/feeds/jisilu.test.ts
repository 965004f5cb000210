import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { jisilu } from '../../src/feeds/jisilu.ts'
import { transport } from '../../src/feeds/source/transport.ts'
import { conforms } from './feed.conformance.ts'
import { groundAt, recorded, rowsOf, whyNoRecords } from './ground.ts'
import { type StandIn, standIn } from './stand-in.ts'

const cookie = 'kbzw__user_login=canary-cookie'
const signal = new AbortController().signal

const cell = {
  ...{ bond_id: '113050', bond_nm: '南银转债', price: 112.5, stock_id: '601009', stock_nm: '南京银行', sprice: 8.05, convert_price: 9.11 },
  ...{ convert_value: 88.36, premium_rt: 27.31, list_dt: '2021-07-01', btype: 'C', bond_value: 'buy', rating_cd: 'AAA', volume: 8_147.93 },
  ...{ curr_iss_amt: 166.16, orig_iss_amt: 200, turnover_rt: 0.44, ytm_rt: -0.44, year_left: 3.948, maturity_dt: '2027-06-15' },
  ...{ last_time: '14:59:46', qstatus: '00', redeem_icon: null, redeem_dt: null, real_force_redeem_price: null },
}
const rows = [
  cell,
  { ...cell, bond_id: '123075', redeem_icon: 'R', redeem_dt: '2024-07-24', real_force_redeem_price: '100.734', ytm_rt: null },
  { ...cell, bond_id: '110059', qstatus: '03', redeem_icon: 'G' },
  // Exchangeable.
  { ...cell, bond_id: '132018', btype: 'E' },
]
const answer = (cells: readonly object[], more: object = { isLogin: true, warn: null }) =>
  JSON.stringify({ page: 1, rows: cells.map((cell, i) => ({ id: String(i), cell })), total: cells.length, ...more })

conforms('jisilu', {
  make: (url, ask, deps) => jisilu({ url, cookie }, ask, deps),
  need: 'quotes',
  ask: { codes: ['113050.SH', '123075.SZ'] },
  answer: () => answer(rows),
  secret: 'canary-cookie',
})

describe('what it says', () => {
  let provider: StandIn
  let script: () => string | Buffer
  beforeAll(async () => {
    provider = await standIn(() => script())
  })
  afterAll(() => provider.close())
  const fresh = (given: typeof script, now?: string) => {
    script = given
    provider.asked.length = 0
    const deps = groundAt(now)
    return { deps, offers: jisilu({ url: provider.url, cookie }, transport(deps), deps).offers }
  }

  test('one list answers all needs of a minute; the next minute it is read again', async () => {
    const { deps, offers } = fresh(() => answer(rows))
    const quotes = await offers.quotes!({ codes: ['113050.SH', '110059.SH'] }, { signal })
    expect(rowsOf(quotes)).toEqual({
      '113050.SH': {
        ...{ close: 112.5, vol: null, amount: 8_147.93, turnover: 0.0044, conv_price: 9.11, conv_value: 88.36, conv_prem: 27.31 / 100 },
        ...{ close_stk: 8.05, ytm: -0.0044, remain_size: 166.16, left_years: 3.948, rating: 0 },
      },
    })
    const bonds = await offers['bond-list']!({}, { signal })
    expect(bonds.map(({ code }) => code)).toEqual(['113050.SH', '123075.SZ', '110059.SH'])
    expect(await offers.calls!({ from: '2024-06-01', to: '2024-06-30' }, { signal })).toEqual([
      {
        ...{
          code: '123075.SZ',
          announced: '2024-06-18',
          standing: true,
          status: 'called',
          callDate: null,
          price: 100.734,
          registerDate: null,
        },
        lastTradingDay: '2024-07-24',
      },
      {
        code: '110059.SH',
        announced: '2024-06-18',
        standing: true,
        status: 'will_not_call',
        callDate: null,
        price: Number.NaN,
        registerDate: null,
      },
    ])
    expect(await offers['remaining-sizes']!({ codes: ['113050.SH'] }, { signal })).toEqual([
      { code: '113050.SH', announced: '2024-06-18', asOf: '2024-06-18', size: 166.16 },
    ])
    // It knows nothing of other days, and does not say that nothing was announced on them.
    await expect(offers.calls!({ from: '2024-05-01', to: '2024-05-31' }, { signal })).rejects.toMatchObject({ kind: 'refused' })
    expect(provider.asked).toHaveLength(1)
    expect(provider.asked[0]).toMatchObject({ method: 'POST', headers: { cookie } })
    await deps.sleep(60_000, signal)
    await offers['bond-list']!({}, { signal })
    expect(provider.asked).toHaveLength(2)
  })

  test('in the night its times are those of the last trading day', async () => {
    const { offers } = fresh(() => answer(rows), '2024-06-17T08:00:00+08:00')
    expect(await offers.quotes!({ codes: ['113050.SH'] }, { signal })).toMatchObject({ date: '2024-06-14' })
  })

  test('in the morning what has not traded yet has the time of the session before', async () => {
    const traded = { ...cell, bond_id: '123075', last_time: '09:25:03' }
    const at = async (time: string, ...cells: object[]) =>
      fresh(() => answer(cells), `${time}+08:00`).offers.quotes!({ codes: ['113050.SH', '123075.SZ'] }, { signal })
    // A Monday.
    expect(await at('2024-06-17T09:16:00', cell)).toMatchObject({ date: '2024-06-14', codes: ['113050.SH'] })
    expect(await at('2024-06-17T09:26:00', cell, traded)).toMatchObject({
      date: '2024-06-17',
      codes: ['123075.SZ'],
      suspended: ['113050.SH'],
    })
    expect(await at('2024-06-17T14:59:30', cell)).toMatchObject({ date: '2024-06-17', codes: ['113050.SH'] })
  })

  test('the thirty bonds of a guest are no market', async () => {
    const { offers } = fresh(() => answer(rows, { isLogin: false, warn: '游客仅显示前 30 条转债，请登录查看完整列表数据' }))
    const asked = offers['bond-list']!({}, { signal })
    await expect(asked).rejects.toMatchObject({ kind: 'credentials', message: '集思录只给未登录者前 30 只，请更新 JISILU_COOKIE' })
    expect(provider.asked).toHaveLength(1)
    const thirty = Array.from({ length: 30 }, (_, i) => ({ ...cell, bond_id: String(113_001 + i) }))
    const silent = fresh(() => answer(thirty, {}))
    await expect(silent.offers.quotes!({ codes: ['113001.SH'] }, { signal })).rejects.toMatchObject({ kind: 'credentials' })
  })

  test('a list that is shorter than it says answers no need', async () => {
    const { offers } = fresh(() => answer(rows, { isLogin: true, total: 504 }))
    const june = { from: '2024-06-01', to: '2024-06-30' }
    await expect(offers.calls!(june, { signal })).rejects.toMatchObject({ kind: 'shape', message: '集思录的列表共 504 行，只给出 4 行' })
  })

  test('a mark that nobody knows is refused', async () => {
    const { offers } = fresh(() => answer([{ ...cell, redeem_icon: 'X' }]))
    await expect(offers.calls!({ from: '2024-06-01', to: '2024-06-30' }, { signal })).rejects.toMatchObject({ kind: 'shape' })
  })

  const records = { skip: recorded('jisilu_cb_list_new.json') === null }
  describe(`recorded answers${records.skip ? ` (skipped: ${whyNoRecords})` : ''}`, records, () => {
    test('five bonds of 2023-07-05, and a guest', async () => {
      // The recording has five of the rows.
      const whole = JSON.stringify({ ...JSON.parse(String(recorded('jisilu_cb_list_new.json'))), total: 5 })
      const { offers } = fresh(() => whole, '2023-07-05T16:00:00+08:00')
      const quotes = await offers.quotes!({ codes: ['113050.SH', '128062.SZ', '118025.SH', '110059.SH', '123075.SZ'] }, { signal })
      expect(quotes).toMatchObject({ date: '2023-07-05', codes: ['110059.SH', '113050.SH', '118025.SH', '123075.SZ', '128062.SZ'] })
      for (const row of Object.values(rowsOf(quotes))) expect(row['close']! / row['conv_value']! - 1).toBeCloseTo(row['conv_prem']!, 3)
      expect(await offers.calls!({ from: '2023-07-05', to: '2023-07-05' }, { signal })).toMatchObject([
        { code: '123075.SZ', price: 100.734 },
      ])
      const guest = fresh(() => recorded('jisilu_cb_list_new_guest.json')!)
      await expect(guest.offers['bond-list']!({}, { signal })).rejects.toMatchObject({ kind: 'credentials' })
    })
  })
})
