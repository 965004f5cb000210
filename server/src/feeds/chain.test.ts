import { expect, test } from 'vitest'
import type { FeedErrorKind } from '../db/tables/answers.ts'
import { chain, type QuestionOutcome } from './chain.ts'
import { type Ask, type Asking, type Feed, FeedError } from './feed.ts'
import type { DayTable } from './rows.ts'

const asking: Asking = { signal: new AbortController().signal }
const date = '2024-06-18'

const day = (closes: Readonly<Record<string, number>>, more: Partial<DayTable> = {}): DayTable => {
  const codes = Object.keys(closes).sort()
  return { date, codes, columns: new Map([['close', Float64Array.from(codes, (code) => closes[code]!)]]), ...more }
}

/** A source of bars that gives, one after the other, what the test lists; the last for ever. */
function source(name: string, ...gives: (DayTable | FeedErrorKind)[]) {
  const asked: Ask<'stock-day'>[] = []
  const feed: Feed = {
    name,
    label: name,
    offers: {
      'stock-day': async (ask) => {
        const next = gives[Math.min(asked.push(ask), gives.length) - 1]!
        if (typeof next === 'string') throw new FeedError(next, `${name}：${next}`, next === 'wait' ? { waitMs: 5_000 } : {})
        return next
      },
    },
  }
  return { feed, asked }
}

const none = day({})
const some = day({ '000001.SZ': 10.08 })
const other = day({ '000001.SZ': 10.09 })

test.each<[string, readonly (DayTable | FeedErrorKind)[], { from: string; passed: readonly string[] } | FeedErrorKind]>([
  ['the first that answers', [some, other], { from: 'tushare', passed: [] }],
  ['the second when the first is away', ['network', some], { from: 'baostock', passed: ['tushare network'] }],
  ['the second when the first may not', ['permission', some], { from: 'baostock', passed: ['tushare permission'] }],
  ['the second when the first has not got the day yet', [none, some], { from: 'baostock', passed: ['tushare empty'] }],
  ['an empty day when nobody has it', [none, none], { from: 'tushare', passed: ['baostock empty'] }],
  ['an empty day when the other is away', [none, 'network'], { from: 'tushare', passed: ['baostock network'] }],
  ['a fault when nobody answers: of who may answer soonest', ['credentials', 'wait'], 'wait'],
  ['a fault when nobody answers: of who may answer today', ['tomorrow', 'shape'], 'shape'],
])('%s', async (_, gives, expected) => {
  const feeds = ['tushare', 'baostock'].map((name, i) => source(name, gives[i]!).feed)
  const asked = chain(feeds, () => 0).ask('stock-day', { date }, asking)
  if (typeof expected === 'string') return expect(asked).rejects.toMatchObject({ kind: expected })
  const told = await asked
  expect({ from: told.from, passed: told.passed.map(({ from, kind }) => `${from} ${kind}`) }).toEqual(expected)
})

test('the order is that of the need, whatever that of the settings', async () => {
  const feeds = [source('baostock', other).feed, source('tushare', some).feed]
  expect((await chain(feeds, () => 0).ask('stock-day', { date }, asking)).from).toBe('tushare')
})

test('with nobody to ask it says what to do', async () => {
  await expect(chain([], () => 0).ask('quotes', { codes: [] }, asking)).rejects.toMatchObject({
    kind: 'credentials',
    message: '没有启用能提供此数据的数据源',
  })
})

const dayMs = 86_400_000
test.each<[FeedErrorKind, number, string]>([
  ['wait', 5_000, 'as long as it asked'],
  ['tomorrow', Date.parse('2024-06-19T00:00:00+08:00') - Date.parse('2024-06-18T16:30:00+08:00'), 'until midnight in Shanghai'],
  ['permission', 3_600_000, 'an hour'],
  ['credentials', 3_600_000, 'an hour'],
  ['refused', 3_600_000, 'an hour'],
  ['blocked', Date.parse('2024-06-19T00:00:00+08:00') - Date.parse('2024-06-18T16:30:00+08:00'), 'until midnight in Shanghai'],
])('a source that says %s is left alone for %d ms: %s', async (kind, quiet) => {
  let now = Date.parse('2024-06-18T16:30:00+08:00')
  const { feed, asked } = source('tushare', kind, some)
  const chained = chain([feed], () => now)
  const ask = () => chained.ask('stock-day', { date }, asking)
  await expect(ask()).rejects.toMatchObject({ kind })
  now += quiet - 1
  await expect(ask()).rejects.toMatchObject({ kind })
  expect(asked).toHaveLength(1)
  now += 1
  expect((await ask()).from).toBe('tushare')
  now += dayMs
  expect((await ask()).from).toBe('tushare')
})

