import type { Fill, Questions } from '@convexa/contract'
import { expect, test } from 'vitest'
import { sweepEvents } from '../../../src/qmt/events.ts'
import { newUser } from '../../fixtures/processes.ts'
import { qmtTrading } from '../../fixtures/qmt.ts'
import { fill, held, monday, mondayNoon, qmtMonday } from '../../fixtures/qmt-monday.ts'

// The site's record of a client: its journal, questions to the user, alerts.

const { clock, here, asAccount, ask, client, beat, forget, alerts, titles, pull, rehearse, showPassword } = qmtMonday()

test('a client without a record of its positions is halted, and one on paper changes none', async () => {
  let n = 0
  const live = (body: object) =>
    client('POST', '/heartbeat', {
      ...{ config_id: here().config, client_version: '2.0.0', dry_run: false },
      journal: { id: 'first', n: ++n },
      ...body,
    })
  const held = async () => (await rehearse()).data.holdings
  const holdings = [{ code: '110901.SH', volume: 100 }]
  // Holdings reported on paper stop no client that begins.
  expect((await live({ holdings: [], fresh: true })).data).toMatchObject({ halt: false })
  await live({ holdings, fresh: false })
  // The archive unpacked in another folder.
  expect((await live({ holdings: [], fresh: true, journal: { id: 'second', n: 1 } })).data).toMatchObject({
    halt: true,
    halt_reason: expect.stringContaining('持有的 1 只证券'),
  })
  expect(await held()).toEqual(holdings)
  await showPassword()
  await ask('PUT', `/trading-config/${here().ids.trading}`, qmtTrading({ hold_rank: 7, dry_run: false }))
  await live({ holdings: [], dry_run: true })
  expect(await held()).toEqual(holdings)
  await ask('PUT', `/trading-config/${here().ids.trading}`, qmtTrading({ hold_rank: 7 }))
  await live({ holdings: [], dry_run: true })
  expect(await held()).toEqual([])
  await forget()
})

const questions = async () => (await ask<Questions>('GET', '/questions')).data

test('a client before 2.0.0 is halted when it trades for real, and the new one continues its journal', async () => {
  const old = { client_version: '1.2.1', holdings: held }
  expect((await beat({ ...old, dry_run: true })).data).toMatchObject({ halt: false, opening: null })
  for (const client_version of ['1.2.1', '1', '0.9', '2.0.0-beta', 'x', '1e9', '２.0.0']) {
    const { data } = await beat({ ...old, client_version })
    expect(data).toMatchObject({ halt: true, halt_reason: expect.stringContaining('旧版客户端') })
  }
  // It may not have got that answer: it gets no targets either.
  expect((await pull()).data).toMatchObject({ halt: true, halt_reason: expect.stringContaining('旧版客户端'), items: [] })
  expect((await beat({ holdings: held, journal: { id: 'first', n: 5 } })).data).toMatchObject({ halt: false })
  expect((await pull()).data.halt).toBe(false)
  await forget()
})

test('a heartbeat answers the time of the site in milliseconds', async () => {
  const { data } = await beat({ journal: { id: 'first', n: 1 } })
  expect(data.server_ms).toBe(clock.now.getTime())
  await forget()
})

