import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { baostock } from '../../src/feeds/baostock/baostock.ts'
import { FeedError, type RawAnswer } from '../../src/feeds/feed.ts'
import { baostockDoor, type BaostockQuestion as Question, type BaostockReply as Reply } from './baostock-door.ts'
import { groundAt, recorded, rowsOf, whyNoRecords } from './ground.ts'

const signal = new AbortController().signal
const fields = [
  ...['date', 'code', 'open', 'high', 'low', 'close', 'preclose', 'volume', 'amount', 'adjustflag', 'turn'],
  ...['tradestatus', 'pctChg', 'peTTM', 'pbMRQ', 'psTTM', 'isST'],
]
const bar = (date: string, code: string, more: Readonly<Record<string, string>> = {}) => {
  const row: Record<string, string> = {
    ...{ date, code, open: '10.1100', high: '10.1600', low: '10.0400', close: '10.0800', preclose: '10.1000', volume: '70065308' },
    ...{ amount: '707829470.0000', adjustflag: '3', turn: '0.361100', tradestatus: '1', pctChg: '-0.198', peTTM: '4.2', pbMRQ: '0.48' },
    ...{ psTTM: '1.2', isST: '0' },
    ...more,
  }
  return fields.map((field) => row[field] ?? '')
}
const still = { open: '10.0800', high: '10.0800', low: '10.0800', volume: '', amount: '', turn: '', tradestatus: '0', peTTM: '' }
const records = (rows: readonly (readonly string[])[]) => JSON.stringify({ record: rows })
const loggedIn: Reply = { type: '01', parts: ['0', 'success', 'login', 'anonymous'] }

const good = ({ type, parts }: Question): Reply => {
  if (type === '00') return loggedIn
  if (type === '98') {
    const date = parts[2]!
    const rows = [
      bar(date, 'sz.000001'),
      bar(date, 'sh.600001', { ...still, isST: '1' }),
      bar(date, 'sh.600519', { isST: '1' }),
      // An index, which is no stock.
      bar(date, 'sh.000001'),
    ]
    return { type: '99', parts: ['0', 'success', 'query_daily_history_k_AStock', 'anonymous', records(rows), fields.join(', ')] }
  }
  if (type === '95') {
    const [method = '', user = '', page = '', size = '', code = '', asked = '', from = ''] = parts
    const columns = asked.split(',')
    const row = bar(from, code)
    const cut = columns.map((column) => row[fields.indexOf(column)] ?? '')
    return { type: '96', parts: ['0', 'success', method, user, page, size, records([cut]), code, asked, from, from, 'd', '3'] }
  }
  if (type === '15') {
    const [method = '', user = '', page = '', size = '', code = '', from = '', to = ''] = parts
    const events = code === 'sz.000001' ? [[code, '2024-06-14', '1.0', '125.0496', '125.0496']] : []
    const names = 'code,dividOperateDate,foreAdjustFactor,backAdjustFactor,adjustFactor'
    return { type: '16', parts: ['0', 'success', method, user, page, size, records(events), code, from, to, names] }
  }
  if (type === '33') {
    const [method = '', user = '', page = '', size = '', from = '', to = ''] = parts
    const days = records([
      ['2024-06-15', '0'],
      ['2024-06-14', '1'],
    ])
    return { type: '34', parts: ['0', 'success', method, user, page, size, days, from, to, 'calendar_date,is_trading_day'] }
  }
  const [method = '', user = '', page = '', size = ''] = parts
  const list = records([
    ['sz.000001', '平安银行', '1991-04-03', '', '1', '1'],
    ['sh.600001', '邯郸钢铁', '1998-01-22', '2009-12-29', '1', '0'],
    ['sh.000300', '沪深300指数', '2005-04-08', '', '2', '1'],
  ])
  return { type: '46', parts: ['0', 'success', method, user, page, size, list, '', '', 'code,code_name,ipoDate,outDate,type,status'] }
}

