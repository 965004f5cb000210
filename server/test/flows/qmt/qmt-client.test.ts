import { createHash } from 'node:crypto'
import { endpoints, type Targets } from '@convexa/contract'
import fc from 'fast-check'
import { sql } from 'kysely'
import { v7 as uuid } from 'uuid'
import { expect, test } from 'vitest'
import { addChanges, forgetChange } from '../../../src/market/code-changes.ts'
import { factsChecksum } from '../../../src/qmt/facts.ts'
import { changeStrategy } from '../../../src/strategy/strategies.ts'
import { newUser } from '../../fixtures/processes.ts'
import { qmtAccount, qmtConfig, qmtTrading } from '../../fixtures/qmt.ts'
import { fill, friday, held, monday, mondayNoon, qmtMonday } from '../../fixtures/qmt-monday.ts'
import { parameters } from '../../fixtures/requests.ts'

// The day of a client: what it gets and what it reports.

const { clock, here, ask, client, beat, forget, pull, rehearse, showPassword } = qmtMonday()

/** As a client counts it. */
const checksumOf = ({ config_id, config_version, date, signal_date, money, items }: Targets): string =>
  createHash('sha256')
    .update(
      [
        `${config_id},${config_version},${date},${signal_date},${money.toFixed(2)}`,
        ...items.map((i) => `${i.code},${i.rank},${i.weight.toFixed(6)},${i.ref_price.toFixed(3)},${i.lot_min},${i.lot_step}`),
      ].join('\n'),
    )
    .digest('hex')

test('targets of a day stay the same once made, with a checksum that the client can compute', async () => {
  const { data } = await pull()
  expect(data).toMatchObject({ date: monday, signal_date: friday, halt: false, valid_until: `${monday}T15:00:00+08:00`, money: 98_000 })
  expect(data.items.filter(({ weight }) => weight > 0).map(({ weight }) => weight)).toEqual([0.2, 0.2, 0.2, 0.2, 0.2])
  expect(data.items.map(({ rank }) => rank)).toEqual([1, 2, 3, 4, 5, 6, 7])
  expect(checksumOf(data)).toBe(data.checksum)
  clock.now = new Date(`${monday}T14:52:00+08:00`)
  expect((await pull()).data).toEqual(data)
  expect((await ask('GET', '/apikey')).data).toMatchObject({ last_used_at: expect.any(String), last_ip: '127.0.0.1' })
})

test('targets of another day or after the close are refused', async () => {
  expect(await pull('2026-11-24')).toMatchObject({ status: 400, code: 21007 })
  clock.now = new Date(`${monday}T15:00:01+08:00`)
  expect(await pull()).toMatchObject({ status: 400, code: 21007 })
  // Nobody brought the data of Monday: on Tuesday there is no signal.
  clock.now = new Date('2026-11-24T14:49:00+08:00')
  expect(await pull('2026-11-24')).toMatchObject({ status: 409, code: 24006 })
  // By its name Monday is pulled on Monday only; to rehearse, the next day to come is, and on Monday they are the same.
  clock.now = new Date('2026-11-22T20:00:00+08:00')
  const sunday = await pull()
  expect(sunday).toMatchObject({ status: 400, code: 21007 })
  expect(sunday.msg).toContain(`今天是 2026-11-22，下一个可交易日是 ${monday}`)
  const ahead = await client<Targets>('GET', `/targets?config_id=${here().config}`)
  expect(ahead.data).toMatchObject({ date: monday, signal_date: friday, halt: false })
  clock.now = mondayNoon
  expect((await pull()).data.items).toEqual(ahead.data.items)
})

test('targets follow the current rule until an order was placed', async () => {
  const places = async () => (await pull()).data.items.filter(({ weight }) => weight > 0).length
  const change = async (count: number) => {
    const { version } = await here()
      .database.db.selectFrom('strategy')
      .select('version')
      .where('id', '=', here().ids.strategy)
      .executeTakeFirstOrThrow()
    await changeStrategy(here().context, here().user.id, 'cb', here().ids.strategy, {
      detail: parameters('cb', 'close', count, 1),
      base_version: version,
    })
  }
  await here().database.db.deleteFrom('qmt_targets').execute()
  expect((await client<Targets>('GET', `/targets?config_id=${here().config}`)).data.items.filter(({ weight }) => weight > 0)).toHaveLength(
    5,
  )
  await change(3)
  expect(await places()).toBe(3)
  await change(5)
  expect(await places()).toBe(5)
  expect((await client<Targets>('GET', `/targets?config_id=${here().config}`)).data).toEqual((await pull()).data)
})