test('an old, foreign, damaged or lost journal halts its client until the user chooses one', async () => {
  await beat({ holdings: held, journal: { id: 'first', n: 9 } })
  await client('POST', '/fills', {
    config_id: here().config,
    fills: [fill({ order_id: 'OPEN2345', status: 'unsure', seq: 3, limit: 101 })],
  })
  const halted = async (over: object) => (await beat(over)).data.halt
  expect(await halted({ holdings: held, journal: { id: 'first', n: 8 } })).toBe(true)
  expect(await halted({ holdings: [], journal: { id: 'damaged', n: 0 }, fresh: true })).toBe(true)
  expect((await questions()).journals).toMatchObject([{ state: 'damaged', site: held, client: [] }])
  expect(await halted({ holdings: [], journal: { id: 'second', n: 1 }, fresh: true })).toBe(true)
  expect((await questions()).journals).toMatchObject([{ state: 'lost', use: null }])
  // The book of before is what the next dry run reads.
  expect((await rehearse()).data.holdings).toEqual(held)
  // The user takes the site's record: it is sent until the client has it.
  expect((await ask('PUT', `/config/${here().config}/journal`, { use: 'site' })).code).toBe(0)
  for (let i = 0; i < 2; i++) {
    const { data } = await beat({ holdings: [], journal: { id: 'second', n: 1 }, fresh: true })
    expect(data).toMatchObject({
      halt: true,
      opening: { book: held, orders: [{ order_id: 'OPEN2345', volume: 100, filled: 40, price: 101 }] },
    })
  }
  const { token } = (await beat({ holdings: [], journal: { id: 'second', n: 1 }, fresh: true })).data.opening!
  expect(await halted({ holdings: held, journal: { id: 'second', n: 2, opening: token } })).toBe(false)
  // The first computer is the other one now; the user takes its record.
  expect(await halted({ holdings: held, journal: { id: 'first', n: 12 } })).toBe(true)
  expect((await questions()).journals).toMatchObject([{ state: 'other' }])
  await ask('PUT', `/config/${here().config}/journal`, { use: 'client' })
  await client('POST', '/fills', {
    config_id: here().config,
    fills: [fill({ order_id: 'OPEN2345', status: 'filled', filled: 100, seq: 90 })],
  })
  expect(await halted({ holdings: held, journal: { id: 'first', n: 13 } })).toBe(false)
  expect((await questions()).journals).toEqual([])
  // What this computer tells of an order wins, however far the other's journal counted.
  await client('POST', '/fills', {
    config_id: here().config,
    fills: [fill({ order_id: 'OPEN2345', status: 'unsure', filled: 40, seq: 12 })],
  })
  expect((await questions()).orders).toMatchObject([{ order_id: 'OPEN2345', status: 'unsure' }])
  await forget()
})

test('book and orders of one heartbeat are stored together, or not at all for a halted client', async () => {
  const order = (over: Partial<Fill>) => fill({ order_id: 'ASKD2345', limit: 101, seq: 3, ...over })
  const asked = async () => (await questions()).orders.map(({ order_id, status, filled }) => ({ order_id, status, filled }))
  await beat({ holdings: held, journal: { id: 'first', n: 9 }, fills: [order({ status: 'unsure' })] })
  expect(await asked()).toEqual([{ order_id: 'ASKD2345', status: 'unsure', filled: 40 }])
  expect(await titles()).toHaveLength(1)
  const old = await beat({ holdings: [], journal: { id: 'first', n: 7 }, fills: [order({ status: 'filled', filled: 100, seq: 12 })] })
  expect(old.data.halt).toBe(true)
  expect(await asked()).toEqual([{ order_id: 'ASKD2345', status: 'unsure', filled: 40 }])
  // What the site would give in place of a lost journal counts the order once.
  await beat({ holdings: [], journal: { id: 'second', n: 1 }, fresh: true })
  await ask('PUT', `/config/${here().config}/journal`, { use: 'site' })
  const { opening } = (await beat({ holdings: [], journal: { id: 'second', n: 1 }, fresh: true })).data
  expect(opening).toMatchObject({ book: held, orders: [{ order_id: 'ASKD2345', filled: 40 }] })
  const wrong = await beat({ holdings: [], journal: { id: 'first', n: 10 }, fills: [order({ volume: 0 })] })
  expect(wrong).toMatchObject({ status: 400, code: 40000, msg: expect.stringContaining('成交回报') })
  await forget()
})

test('an old copy of a journal is halted also without positions and orders', async () => {
  await beat({ journal: { id: 'first', n: 9 } })
  expect((await beat({ journal: { id: 'first', n: 3 } })).data).toMatchObject({
    halt: true,
    halt_reason: expect.stringContaining('旧的副本'),
  })
  expect((await questions()).journals).toMatchObject([{ state: 'other', site: [], client: [] }])
  expect((await beat({ journal: { id: 'second', n: 30 } })).data).toMatchObject({ halt: true })
  await forget()
})

test('a second computer without a record waits until the first has reported the end of its plan, on later days too', async () => {
  const first = async (over: object) => (await beat({ journal: { id: 'first', n: 3 }, ...over })).data.halt
  const second = async () => (await beat({ fresh: true, journal: { id: 'second', n: 2 }, may_order: false })).data.halt
  const today = clock.now
  expect(await first({ fresh: true, may_order: false })).toBe(false)
  expect(await first({ may_order: true })).toBe(false)
  expect(await second()).toBe(true)
  expect([await first({ may_order: false }), await second(), await first({ may_order: true })]).toEqual([false, true, false])
  // It may have died before it told what it ordered.
  clock.now = new Date(today.getTime() + 86_400_000)
  expect(await second()).toBe(true)
  expect((await questions()).journals).toMatchObject([{ state: 'other', site: [], client: [] }])
  expect(await first({ may_order: false })).toBe(false)
  expect(await second()).toBe(false)
  await forget()
  // One of before that did not tell of plans.
  expect(await first({})).toBe(false)
  expect(await second()).toBe(true)
  clock.now = today
  await forget()
})