describe('baostock is a source', () => {
  let server: Awaited<ReturnType<typeof baostockDoor>>
  let script: (question: Question, nth: number) => Reply
  beforeAll(async () => {
    server = await baostockDoor((question) => script(question, server.asked.length))
  })
  afterAll(() => server.close())
  const fresh = (given: typeof script = good, timeoutMs = 20_000) => {
    script = given
    server.drop()
    server.asked.length = 0
    const deps = groundAt()
    return { deps, offers: baostock({ host: '127.0.0.1', port: server.port, timeoutMs }, deps).offers }
  }

  test('a day of all stocks in one question: suspended ones are named, notes say what it has not', async () => {
    const { offers } = fresh()
    const kept: RawAnswer[] = []
    const day = await offers['stock-day']!({ date: '2024-06-18' }, { signal, keep: (raw) => kept.push(raw) })
    expect(day).toMatchObject({
      ...{ date: '2024-06-18', codes: ['000001.SZ', '600519.SH'], suspended: ['600001.SH'] },
      notes: ['BaoStock的日线没有复权因子与市值'],
    })
    expect(rowsOf(day)['000001.SZ']).toEqual({
      ...{
        open: 10.11,
        high: 10.16,
        low: 10.04,
        close: 10.08,
        pre_close: 10.1,
        vol: 70_065_308,
        amount: 70_782.947,
        turnover: 0.3611 / 100,
      },
      ...{ pe_ttm: 4.2, pb: 0.48, ps_ttm: 1.2, is_st: 0 },
    })
    expect(rowsOf(day)['600519.SH']).toMatchObject({ is_st: 1 })
    expect(kept.map(({ what }) => what)).toEqual(['baostock day 2024-06-18'])
    expect(server.asked.map(({ type }) => type)).toEqual(['00', '98'])
    expect(server.wrong).toEqual([])
  })

  test('some stocks, indices, the calendar and the list, on one login, side by side', async () => {
    const { offers } = fresh()
    const [some, index, days, list] = await Promise.all([
      offers['stock-day']!({ date: '2024-06-18', codes: ['600519.SH'] }, { signal }),
      // Of Beijing it has nothing.
      offers['index-day']!({ date: '2024-06-18', codes: ['000300', '399006', '899050'] }, { signal }),
      offers.calendar!({ from: '2024-06-14', to: '2024-06-15' }, { signal }),
      offers['stock-list']!({}, { signal }),
    ])
    expect(some.codes).toEqual(['600519.SH'])
    expect(rowsOf(index)).toEqual({
      '000300': { open: 10.11, high: 10.16, low: 10.04, close: 10.08 },
      '399006': { open: 10.11, high: 10.16, low: 10.04, close: 10.08 },
    })
    expect(days).toEqual([
      { date: '2024-06-14', open: true },
      { date: '2024-06-15', open: false },
    ])
    expect(list).toEqual([
      { code: '000001.SZ', name: '平安银行', industry: null, listed: '1991-04-03', delisted: null },
      { code: '600001.SH', name: '邯郸钢铁', industry: null, listed: '1998-01-22', delisted: '2009-12-29' },
    ])
    expect(server.asked.filter(({ type }) => type === '00')).toHaveLength(1)
    // Stocks come by the table of their day, however few are asked for.
    const whats = server.asked.map(({ type, parts }) => (type === '95' ? parts[4] : type))
    expect(whats.sort()).toEqual(['00', '33', '45', '98', 'sh.000300', 'sz.399006'])
    expect(server.wrong).toEqual([])
  })

  test('one status or date that cannot be read costs its own row', async () => {
    const { offers } = fresh((question) => {
      const reply = good(question) as Exclude<Reply, string>
      const unreadable = (part: string) =>
        part.startsWith('{"record":[["2024')
          ? records([bar('2024-06-18', 'sz.000001'), bar('2024-06-18', 'sh.600519', { tradestatus: '交易' })])
          : part.replace('1998-01-22', 'unknown')
      return { ...reply, parts: reply.parts.map(unreadable) }
    })
    expect(await offers['stock-day']!({ date: '2024-06-18' }, { signal })).toMatchObject({
      ...{ codes: ['000001.SZ'], suspended: [], unread: ['600519.SH'] },
    })
    expect((await offers['stock-list']!({}, { signal })).map(({ code }) => code)).toEqual(['000001.SZ'])
  })

  test('pages are as long as the answer says', async () => {
    const names = ['sz.000001', 'sz.000002', 'sz.000004'].map((code) => [code, '甲', '1991-04-03', '', '1', '1'])
    const { offers } = fresh((question) => {
      if (question.type !== '45') return good(question)
      const [method = '', user = '', page = ''] = question.parts
      const some = records(names.slice((Number(page) - 1) * 2, Number(page) * 2))
      return { type: '46', parts: ['0', 'success', method, user, page, '2', some, '', '', 'code,code_name,ipoDate,outDate,type,status'] }
    })
    expect(await offers['stock-list']!({}, { signal })).toHaveLength(3)
    expect(server.asked.filter(({ type }) => type === '45')).toHaveLength(2)
  })

  test('who of some stocks has an ex-day: one question each', async () => {
    const { offers } = fresh()
    // It knows nothing of Beijing.
    const codes = ['000001.SZ', '600519.SH', '920107.BJ']
    expect(await offers['ex-days']!({ date: '2024-06-14', codes }, { signal })).toEqual([
      { code: '000001.SZ', date: '2024-06-14' },
      { code: '600519.SH', date: null },
    ])
    const none = await offers['ex-days']!({ date: '2024-06-13', codes }, { signal })
    expect(none.map(({ date }) => date)).toEqual([null, null])
    expect(server.asked.filter(({ type }) => type === '15').map(({ parts }) => parts)).toEqual(
      ['2024-06-14', '2024-06-13'].flatMap((date) =>
        ['sz.000001', 'sh.600519'].map((code) => ['query_adjust_factor', 'anonymous', '1', '2000', code, date, date]),
      ),
    )
  })

  test('a session that was dropped is opened again', async () => {
    let dropped = false
    const { offers } = fresh((question) => {
      if (question.type !== '98' || dropped) return good(question)
      dropped = true
      return { type: '04', parts: ['10001001', '用户未登录'] }
    })
    expect((await offers['stock-day']!({ date: '2024-06-18' }, { signal })).codes).toHaveLength(2)
    expect(server.asked.map(({ type }) => type)).toEqual(['00', '98', '00', '98'])
  })

  test('a line that broke while nobody asked is opened again at once', async () => {
    const { deps, offers } = fresh()
    await offers['stock-day']!({ date: '2024-06-18' }, { signal })
    server.drop()
    await vi.waitFor(() => expect(server.lines()).toBe(0), { timeout: 60_000 })
    expect((await offers['stock-day']!({ date: '2024-06-18' }, { signal })).codes).toHaveLength(2)
    expect(deps.waits).toEqual([500])
  })

  test('one login serves a round, whatever is answered; a connection that breaks again and again has no fifth until the next round', async () => {
    const { deps, offers } = fresh((question) => (question.type === '00' ? loggedIn : { type: '99', parts: ['10004006', '参数错误'] }))
    const ask = () => offers['stock-day']!({ date: '2024-06-18' }, { signal })
    await expect(ask()).rejects.toMatchObject({ kind: 'shape' })
    expect(server.asked.map(({ type }) => type)).toEqual(['00', '98', '98', '98', '98'])
    script = (question) => (question.type === '00' ? loggedIn : 'hang up')
    await expect(ask()).rejects.toMatchObject({ kind: 'network' })
    const logins = () => server.asked.filter(({ type }) => type === '00').length
    expect(logins()).toBe(4)
    script = good
    await expect(ask()).rejects.toMatchObject({ kind: 'wait', message: 'BaoStock本轮的 4 次登录已用完，下一轮再问' })
    deps.turnTo('2024-06-18T18:00:00+08:00')
    expect((await ask()).codes).toHaveLength(2)
    expect(logins()).toBe(5)
  })

  test('a login that is refused leaves no line open', async () => {
    const { offers } = fresh(() => ({ type: '01', parts: ['10001005', 'x'] }))
    await vi.waitFor(() => expect(server.lines()).toBe(0), { timeout: 60_000 })
    for (let again = 0; again < 3; again++)
      await expect(offers['stock-day']!({ date: '2024-06-18' }, { signal })).rejects.toMatchObject({ kind: 'wait' })
    await vi.waitFor(() => expect(server.lines()).toBe(0), { timeout: 60_000 })
  })

  test.each<[string, (question: Question) => Reply, string]>([
    ['silence', ({ type }) => (type === '00' ? loggedIn : 'silence'), 'network'],
    ['a broken connection', () => 'hang up', 'network'],
    ['half an answer', () => 'cut', 'network'],
    ['a page', () => 'noise', 'shape'],
    ['an error of its network', () => ({ type: '04', parts: ['10002007', '网络接收错误'] }), 'network'],
    ['too many logins', () => ({ type: '01', parts: ['10001005', 'x'] }), 'wait'],
    ['a black list', () => ({ type: '01', parts: ['10001011', 'x'] }), 'blocked'],
    ['an old client', () => ({ type: '01', parts: ['10001004', 'x'] }), 'credentials'],
    [
      'an error of parameters',
      (question) => (question.type === '00' ? loggedIn : { type: '99', parts: ['10004006', '参数错误'] }),
      'shape',
    ],
    [
      'data that are none',
      (question) => (question.type === '00' ? loggedIn : { type: '99', parts: ['0', '', '', '', '{', 'date'] }),
      'shape',
    ],
    [
      'a row that is short',
      (question) => (question.type === '00' ? loggedIn : { type: '99', parts: ['0', '', '', '', '{"record":[["a"]]}', 'date,code'] }),
      'shape',
    ],
  ])('%s is told as one of its kind', async (name, script, kind) => {
    const { deps, offers } = fresh(script, name === 'silence' ? 300 : undefined)
    const error = await offers['stock-day']!({ date: '2024-06-18' }, { signal }).catch((error: unknown) => error)
    expect(error).toBeInstanceOf(FeedError)
    expect(error).toMatchObject({ kind })
    expect(deps.waits).toHaveLength(kind === 'network' || kind === 'shape' ? 3 : 0)
  })

  test('a day that is not there yet is empty', async () => {
    const { offers } = fresh((question) =>
      question.type === '00' ? loggedIn : { type: '99', parts: ['0', 'success', '', '', '', fields.join(',')] },
    )
    expect(await offers['stock-day']!({ date: '2024-06-18' }, { signal })).toMatchObject({ codes: [] })
  })

  test('who asked may stop waiting', async () => {
    const { offers } = fresh(({ type }) => (type === '00' ? loggedIn : 'silence'))
    const stop = new AbortController()
    const asked = offers['stock-day']!({ date: '2024-06-18' }, { signal: stop.signal })
    await expect.poll(() => server.asked.length).toBe(2)
    stop.abort(new Error('enough'))
    await expect(asked).rejects.toThrow('enough')
  })

  const shared = recorded('baostock_history_k.json')
  test.skipIf(shared === null)(
    `recorded bars${shared === null ? ` (skipped: ${whyNoRecords})` : ''}: shares and yuan; a suspended day has no row`,
    async () => {
      const { fields: columns, data } = JSON.parse(shared!.toString('utf8')) as { fields: string[]; data: { record: string[][] } }
      const { offers } = fresh(({ type, parts }) => {
        if (type === '00') return loggedIn
        const rows = data.record.filter((row) => row[0] === parts[2])
        expect(type).toBe('98')
        return { type: '99', parts: ['0', 'success', '', '', records(rows), columns.join(',')] }
      })
      const day = await offers['stock-day']!({ date: '2020-01-02', codes: ['600519.SH'] }, { signal })
      expect(rowsOf(day)['600519.SH']).toMatchObject({
        ...{ close: 1130, pre_close: 1183, vol: 14_809_916, amount: 1_669_683.7095, turnover: 0.011789, pe_ttm: 34.685547 },
      })
      const none = await offers['stock-day']!({ date: '2021-03-31', codes: ['000063.SZ'] }, { signal })
      expect(none).toMatchObject({ codes: [], suspended: ['000063.SZ'] })
    },
  )
})