test('kill switch, disabled config and disabled account halt a client at its next pull', async () => {
  await ask('PUT', '/kill-switch', { on: true })
  const { data } = await pull()
  expect(data).toMatchObject({ halt: true, halt_reason: '自动交易已急停', items: [] })
  expect(checksumOf(data)).toBe(data.checksum)
  await ask('PUT', '/kill-switch', { on: false })
  await ask('PUT', `/config/${here().config}`, qmtConfig(here().ids, { enabled: false }))
  expect((await pull()).data).toMatchObject({ halt: true, halt_reason: '运行配置已停用' })
  await ask('PUT', `/config/${here().config}`, qmtConfig(here().ids))
  const { account_no: _no, ...account } = qmtAccount({ is_enabled: false })
  await ask('PUT', `/account/${here().ids.account}`, account)
  expect((await pull()).data).toMatchObject({ halt: true, halt_reason: '账户已停用' })
  await ask('PUT', `/account/${here().ids.account}`, { ...account, is_enabled: true })
  expect((await pull()).data.halt).toBe(false)
})

test('repeated reports of fills count once, and older ones change nothing', async () => {
  for (const one of [fill(), fill(), fill({ filled: 100, status: 'filled' }), fill({ filled: 40 })]) {
    expect((await client('POST', '/fills', { config_id: here().config, fills: [one] })).code).toBe(0)
  }
  const { data } = await ask<{ total: number; list_items: object[] }>('GET', `/config/${here().config}/fills`)
  expect(data).toMatchObject({ total: 1, list_items: [{ order_id: 'ABCD2345', filled: 100, amount: 10_150, status: 'filled' }] })
})

test('a late report of an open order does not reopen one that has ended', async () => {
  const told = [fill({ order_id: 'LATE2345', status: 'part_cancelled' }), fill({ order_id: 'LATE2345' })]
  for (const one of told) await client('POST', '/fills', { config_id: here().config, fills: [one] })
  const { data } = await ask<{ list_items: { order_id: string; status: string }[] }>('GET', `/config/${here().config}/fills`)
  expect(data.list_items.find((one) => one.order_id === 'LATE2345')).toMatchObject({ filled: 40, status: 'part_cancelled' })
  await here().database.db.deleteFrom('qmt_fill').where('order_id', '=', 'LATE2345').execute()
})

test('targets of a day with trades stay after a change of the config', async () => {
  const before = (await pull()).data
  await ask('PUT', `/config/${here().config}`, qmtConfig(here().ids, { capital: 20 }))
  expect((await pull()).data).toEqual(before)
  await here().database.db.deleteFrom('qmt_fill').execute()
  expect((await pull()).data).toMatchObject({ money: 196_000, config_version: before.config_version + 1 })
})

test('the next dry run uses the reported positions', async () => {
  const holdings = [{ code: '110901.SH', volume: 100 }]
  const beat = { config_id: here().config, client_version: '1.0.0', dry_run: true, holdings }
  expect((await client('POST', '/heartbeat', beat)).data).toMatchObject({ halt: false, halt_reason: '' })
  expect((await rehearse()).data).toMatchObject({ holdings_from: 'heartbeat', holdings, holdings_at: expect.any(String) })
})

test('targets have facts of wanted, held and requested securities, with positions of other configs of the account', async () => {
  await beat({ holdings: [{ code: '110910.SH', volume: 10 }], journal: { id: 'first', n: 1 } })
  const { data } = await pull()
  const { rows, checksum } = data.facts!
  expect(rows.map(({ code }) => code)).toEqual([...new Set([...data.items.map(({ code }) => code), '110910.SH'])].sort())
  expect(rows[0]).toMatchObject({ lot_min: 10, lot_step: 10, close: expect.any(Number), others: 0, events: [] })
  expect(factsChecksum(rows)).toBe(checksum)
  const { id } = (await ask<{ id: string }>('POST', '/config', qmtConfig(here().ids, { name: '另一个' }))).data
  await beat({ config_id: id, holdings: [{ code: '110910.SH', volume: 30 }], journal: { id: 'other', n: 1 } })
  expect((await pull()).data.facts!.rows.find(({ code }) => code === '110910.SH')).toMatchObject({ others: 30 })
  await ask('DELETE', `/config/${id}`)
  await forget()
})