test('of two computers with copies of one journal the second is halted; a restarted client continues', async () => {
  const halted = async (n: number, start: { n: number; token: string }) => (await beat({ journal: { id: 'first', n, start } })).data.halt
  expect(await halted(50, { n: 50, token: 'a' })).toBe(false)
  expect(await halted(50, { n: 50, token: 'b' })).toBe(true)
  expect(await halted(52, { n: 50, token: 'a' })).toBe(false)
  // However many lines the other writes meanwhile.
  expect(await halted(70, { n: 50, token: 'b' })).toBe(true)
  expect(await halted(53, { n: 53, token: 'c' })).toBe(false)
  expect(await halted(60, { n: 50, token: 'a' })).toBe(true)
  // A copy from before the last process that was started again and again counts further than what it lacks.
  const copied = (n: number, starts: string[]) =>
    beat({ journal: { id: 'first', n, start: { n, token: starts.at(-1)! }, starts } }).then(({ data }) => data.halt)
  expect(await copied(90, ['a', 'd', 'e', 'f'])).toBe(true)
  expect(await copied(90, ['a', 'c', 'd'])).toBe(false)
  await forget()
})

test('an unsure order is asked once, answered by the user, and sent to the client until it confirms', async () => {
  const journal = { id: 'first', n: 4 }
  const told = (over: Partial<Fill>) =>
    client('POST', '/fills', {
      config_id: here().config,
      fills: [fill({ order_id: 'ASKD2345', filled: 0, price: null, limit: 101, ...over })],
    })
  const settle = (filled: number) => ask('PUT', `/config/${here().config}/order/ASKD2345`, { filled })
  await beat({ holdings: held, journal })
  expect(await settle(0)).toMatchObject({ status: 404, code: 40004 })
  await told({ seq: 3 })
  // Open, and its day has not closed.
  expect((await questions()).orders).toEqual([])
  await told({ status: 'unsure', seq: 4 })
  // A late report is of an earlier line.
  await told({ status: 'filled', filled: 100, price: 101, seq: 2 })
  expect((await questions()).orders).toMatchObject([
    {
      order_id: 'ASKD2345',
      status: 'unsure',
      book: 100,
      volume: 100,
      price: 101,
      is_over: false,
      settled_filled: null,
      is_correction: false,
    },
  ])
  clock.now = new Date(`${monday}T15:05:00+08:00`)
  expect((await questions()).orders).toMatchObject([{ is_over: true }])
  clock.now = mondayNoon
  expect(await settle(101)).toMatchObject({ status: 400, code: 24022 })
  expect((await settle(100)).code).toBe(0)
  expect((await beat({ holdings: held, journal })).data.settled).toEqual([{ order_id: 'ASKD2345', filled: 100, word: expect.any(String) }])
  await told({ status: 'filled', filled: 100, price: 101, proof: 'user', seq: 6 })
  expect((await beat({ holdings: held, journal })).data.settled).toEqual([])
  // Positions that were late: the client asks again, and waits for another word.
  await told({ status: 'unsure', filled: 100, seq: 7 })
  expect((await beat({ holdings: held, journal })).data.settled).toEqual([])
  expect((await questions()).orders).toMatchObject([{ status: 'unsure', settled_filled: null }])
  await told({ status: 'filled', filled: 100, price: 101, proof: 'positions', seq: 8 })
  // A word may be corrected, what the list told may not.
  expect((await questions()).orders).toMatchObject([{ is_correction: true }])
  expect((await settle(0)).code).toBe(0)
  expect((await beat({ holdings: held, journal })).data.settled).toEqual([{ order_id: 'ASKD2345', filled: 0, word: expect.any(String) }])
  await told({ status: 'filled', filled: 100, price: 101, proof: 'list', seq: 9 })
  expect((await beat({ holdings: held, journal })).data.settled).toEqual([])
  expect(await settle(0)).toMatchObject({ status: 409, code: 24021 })
  await forget()
})

