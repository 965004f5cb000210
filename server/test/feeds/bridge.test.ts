import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { BridgePush } from '@convexa/contract'
import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { buildApp } from '../../src/app.ts'
import type { AppContext } from '../../src/context/app-context.ts'
import { pushedIn, storePush } from '../../src/feeds/xtdata/pushed-store.ts'
import { xtdata } from '../../src/feeds/xtdata/xtdata.ts'
import { type TestDatabase, testDatabase } from '../fixtures/database.ts'
import { hasPython, python } from '../fixtures/python.ts'
import { testWorld } from '../fixtures/world.ts'
import { groundAt, rowsOf } from './ground.ts'

const signal = new AbortController().signal
const key = 'only-for-tests-'.repeat(3)
const bridge = fileURLToPath(new URL('../../../qmt-bridge/bridge.py', import.meta.url))

let database: TestDatabase
let app: FastifyInstance
let context: AppContext
let off: FastifyInstance
let folder: string
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'bridge-'))
  database = await testDatabase()
  const { config } = testWorld(database).context
  const feeds = { ...config.feeds, on: ['xtdata'] as const, xtdata: { key } }
  context = testWorld(database, { config: { dataDir: folder, feeds } }).context
  app = await buildApp(context)
  off = await buildApp(testWorld(database, { config: { dataDir: folder, feeds: { ...feeds, on: [] } } }).context)
  await app.listen({ port: 0, host: '127.0.0.1' })
})
afterAll(async () => {
  await Promise.all([app.close(), off.close()])
  await database.drop()
  rmSync(folder, { recursive: true })
})

const time = Date.parse('2026-11-20T16:00:00+08:00')
const push: BridgePush = { kind: 'ticks', rows: { '113050.SH': { time, lastPrice: 112.5, amount: 81_479_300, volume: 72_426 } } }
const send = async (to: FastifyInstance, given: string | undefined, payload: object | string = push) => {
  const headers = { 'content-type': 'application/json', ...(given !== undefined && { 'x-api-key': given }) }
  const answer = await to.inject({ method: 'POST', url: '/v1/feed-bridge/xtdata', headers, payload })
  return { status: answer.statusCode, ...(answer.json() as { code: number; data: unknown }) }
}

test('what is pushed with the key is what the source tells', async () => {
  expect(await send(app, key)).toMatchObject({ status: 200, code: 0, data: { kept: 1 } })
  const quotes = await xtdata(pushedIn(database.db), groundAt('2026-11-20T16:00:03+08:00')).offers.quotes!(
    { codes: ['113050.SH'] },
    { signal },
  )
  expect(rowsOf(quotes)).toMatchObject({ '113050.SH': { close: 112.5, vol: 72_426, amount: 8_147.93 } })
})

describe('a push is refused', () => {
  test.each([
    ['without a key', () => send(app, undefined), 400, 24008],
    ['with another key', () => send(app, `${key}x`), 400, 24008],
    ['with the key of a user', () => send(app, `qmt_${'a'.repeat(43)}`), 400, 24008],
    ['while the source is off', () => send(off, key), 400, 24008],
    ['that is no JSON', () => send(app, key, '{'), 400, 40001],
    ['of another kind', () => send(app, key, { kind: 'orders', rows: {} }), 400, 40000],
    ['with a code that is none', () => send(app, key, { ...push, rows: { '../../etc': { time } } }), 400, 40000],
    ['of a date that is a path', () => send(app, key, { kind: 'bars', date: '../../x', rows: {} }), 400, 40000],
    ['with a word for a price', () => send(app, key, { ...push, rows: { '113050.SH': { time, lastPrice: 'x' } } }), 400, 40000],
  ])('%s', async (_, sent, status, code) => {
    expect(await sent()).toMatchObject({ status, code, data: null })
  })
})

/** The terminal's package as the bridge meets it, with a number that is none. */
const terminal = `
class Frame:
    def __init__(self, rows): self.rows = rows
    def to_dict(self, how): return self.rows
def get_stock_list_in_sector(sector):
    if '京' in sector: return ['830799.BJ']
    return ['113%03d.SH' % i for i in range(100)] if '债' in sector else ['000001.SZ', '600000.SH'] + ['300%03d.SZ' % i for i in range(1000)]
def get_full_tick(codes):
    tick = {'time': ${time}, 'lastPrice': 10.08, 'open': 10.11, 'high': float('nan'), 'low': 10.04, 'lastClose': 10.1,
            'amount': 707829470.0, 'volume': 700653, 'askPrice': [1, 2]}
    return {code: tick for code in codes if code[:3] not in ('300', '113')}
def download_history_data(*given): pass
def download_cb_data(): pass
def get_cb_info(code):
    said = {'113050.SH': (20261208, 100.67), '113051.SH': (20261119, 100.5), '113052.SH': (0, 0.0)}.get(code)
    return said and {'bondCode': code, 'forceRedeemTradeDate': said[0], 'forceRedeemConvDate': 20261211, 'forceRedeemPrice': said[1]}
def get_market_data_ex(fields, codes, **how):
    assert how['fill_data'] is False and how['dividend_type'] == 'none' and how['period'] == '1d'
    bar = {'open': 10.11, 'high': 10.16, 'low': 10.04, 'close': 10.08, 'preClose': 10.1, 'amount': 707829470.0, 'volume': 700653, 'suspendFlag': 0}
    return {code: Frame([bar] if code == '000001.SZ' else []) for code in codes}
`