test('targets name the new code of a change on the trade date, with a note to holders of the former one', async () => {
  const { db } = here().database
  await db.deleteFrom('qmt_targets').execute()
  const old = (await pull()).data.items[0]!.code
  const change = ['110910.SH', '123910.SZ'].find((code) => code !== old)!
  const renamed = { [old]: `11099${old.slice(5)}`, [change]: `12399${change.slice(5)}` }
  await addChanges(
    db,
    Object.entries(renamed).map(([from, to]) => [from, to, monday] as const),
  )
  await db.deleteFrom('qmt_targets').execute()
  await beat({ holdings: [{ code: old, volume: 10 }], journal: { id: 'first', n: 1 } })
  await ask('PUT', `/trading-config/${here().ids.trading}`, qmtTrading({ hold_rank: 7, ignore_codes: [change] }))
  const { data } = await pull()
  expect(data.items[0]!.code).toBe(renamed[old])
  expect(checksumOf(data)).toBe(data.checksum)
  const of = (code: string) => data.facts!.rows.find((row) => row.code === code)
  for (const [from, to] of Object.entries(renamed)) {
    expect(of(from)).toMatchObject({ lot_min: 10, events: [{ day: monday, kind: 'renamed', to }] })
    expect(of(to)).toMatchObject({ lot_min: 10, events: [] })
  }
  // A list that was typed or pasted under the former code is the position of the new one, held once and not bought again.
  for (const text of [`${old} 10`, `${old} 4\n${renamed[old]} 6`]) {
    const { rows, holdings: held } = (await rehearse({ holdings_text: text })).data
    expect(held).toEqual([{ code: renamed[old], volume: 10 }])
    expect(rows.filter(({ code }) => code === old || code === renamed[old])).toMatchObject([{ code: renamed[old], held: 10 }])
  }
  // What the client told to rest under the former code rests under the new one.
  await beat({
    holdings: [{ code: old, volume: 10 }],
    journal: { id: 'first', n: 2 },
    resting: [{ code: old, why: 'event', since: friday, account: 0, book: 10 }],
  })
  const shown = (await rehearse()).data
  expect(shown.rows.filter(({ code }) => code === old || code === renamed[old])).toEqual([])
  expect(shown.dropped).toContainEqual({
    code: renamed[old],
    name: expect.any(String),
    reason: expect.stringMatching(/^暂停：除权、到期或代码变更后/),
  })
  for (const from of Object.keys(renamed)) await forgetChange(db, from)
  await ask('PUT', `/trading-config/${here().ids.trading}`, qmtTrading({ hold_rank: 7 }))
  await db.deleteFrom('qmt_targets').execute()
  await forget()
})

test('a wrong key has its own error and never that of an expired login (24008)', async () => {
  for (const wrong of ['', 'qmt_', `qmt_${'a'.repeat(43)}`, here().user.token, "' or 1=1 --"]) {
    expect(await pull(monday, wrong)).toMatchObject({ status: 400, code: 24008, msg: 'API密钥无效' })
  }
  const anonymous = await here().app.inject({ method: 'GET', url: `/v1/qmt-client/targets?config_id=${here().config}&date=${monday}` })
  expect(anonymous.json()).toMatchObject({ code: 24008 })
  await sql`update qmt_key set expires_at = now() - interval '1 second'`.execute(here().database.db)
  expect(await pull()).toMatchObject({ status: 400, code: 24008 })
  await sql`update qmt_key set expires_at = null where tail = ${here().key.slice(-4)}`.execute(here().database.db)
  expect((await pull()).code).toBe(0)
})

test('another user’s config is answered exactly as a missing one', async () => {
  const other = await newUser(here().database.db)
  await showPassword(other)
  const { data } = await ask<{ api_key: string }>('PUT', '/apikey', undefined, other)
  const body = (config_id: string) => ({ config_id, client_version: '1', dry_run: true, holdings: [] })
  const calls: ((id: string) => Promise<unknown>)[] = [
    (id) => client('GET', `/targets?config_id=${id}&date=${monday}`, undefined, data.api_key),
    (id) => client('POST', '/heartbeat', body(id), data.api_key),
    (id) => client('POST', '/fills', { config_id: id, fills: [fill()] }, data.api_key),
  ]
  for (const call of calls) {
    const foreign = await call(here().config)
    expect(foreign).toMatchObject({ status: 404, code: 40004 })
    expect(foreign).toEqual(await call(uuid()))
  }
})

const nasty = fc.constantFrom<unknown>(
  ...[null, true, '', ' ', 'x', [], [[]], {}, -1, -0, 0.5, 1e308, 2 ** 53, 2 ** 31, Number.MAX_SAFE_INTEGER, '0000-01-01', '2026-02-30'],
  ...['0000-01-01T00:00:00Z', '9999-12-31T23:59:59-14:00', '-000001-01-01T00:00:00Z', '2026-11-23T24:00:00Z', '110901.SH', '999999.DM'],
  ...['\u0000', '\ud800', '__proto__', "'; drop table qmt_fill; --", '𠮷'.repeat(200), 'damaged', 'unsure', 'list', '0001-01-01'],
)