test('a source that left three questions without an answer is asked once a minute', async () => {
  let now = 0
  const { feed, asked } = source('tushare', 'network')
  const second = source('baostock', some)
  const chained = chain([feed, second.feed], () => now)
  for (let i = 0; i < 10; i++) expect((await chained.ask('stock-day', { date }, asking)).from).toBe('baostock')
  expect(asked).toHaveLength(3)
  now += 60_000
  const told = await chained.ask('stock-day', { date }, asking)
  expect(asked).toHaveLength(4)
  expect(told.passed).toMatchObject([{ from: 'tushare', kind: 'network' }])
})

test('who listens hears of every question that was asked, and until when no other is', async () => {
  let now = 0
  const heard: QuestionOutcome[] = []
  const { feed } = source('tushare', 'network', 'network', 'network', some)
  const chained = chain([feed], () => now, { onOutcome: (one) => heard.push(one) })
  const ask = () => chained.ask('stock-day', { date }, asking).catch(() => null)
  for (let i = 0; i < 5; i++) await ask()
  now += 60_000
  await ask()
  const away = { source: 'tushare', need: 'stock-day', fault: { kind: 'network', why: 'tushare：network' }, quietUntil: null }
  expect(heard).toEqual([away, away, { ...away, quietUntil: 60_000 }, { ...away, fault: null }])
})

test('a second opinion is of some of the same rows, and what differs is told', async () => {
  const codes = Array.from({ length: 10 }, (_, i) => `60000${i}.SH`)
  const first = source('tushare', day(Object.fromEntries(codes.map((code) => [code, 10]))))
  const second = source('baostock', day({ '600000.SH': 10, '600003.SH': 10.01, '600006.SH': Number.NaN, '699999.SH': 3 }))
  const told = await chain([first.feed, second.feed], () => 0).ask('stock-day', { date }, asking, { rows: 4 })
  expect(second.asked).toEqual([{ date, codes: ['600000.SH', '600003.SH', '600006.SH', '600009.SH'] }])
  expect(told).toMatchObject({
    from: 'tushare',
    check: { by: 'baostock', cells: 2, differences: [{ code: '600003.SH', field: 'close', first: 10, second: 10.01 }] },
  })
})

test.each<[string, readonly (DayTable | FeedErrorKind)[]]>([
  ['is away', ['network']],
  ['speaks of another day', [day({ '000001.SZ': 1 }, { date: '2024-06-17' })]],
  ['has none of the rows', [day({ '000002.SZ': 1 })]],
])('a second opinion that %s changes nothing', async (_, gives) => {
  const feeds = [source('tushare', some).feed, source('baostock', ...gives).feed]
  const told = await chain(feeds, () => 0).ask('stock-day', { date }, asking, { rows: 4 })
  expect(told).toMatchObject({ from: 'tushare', check: null })
})

test('a source that is silent about what is wanted now has its share of time, then the next is asked', async () => {
  const silent: Feed = {
    name: 'tencent',
    label: '腾讯',
    offers: {
      quotes: (_, { signal }) => new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason))),
    },
  }
  const quotes = { ...some, madeAt: Float64Array.of(0) }
  const second: Feed = { name: 'sina', label: '新浪', offers: { quotes: async () => quotes } }
  const told = await chain([silent, second], () => 0, { shares: { quotes: 10 } }).ask('quotes', { codes: ['000001.SZ'] }, asking)
  expect(told).toMatchObject({ from: 'sina', passed: [{ from: 'tencent', kind: 'network', why: '腾讯没有及时应答' }] })
})

test('who asked may stop: that is no fault of a source, and nobody else is asked', async () => {
  const stop = new AbortController()
  const first: Feed = {
    name: 'tushare',
    label: 'tushare',
    offers: {
      'stock-day': async () => {
        stop.abort(new Error('enough'))
        stop.signal.throwIfAborted()
        return some
      },
    },
  }
  const second = source('baostock', some)
  await expect(chain([first, second.feed], () => 0).ask('stock-day', { date }, { signal: stop.signal })).rejects.toThrow('enough')
  expect(second.asked).toEqual([])
})