/** A terminal that is away at the second look of a day and at the first of the next, which knows one security more. */
const restarted = `
import datetime, sys
sys.path.insert(0, ${JSON.stringify(join(bridge, '..'))})
import bridge
times = [datetime.datetime(2026, 11, 20, 14, 0), datetime.datetime(2026, 11, 20, 14, 1), datetime.datetime(2026, 11, 23, 0, 0),
         datetime.datetime(2026, 11, 23, 0, 1), datetime.datetime(2026, 11, 23, 9, 30)]
looks = []
class Terminal:
    def get_stock_list_in_sector(self, sector):
        if moment == times[2]: raise Exception('terminal away')
        if '债' in sector: return ['113%03d.SH' % i for i in range(100)]
        return ['300%03d.SZ' % i for i in range(1000)] + (['000001.SZ'] if moment > times[2] else [])
    def get_full_tick(self, codes):
        if moment == times[1]: raise Exception('terminal away')
        return {code: {'time': 1, 'lastPrice': 1.0} for code in codes if code in ('113050.SH', '000001.SZ')}
moment = times[0]
def sleep(_seconds):
    global moment
    if moment == times[-1]: raise KeyboardInterrupt()
    moment = times[times.index(moment) + 1]
bridge.push = lambda _site, _key, body: len(body['rows'])
try:
    bridge.run(Terminal(), '', '', now=lambda: moment, sleep=sleep)
except KeyboardInterrupt:
    pass
`

/** A terminal that is not up yet, then up without its lists, then with them; on the next day with a part of them. Output cannot be written. */
const early = `
import datetime, sys
sys.path.insert(0, ${JSON.stringify(join(bridge, '..'))})
import bridge
asked, said, pushed = [], [], []
class Console:
    def write(self, text): raise UnicodeEncodeError('ascii', text, 0, 1, 'no Chinese')
    def flush(self): pass
class Terminal:
    downloaded = False
    def download_sector_data(self): self.downloaded = len(asked) > 6
    def get_stock_list_in_sector(self, sector):
        asked.append(sector)
        if len(asked) == 1: raise Exception('not up')
        if not self.downloaded: return []
        part = moment.day > 20
        if '京' in sector: return ['830799.BJ']
        return ['113%03d.SH' % i for i in range(400)] if '债' in sector else ['300%03d.SZ' % i for i in range(1000 if part else 5000)]
    def get_full_tick(self, codes): return {code: {'time': 1, 'lastPrice': 1.0} for code in codes}
moment = datetime.datetime(2026, 11, 20, 9, 20)
def sleep(_seconds):
    global moment
    moment += datetime.timedelta(seconds=30)
    if moment.minute > 25: moment = datetime.datetime(2026, 11, 23, 9, 20)
    if moment.day == 23 and moment.minute > 22: raise KeyboardInterrupt()
bridge.push = lambda _site, _key, body: pushed.append(len(body['rows']))
out, sys.stdout = sys.stdout, Console()
try:
    bridge.run(Terminal(), '', '', now=lambda: moment, sleep=sleep)
except KeyboardInterrupt:
    sys.stdout = out
print(sorted(set(pushed)), len(pushed) > 5)
`

/**
 * A terminal whose history is late: at first no ticks to tell a holiday by, then no bar, then one of two that traded, then the other, while
 * the network is away; the next day is a holiday. Prints what was pushed when, and of how many codes bars were asked.
 */