test('a book that differs from the account is asked, and the answer is sent until the client has applied it', async () => {
  const resting = [{ code: '110901.SH', why: 'less', since: monday, account: 60, book: 100 }]
  const journal = { id: 'first', n: 4 }
  await beat({ holdings: held, journal, resting, changes: [{ code: '123901.SZ', date: monday, why: 'cut', before: 10, after: 0 }] })
  expect(await questions()).toMatchObject({
    books: [{ code: '110901.SH', why: 'less', account: 60, book: 100, settled_volume: null }],
    changes: [{ code: '123901.SZ', before: 10, after: 0 }],
  })
  const settle = (volume: number, code = '110901.SH') => ask('PUT', `/config/${here().config}/book/${code}`, { volume })
  expect(await settle(61)).toMatchObject({ status: 400, code: 40000 })
  expect(await settle(0, '123901.SZ')).toMatchObject({ status: 404, code: 40004 })
  expect((await settle(60)).code).toBe(0)
  const [word] = (await beat({ holdings: held, journal, resting })).data.books
  expect(word).toMatchObject({ code: '110901.SH', volume: 60 })
  expect((await beat({ holdings: [{ code: '110901.SH', volume: 60 }], journal, resting: [], words: [word!.word] })).data.books).toEqual([])
  expect((await questions()).books).toEqual([])
  await forget()
})

test('the book may be confirmed where the terminal’s list may be incomplete', async () => {
  const doubts = (why: string) => [{ code: '110901.SH', why, since: monday, account: 0, book: 100 }]
  const settle = (volume: number) => ask('PUT', `/config/${here().config}/book/110901.SH`, { volume })
  const answers: Record<string, readonly (readonly [number, string | number])[]> = {
    unproven: [
      [101, '持有数量须在 0 与账本的 100 之间'],
      [100, 0],
    ],
    record: [
      [100, '持有数量须在 0 与账户的 0 之间'],
      [0, 0],
    ],
  }
  for (const [why, said] of Object.entries(answers)) {
    await beat({ holdings: held, journal: { id: 'first', n: 4 }, resting: doubts(why) })
    expect(await questions()).toMatchObject({ books: [{ why, account: 0, book: 100 }] })
    const [config] = (await ask<{ list_items: { questions: number }[] }>('GET', '/config/list')).data.list_items
    expect([why, config!.questions]).toEqual([why, 1])
    for (const [volume, words] of said) {
      const { code, msg } = await settle(volume)
      expect([why, volume, code === 0 ? 0 : msg.replace(/^.*：/, '')]).toEqual([why, volume, words])
    }
    await forget()
  }
})

test('an unsure order raises an alert at once and on each trading morning until it is answered', async () => {
  const told = (over: Partial<Fill>) =>
    client('POST', '/fills', { config_id: here().config, fills: [fill({ order_id: 'ASKD2345', filled: 0, price: null, ...over })] })
  const live = () => beat({ holdings: held, journal: { id: 'first', n: 4 } })
  await told({ status: 'unsure', seq: 4 })
  await told({ status: 'unsure', seq: 5 })
  await told({ status: 'unsure', seq: 6, dry_run: true, order_id: 'DRYX2345' })
  await live()
  const [only, ...others] = (await alerts()).list_items
  expect([only, others]).toMatchObject([{ key: 'order_unsure', title: '委托待核对：110901.SH', read: false }, []])
  expect(only!.text).toContain(`「双低实盘」${monday} 买入110901.SH 100 张，客户端不知道是否成交`)
  // Not in the night, nor on a Saturday; next morning again, whether or not the client is there.
  for (const [at, expected] of [
    ['2026-11-24T08:29:00+08:00', 1],
    ['2026-11-28T10:00:00+08:00', 1],
    ['2026-11-24T09:15:00+08:00', 2],
    ['2026-11-24T09:16:00+08:00', 2],
  ] as const) {
    clock.now = new Date(at)
    await live()
    expect([at, (await alerts()).unread]).toEqual([at, expected])
  }
  await sweepEvents(here().database.db, new Date('2026-11-25T09:00:00+08:00'))
  expect(await titles()).toHaveLength(3)
  await asAccount('PUT', '/v1/alerts/read', { token: here().user.token, body: { up_to: (await alerts()).list_items[0]!.id } })
  expect((await alerts()).unread).toBe(0)
  clock.now = mondayNoon
  await ask('PUT', `/config/${here().config}/order/ASKD2345`, { filled: 100 })
  await sweepEvents(here().database.db, new Date('2026-11-26T09:00:00+08:00'))
  expect(await titles()).toHaveLength(3)
  await forget()
})