test.each<[string, now: string, made: readonly [string | null, string | null], from: string, passed: readonly string[]]>([
  ['what moves is believed', '10:00:20', ['10:00:15', '10:00:18'], 'tencent', []],
  ['who stands still is not while another moves', '10:20:00', ['10:00:15', '10:19:58'], 'sina', ['腾讯的行情停在 10:00:15']],
  ['of two that stand still the newer', '10:20:00', ['10:00:15', '10:03:00'], 'sina', ['腾讯的行情停在 10:00:15']],
  ['also when the newer comes first', '10:20:00', ['10:03:00', '10:00:15'], 'tencent', ['新浪的行情停在 10:00:15']],
  ['over lunch the morning’s last stay right', '12:30:00', ['11:30:01', '11:30:02'], 'tencent', []],
  ['a lost morning is asked for elsewhere', '12:30:00', ['10:00:15', '11:30:02'], 'sina', ['腾讯的行情停在 10:00:15']],
  ['who does not say when is believed', '10:20:00', [null, '10:19:58'], 'tencent', []],
])('quotes: %s', async (_, clock, made, from, passed) => {
  const at = (time: string | null) => (time === null ? Number.NaN : Date.parse(`${date}T${time}+08:00`))
  const feeds = (['腾讯', '新浪'] as const).map((label, i): Feed => {
    const quotes = { ...some, madeAt: Float64Array.of(at(made[i]!)) }
    return { name: ['tencent', 'sina'][i]!, label, offers: { quotes: async () => quotes } }
  })
  const told = await chain(feeds, () => at(clock)).ask('quotes', { codes: ['000001.SZ'] }, asking)
  expect({ from: told.from, passed: told.passed.map(({ why }) => why) }).toEqual({ from, passed })
})

test('a ban and a blocked address are of the whole source; a ban lasts until somebody else was answered', async () => {
  let isReleased = false
  const names: string[] = []
  const { feed, asked } = source('tushare', 'banned', some)
  const whole: Feed = { ...feed, offers: { ...feed.offers, names: async () => (names.push('asked') > 0 ? [] : []) } }
  let now = Date.parse('2024-06-18T16:30:00+08:00')
  const chained = chain([whole], () => now, { hasReleased: async () => isReleased })
  await expect(chained.ask('stock-day', { date }, asking)).rejects.toMatchObject({ kind: 'banned' })
  await expect(chained.ask('names', {}, asking)).rejects.toMatchObject({ kind: 'banned' })
  now += 30 * dayMs
  await expect(chained.ask('stock-day', { date }, asking)).rejects.toMatchObject({ kind: 'banned' })
  expect([asked.length, names.length]).toEqual([1, 0])
  isReleased = true
  expect((await chained.ask('stock-day', { date }, asking)).from).toBe('tushare')
})

test('no quote of ten asked codes while prices change is no answer, and counts against the source', async () => {
  const empty = { date, codes: [], columns: new Map(), madeAt: new Float64Array() }
  const feeds = (['tencent', 'sina'] as const).map((name): Feed => ({ name, label: name, offers: { quotes: async () => empty } }))
  const codes = Array.from({ length: 10 }, (_, i) => `60000${i}.SH`)
  const heard: QuestionOutcome[] = []
  const at = (time: string) => chain(feeds, () => Date.parse(`${date}T${time}+08:00`), { onOutcome: (each) => heard.push(each) })
  await expect(at('10:00:00').ask('quotes', { codes }, asking)).rejects.toMatchObject({
    kind: 'shape',
    message: 'tencent的应答里没有所问的证券；sina的应答里没有所问的证券',
  })
  expect(heard.map(({ source: of, fault }) => [of, fault?.kind])).toEqual([
    ['tencent', 'shape'],
    ['sina', 'shape'],
  ])
  // Before the first auction there are none.
  expect((await at('08:00:00').ask('quotes', { codes }, asking)).answer.codes).toEqual([])
})

test('an answer that whoever asked cannot believe is a failure of its source; the next is asked', async () => {
  const feeds = [source('tushare', some).feed, source('baostock', other).feed]
  const judge = (answer: unknown) => (answer === some ? '的列表太短' : null)
  const told = await chain(feeds, () => 0).ask('stock-day', { date }, { ...asking, judge })
  expect(told).toMatchObject({ from: 'baostock', passed: [{ from: 'tushare', kind: 'shape', why: 'tushare的列表太短' }] })
  expect((await chain(feeds, () => 0).ask('stock-day', { date }, asking, undefined, ['tushare'])).from).toBe('baostock')
})