/** A copy with something else in one to three places, its lists doubled now and then. */
const changed = (given: object) =>
  fc.array(fc.tuple(fc.nat(), nasty, fc.nat(9)), { minLength: 1, maxLength: 3 }).map((changes) => {
    const made = structuredClone(given)
    for (const [at, value, how] of changes) {
      const places = placesOf(made)
      const place = places[at % places.length]!
      const key = place.key as keyof typeof place.of
      if (how === 0) delete place.of[key]
      else if (how === 1 && Array.isArray(place.of[key])) place.of[key] = [...place.of[key], ...place.of[key]] as never
      else place.of[key] = value as never
    }
    return made
  })

const placesOf = (of: object): { of: object; key: string }[] =>
  Object.entries(of).flatMap(([key, value]) => [{ of, key }, ...(typeof value === 'object' && value !== null ? placesOf(value) : [])])

test('any body of a client is stored whole or rejected with a sentence', async () => {
  const { config, database } = here()
  const told = { config_id: config, client_version: '2.0.0', dry_run: false, fresh: false, holdings: held, offset_ms: 5, session: 1 }
  const heartbeat = {
    ...told,
    journal: { id: 'first', n: 1 },
    resting: [{ code: '110901.SH', why: 'less', since: monday, account: 60, book: 100, order_id: 'ASKD2345' }],
    changes: [{ code: '123901.SZ', date: monday, why: 'cut', before: 10, after: 0 }],
    words: ['0'.repeat(36)],
  }
  const fills = { config_id: config, fills: [fill({ seq: 1, limit: 101, proof: 'list' }), fill({ order_id: 'BCDE2345' })] }
  const kept = async () => {
    const rows = await database.db.selectFrom('qmt_fill').select('order_id').where('config_id', '=', config).execute()
    return rows.length
  }
  let n = 0
  const answered = async (path: string, body: object) => {
    // Sixty a minute, and this asks faster.
    if (++n % 50 === 0) await sql`delete from rate_use`.execute(database.db)
    const answer = await client('POST', path, body)
    const said = `${answer.status} ${answer.code} ${answer.msg} ${JSON.stringify(body).slice(0, 500)}`
    expect([answer.status === 200, said]).toEqual([answer.code === 0, said])
    expect([500, 403, 503], said).not.toContain(answer.status)
    expect(answer.msg, said).toMatch(answer.code === 0 ? /^/ : /[\u4e00-\u9fff]/)
    return answer
  }
  // PostgreSQL has no year 0, and a day of Shanghai needs one that can be written.
  const far = [{ trade_date: '0000-01-01' }, { ordered_at: '0000-01-01T00:00:00Z' }, { ordered_at: '9999-12-31T23:59:59-14:00' }]
  for (const one of far) {
    expect(await answered('/fills', { config_id: config, fills: [fill(one)] })).toMatchObject({ status: 400, code: 40000 })
  }
  await fc.assert(
    fc.asyncProperty(changed(heartbeat), async (body) => {
      await answered('/heartbeat', body)
      expect((await ask('GET', '/questions')).code).toBe(0)
      expect((await ask('GET', '/config/list')).code).toBe(0)
    }),
    { numRuns: 80, seed: 20261126 },
  )
  await fc.assert(
    fc.asyncProperty(changed(fills), async (body) => {
      const before = await kept()
      const { code } = await answered('/fills', body)
      if (code !== 0) expect(await kept()).toBe(before)
    }),
    { numRuns: 80, seed: 20261126 },
  )
  expect((await ask('GET', `/config/${config}/fills`)).code).toBe(0)
  expect((await pull()).status).toBe(200)
  await forget()
})

test('a key is accepted by the client’s calls only', async () => {
  for (const { method, path, auth } of endpoints.filter((one) => one.auth && !one.stream)) {
    if (!auth) continue
    const url = path.replace(/\{[^}]+\}/g, here().config)
    const answer = await here().app.inject({ method, url, headers: { 'x-api-key': here().key, 'access-token': here().key } })
    expect([path, answer.statusCode]).toEqual([path, 401])
  }
})

test('a client has a rate limit of sixty requests a minute', async () => {
  const codes = []
  for (let i = 0; i < 62; i++) codes.push((await client('POST', '/heartbeat', {})).code)
  expect(codes.slice(0, 60).every((code) => code === 40000)).toBe(true)
  expect(codes.slice(60)).toEqual([40029, 40029])
})