const late = `
import datetime, sys
sys.path.insert(0, ${JSON.stringify(join(bridge, '..'))})
import bridge
begin = moment = datetime.datetime(2026, 11, 20, 15, 5)
pushed, asked, tries = [], [], []
made = ${Date.parse('2026-11-20T15:00:00+08:00')}
class Frame:
    def to_dict(self, how): return [{'close': 1.0}]
class Terminal:
    def get_stock_list_in_sector(self, sector):
        return ['113%03d.SH' % i for i in range(100)] if '债' in sector else ['300%03d.SZ' % i for i in range(1000)]
    def get_full_tick(self, codes):
        if moment == begin: return {}
        rows = {code: {'time': made, 'lastPrice': 1.0, 'volume': 9} for code in ('113000.SH', '300000.SZ')}
        return dict(rows, **{'300001.SZ': {'time': made, 'lastPrice': 1.0, 'volume': 0}, '300002.SZ': {'time': made - 86400000, 'volume': 9}})
    def download_history_data(self, *given): pass
    def get_market_data_ex(self, fields, codes, **how):
        asked.append(len(codes))
        there = ([], [], ['113000.SH'], ['113000.SH', '300000.SZ'])[min(len(asked), 4) - 1] if moment.day == 20 else []
        return {code: Frame() for code in codes if code in there}
def sleep(_seconds):
    global moment
    moment += datetime.timedelta(seconds=20)
    if moment.day == 20 and moment.minute == 12: moment += datetime.timedelta(days=1)
    if moment.day == 21 and moment.minute > 15: raise KeyboardInterrupt()
def push(_site, _key, body):
    tries.append(moment)
    if len(tries) == 2: raise IOError('away')
    pushed.append((moment.strftime('%d %H:%M:%S'), sorted(body['rows'])))
    return len(body['rows'])
bridge.push, bridge.say = push, lambda text: None
try:
    bridge.run(Terminal(), '', '', now=lambda: moment, sleep=sleep)
except KeyboardInterrupt:
    pass
print(pushed, asked)
`

/**
 * A terminal whose account may ask for terms of bonds, over a Friday and a Monday: at first it is away, then the network is. Monday's pushes are
 * refused. Prints when calls were pushed, and of how many bonds.
 */
const evenings = `
import datetime, sys
sys.path.insert(0, ${JSON.stringify(join(bridge, '..'))})
import bridge
moment, tries, asked = datetime.datetime(2026, 11, 20, 15, 5), [], []
class Terminal:
    def get_stock_list_in_sector(self, sector):
        return ['113%03d.SH' % i for i in range(100)] if '债' in sector else ['300%03d.SZ' % i for i in range(1000)]
    def get_full_tick(self, codes): return {}
    def download_history_data(self, *given): pass
    def get_market_data_ex(self, fields, codes, **how): return {}
    def download_cb_data(self):
        asked.append(moment)
        if len(asked) == 2: raise Exception('terminal away')
    def get_cb_info(self, code):
        assert code[:2] == '11'
        return {'forceRedeemTradeDate': 20261208} if code == '113050.SH' else {}
def sleep(_seconds):
    global moment
    moment += datetime.timedelta(seconds=60)
    if moment.hour == 15 and moment.minute == 10: moment = moment.replace(hour=19, minute=44)
    if moment.hour == 19 and moment.minute == 50:
        if moment.day == 23: raise KeyboardInterrupt()
        moment = datetime.datetime(2026, 11, 23, 15, 4)
def push(_site, _key, body):
    tries.append((moment.strftime('%d %H:%M'), len(body['rows'])))
    if len(tries) == 1: raise IOError('away')
    if moment.day == 23: raise bridge.Refused('no such push')
    return 1
bridge.push, bridge.say = push, lambda text: None
try:
    bridge.run(Terminal(), '', '', now=lambda: moment, sleep=sleep)
except KeyboardInterrupt:
    pass
print(tries)
`

/** Of that terminal one push of bars, as the command line asks for it. */
const single = `
import os, types
os.environ.update(CONVEXA_SITE='http://127.0.0.1', CONVEXA_FEED_KEY='k' * 32)
terminal, moment = Terminal(), begin + datetime.timedelta(minutes=1)
sys.modules['xtquant'] = types.ModuleType('xtquant')
sys.modules['xtquant'].xtdata = terminal
run = bridge.run
bridge.run = lambda *given: run(*given, now=lambda: moment)
sys.argv = ['bridge.py', '--once', 'bars']
sys.exit(bridge.main())
`