test('a book in doubt raises an alert at once and on each trading morning until it is answered', async () => {
  const rests = ['unproven', 'ex', 'event'].map((why, i) => ({ code: `12390${i + 1}.SZ`, why, since: monday, account: 0, book: 10 }))
  const live = (resting = rests) => beat({ holdings: held, journal: { id: 'first', n: 4 }, resting })
  await live()
  expect(await titles()).toHaveLength(2)
  // An ex-day and an event are asked after three trading days.
  for (const [at, expected] of [
    ['2026-11-24T08:29:00+08:00', 2],
    ['2026-11-24T09:15:00+08:00', 3],
    ['2026-11-24T09:16:00+08:00', 3],
    ['2026-11-26T09:15:00+08:00', 6],
  ] as const) {
    clock.now = new Date(at)
    await live()
    expect([at, (await alerts()).unread]).toEqual([at, expected])
  }
  const [first] = (await alerts()).list_items
  expect(first).toMatchObject({ key: 'book_changed', text: expect.stringContaining('请在运行配置页回答本配置持有多少') })
  await ask('PUT', `/config/${here().config}/book/123901.SZ`, { volume: 0 })
  await sweepEvents(here().database.db, new Date('2026-11-27T09:00:00+08:00'))
  expect(await titles()).toHaveLength(8)
  await live([])
  await sweepEvents(here().database.db, new Date('2026-11-30T09:00:00+08:00'))
  expect(await titles()).toHaveLength(8)
  clock.now = mondayNoon
  await forget()
})

test('changes of the book, refusals and halts raise one alert each, and none on paper', async () => {
  const journal = { id: 'first', n: 4 }
  const changes = [
    { code: '123901.SZ', date: monday, why: 'cut', before: 10, after: 0 },
    { code: '123902.SZ', date: monday, why: 'user', before: 10, after: 20 },
  ]
  const resting = [{ code: '110901.SH', why: 'less', since: monday, account: 60, book: 100 }]
  await beat({ holdings: held, dry_run: true, journal, changes, resting })
  expect(await titles()).toEqual([])
  for (let i = 0; i < 3; i++) await beat({ holdings: held, journal, changes, resting })
  expect((await titles()).sort()).toEqual(['暂停买卖：110901.SH', '账本变动：演示2'])
  const refused = ['AAAA2345', 'BBBB2345'].map((order_id) =>
    fill({ order_id, filled: 0, price: null, status: 'rejected', note: '可用资金不足' }),
  )
  await client('POST', '/fills', { config_id: here().config, fills: refused })
  expect((await alerts()).list_items[0]).toMatchObject({
    title: '委托被拒：110901.SH',
    text: '「双低实盘」买入110901.SH 100 张被拒：可用资金不足。其余委托照常。',
  })
  expect(await titles()).toHaveLength(3)
  // A clock that is off, the kill switch, an old copy of the journal: each state once a day.
  for (let i = 0; i < 2; i++) await beat({ holdings: held, journal, offset_ms: 61_000 + 6_000 * i })
  for (const time of ['14:51:03', '14:52:03']) await beat({ holdings: held, journal, note: `终端的行情停在 ${time}，不下单` })
  for (let i = 0; i < 2; i++) await beat({ holdings: held, journal: { id: 'first', n: 3 } })
  await ask('PUT', '/kill-switch', { on: true })
  await beat({ holdings: held, journal })
  await showPassword()
  await ask('PUT', '/kill-switch', { on: false })
  const halts = (await alerts()).list_items.slice(0, -3)
  expect(halts.map(({ title }) => title)).toEqual(Array(4).fill('自动交易已停'))
  expect(halts.map(({ text }) => text)).toEqual([
    '「双低实盘」：自动交易已急停。',
    expect.stringContaining('委托记录与网站最后见到的不同'),
    '「双低实盘」：终端的行情停在 14:51:03，不下单。',
    '「双低实盘」：客户端电脑的时钟与网站相差 1.0 分钟，校准前不下单。',
  ])
  // Somebody else sees none of it.
  const other = await newUser(here().database.db)
  expect(await alerts(other.token)).toMatchObject({ unread: 0, list_items: [] })
  await forget()
})