describe.skipIf(!hasPython)('the bridge (skipped without a Python)', () => {
  const site = () => `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`
  const run = async (env: Record<string, string>, ...args: string[]) => {
    mkdirSync(join(folder, 'terminal', 'xtquant'), { recursive: true })
    writeFileSync(join(folder, 'terminal', 'xtquant', '__init__.py'), '')
    writeFileSync(join(folder, 'terminal', 'xtquant', 'xtdata.py'), terminal)
    return python([bridge, ...args], { PYTHONPATH: join(folder, 'terminal'), CONVEXA_SITE: site(), CONVEXA_FEED_KEY: key, ...env })
  }

  test('pushes ticks and bars; a number that is none is left out', async () => {
    expect(await run({}, '--once', 'ticks')).toMatchObject({ status: 0, said: expect.stringMatching(/推送最新价 12 只/) })
    const deps = groundAt('2026-11-20T16:00:03+08:00')
    const quotes = await xtdata(pushedIn(database.db), deps).offers.quotes!({ codes: ['000001.SZ', '600000.SH', '000300'] }, { signal })
    expect(quotes.codes).toEqual(['000001.SZ', '000300', '600000.SH'])
    expect(rowsOf(quotes)['000001.SZ']).toMatchObject({ close: 10.08, high: null, vol: 70_065_300 })
    const { status, said } = await run({}, '--once', 'bars')
    expect({ status, said }).toMatchObject({ status: 0, said: expect.stringMatching(/推送日线 1 只/) })
  })

  test('pushes forced redemptions; a call is one whose last day lies ahead', async () => {
    const { status, said } = await run({}, '--once', 'calls')
    expect({ status, said }).toMatchObject({ status: 0, said: expect.stringMatching(/推送强赎数据 3 只/) })
    const { offers } = xtdata(pushedIn(database.db), groundAt('2026-11-20T20:00:00+08:00'))
    // The push bears the day of the machine that it was made on.
    const { date } = await database.db.selectFrom('pushed').select('date').where('kind', '=', 'calls').executeTakeFirstOrThrow()
    const pushed = await pushedIn(database.db)({ kind: 'calls', date })
    expect(pushed?.push.rows).toMatchObject({ '113050.SH': { forceRedeemTradeDate: 20_261_208, forceRedeemPrice: 100.67 } })
    await storePush(database.db, { ...pushed!.push, date: '2026-11-20' } as BridgePush, 0)
    expect(await offers.calls!({ from: '2026-11-10', to: '2026-11-20' }, { signal })).toEqual([
      {
        ...{ code: '113050.SH', announced: '2026-11-20', standing: true, status: 'called' },
        ...{ callDate: null, price: 100.67, registerDate: null, lastTradingDay: '2026-12-08' },
      },
    ])
    await expect(offers.calls!({ from: '2026-11-09', to: '2026-11-19' }, { signal })).rejects.toMatchObject({ kind: 'permission' })
  })

  test('tells forced redemptions in the afternoon and in the evening, again where it did not get through, and goes on where a site knows none', async () => {
    const script = join(folder, 'calls.py')
    writeFileSync(script, evenings)
    expect(await python([script])).toMatchObject({
      status: 0,
      said: `[('20 15:05', 1), ('20 15:07', 1), ('20 19:45', 1), ('23 15:05', 1), ('23 19:45', 1)]\n`,
    })
  })

  test('started before the terminal waits for its lists, keeps the better one, and is ended by no output', async () => {
    const script = join(folder, 'early.py')
    writeFileSync(script, early)
    // 400 bonds, 5,000 shares and one of Beijing, nine indices.
    expect(await python([script])).toMatchObject({ status: 0, said: '[5410] True\n' })
  })

  test('asks again for bars that are late until each security that traded has its own, and on a holiday once', async () => {
    const script = join(folder, 'late.py')
    writeFileSync(script, late)
    const all = 1_100 + 9
    expect(await python([script])).toMatchObject({
      status: 0,
      said: `[('20 15:07:00', ['113000.SH']), ('20 15:08:20', ['113000.SH', '300000.SZ'])] [${all}, ${all}, 2, 1, ${all}]\n`,
    })
  })

  test.each([
    ['the terminal’s own exception', 'raise Exception("terminal away")', /推送没有成功：terminal away/],
    ['bars that are late', 'return {}', /推送没有成功：当日日线还没有就绪/],
  ])('%s ends a single push with a sentence and no traceback', async (_, line, words) => {
    const script = join(folder, 'once.py')
    const body = late.replace("{'close': 1.0}", '{}').replace(/ {8}asked\.append.*/, `        ${line}`)
    writeFileSync(script, body.slice(0, body.indexOf('bridge.push, bridge.say')) + single)
    const { status, said } = await python([script])
    expect({ status, said }).toMatchObject({ status: 1, said: expect.stringMatching(words) })
    expect(said).not.toContain('Traceback')
  })

  test('goes on when the terminal starts anew, in the session and at midnight', async () => {
    const script = join(folder, 'restarted.py')
    writeFileSync(script, restarted)
    expect(await python([script])).toMatchObject({
      status: 0,
      said: expect.stringMatching(/推送最新价 1 只.*稍后再试：terminal away.*推送最新价 2 只/s),
    })
  })

  test.each([
    ['a wrong key', { CONVEXA_FEED_KEY: 'canary-'.repeat(6) }, /没有推送：API密钥无效/],
    ['a short key', { CONVEXA_FEED_KEY: 'canary' }, /至少 32 个字符/],
    ['an address that is not https', { CONVEXA_SITE: 'http://example.com' }, /需以 https/],
  ])('%s is said and ends it, without the key', async (_, env, words) => {
    const { status, said } = await run(env, '--once', 'ticks')
    expect({ status, said }).toMatchObject({ status: 2, said: expect.stringMatching(words) })
    expect(said).not.toContain('canary')
  })
})
