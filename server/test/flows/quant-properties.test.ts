import { type Endpoint, type ErrorCode, endpoints, errors, Parameters } from '@convexa/contract'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { shanghaiDay } from '../../src/base/time.ts'
import { lastClosedDay, nextTradingDay } from '../../src/market/calendar.ts'
import { AnswerCounts } from '../fixtures/answer-counts.ts'
import { hostile } from '../fixtures/hostile.ts'
import { call, newUser, openStream, type TestUser } from '../fixtures/processes.ts'
import { qmtAccount, qmtConfig, qmtTrading } from '../fixtures/qmt.ts'
import { binning, parameters, request } from '../fixtures/requests.ts'
import { valuesOf } from '../fixtures/schema-values.ts'
import { testSite } from '../fixtures/site.ts'

// Nearly right requests to everything that computes, on real data with a real worker (G5). `npm run fuzz:requests` asks many times as often.

const asked = Number(process.env['MALFORMED'] ?? 120)
const answers = new AnswerCounts()

const { database, api } = await testSite({
  markets: (['cb', 'stk'] as const).map((kind) => ({ kind, from: '2022-01-04', to: '2022-12-30', securities: 12 })),
})
const user = await newUser(database.db, 1)

beforeAll(async () => {
  for (const [kind, segment] of [
    ['cb', 'convertible-bond'],
    ['stk', 'stock'],
  ] as const) {
    const at = `/v1/quant/${segment}/strategy`
    for (const strategy_name of ['甲', '乙']) {
      const { data } = await call<{ id: string }>(api, user, 'POST', at, { strategy_name, detail: parameters(kind, 'close', 3, 5) })
      strategies[kind].push(data.id)
    }
    const body = { group_name: '组合', members: halves(kind), rebalance: 'never', duplicate: 'merge' }
    groups[kind] = (await call<{ id: string }>(api, user, 'POST', `${at}/group`, body)).data.id
    const factor = { factor_name: '收盘价的一半', formula: 'close / 2' }
    factors[kind] = (await call<{ id: string }>(api, user, 'POST', `/v1/quant/${segment}/customized-factors`, factor)).data.id
  }
  await saveQmt()
})

afterAll(() => console.info(`nearly right: ${answers.words()}`))

/** For the terminal: an account, a trading config and a config of the first strategy. */
async function saveQmt() {
  const at = '/v1/quant/qmt'
  const make = async (path: string, body: object) => (await call<{ id: string }>(api, user, 'POST', `${at}/${path}`, body)).data.id
  qmt.account = await make('account', qmtAccount())
  qmt.trading = await make('trading-config', qmtTrading())
  qmt.config = await make('config', qmtConfig({ ...qmt, strategy: strategies.cb[0]! }))
}
const qmt = { account: '', trading: '', config: '' }

/** What the user has saved. */
const strategies: Record<'cb' | 'stk', string[]> = { cb: [], stk: [] }
const groups = { cb: '', stk: '' }
const factors = { cb: '', stk: '' }
const halves = (kind: 'cb' | 'stk') => strategies[kind].map((strategy_id) => ({ strategy_id, weight: 0.5 }))

const computing = endpoints.filter(({ path, stream, method }) => {
  return !stream && /^\/v1\/quant\//.test(path) && !(method === 'DELETE' || /\/(backtest|share)\b/.test(path))
})

/** What goes to a terminal is never of demo data; what is confirmed is a hash that nobody guesses. */
const refusesDemo = ({ path }: Endpoint) => /\/(qmt-basket|export\/\{id\}|confirm)$/.test(path)
/** A rehearsal is of the next trading day: a program that is older than the year knows none. */
const hasNoDay = ({ path }: Endpoint) => path.endsWith('/dry-run') && nextTradingDay(lastClosedDay(new Date())) === null

const places: Record<string, string[]> = {
  id: ['all', 'custom', 'call', '900003.DM', '800003.DM', 'convertible-bond', 'stock', '%00', '0198aaaa-0000-7000-8000-000000000000'],
  year: ['2022', '1', 'x'],
  type: ['1', '2', '3', 'cb'],
  order_id: ['0198aaaa00007000-1', 'x', '%00'],
  code: ['600001.SH', '110001.SH', 'x', '%00'],
}

/** What the user has of the kind that a path speaks of. */
const savedFor: readonly (readonly [part: string, id: (kind: 'cb' | 'stk') => string | undefined])[] = [
  ['/qmt/account/', () => qmt.account],
  ['/qmt/trading-config/', () => qmt.trading],
  ['/qmt/config/', () => qmt.config],
  ['/group/', (kind) => groups[kind]],
  ['/strategy/', (kind) => strategies[kind][0]],
  ['/customized-factors/', (kind) => factors[kind]],
]

/** An encoded URL and a body for the call. */
function requestOf(endpoint: Endpoint) {
  const url = fc.tuple(fc.nat(), endpoint.query ? valuesOf(endpoint.query) : fc.constant({})).map(([n, query]) => {
    const path = endpoint.path.replace(/\{([^}]+)\}/g, (_, name: string) => {
      // Each second time one that is there.
      const kind = endpoint.path.includes('/stock/') ? 'stk' : 'cb'
      const saved = savedFor.find(([part]) => endpoint.path.includes(part))?.[1](kind)
      return saved && name === 'id' && n % 2 === 0 ? saved : places[name]![n % places[name]!.length]!
    })
    const given = Object.entries((query ?? {}) as Record<string, unknown>).flatMap(([key, value]) =>
      [value].flat().map((one) => [key, String(one).replace(/\p{Cs}/gu, '?')]),
    )
    return `${path}?${new URLSearchParams(given)}`
  })
  return fc.record({ url, body: endpoint.body ? bodyOf(endpoint.body) : fc.constant(undefined) })
}

/** Of a screen mostly a right rule with one or two parts of it made anew: made up whole, it would hardly ever be computed. */
function bodyOf(schema: z.ZodType): fc.Arbitrary<unknown> {
  const made = valuesOf(schema)
  if (!(schema instanceof z.ZodObject)) return made
  if ('members' in schema.shape) {
    const kinds = fc.constantFrom<'cb' | 'stk'>('cb', 'stk')
    const near = fc.record({ given: made, kind: kinds }).map(({ given, kind }) => ({ ...(given as object), members: halves(kind) }))
    return fc.oneof({ weight: 4, arbitrary: near }, { weight: 1, arbitrary: made })
  }
  const right = rightOf(schema)
  if (right) {
    const parts = Object.entries(schema.shape).map(([key, part]) => valuesOf(part as z.ZodType).map((value) => ({ [key]: value })))
    const near = fc
      .tuple(right, fc.array(fc.oneof(...parts), { maxLength: 1 }))
      .map(([body, changes]) => Object.assign({}, body, ...changes) as unknown)
    return fc.oneof({ weight: 4, arbitrary: near }, { weight: 1, arbitrary: made })
  }
  const rule = 'parameters' in schema.shape ? 'parameters' : 'detail'
  if (!(rule in schema.shape)) return made
  const parts = Object.entries(Parameters.shape).map(([key, part]) => valuesOf(part).map((value) => ({ [key]: value })))
  const nearRule = fc
    .array(fc.oneof(...parts), { maxLength: 2 })
    .map((changes) => Object.assign({}, parameters('cb', 'close', 3, 5), ...changes) as unknown)
  const dated =
    'trade_date' in schema.shape
      ? fc.constantFrom('2022-06-30', '2022-12-29', '2022-06-26').map((trade_date) => ({ trade_date }))
      : fc.constant({})
  const named = 'strategy_name' in schema.shape ? fc.uuid().map((strategy_name) => ({ strategy_name })) : fc.constant({})
  const near = fc
    .record({ parts: nearRule, given: dated, name: named, rest: restOf(schema) })
    .map(({ parts, given, name, rest }) => ({ [rule]: parts, ...given, ...name, ...rest }))
  return fc.oneof({ weight: 4, arbitrary: near }, { weight: 1, arbitrary: made })
}

/** Right bodies for what is set up for the terminal, each under a name of its own. */
function rightOf({ shape }: z.ZodObject): fc.Arbitrary<object> | null {
  if ('price_guard' in shape) return fc.uuid().map((name) => qmtTrading({ name }))
  if ('account_id' in shape) return fc.uuid().map((name) => qmtConfig({ ...qmt, strategy: strategies.cb[0]! }, { name }))
  return null
}

/** What a run, a grid or a binning asks for besides the rule, right for one of the markets. */
function restOf({ shape }: z.ZodObject): fc.Arbitrary<object> {
  if (!('settings' in shape) || 'detail' in shape) return fc.constant({})
  return fc.constantFrom<'cb' | 'stk'>('cb', 'stk').map((kind) => {
    // The small stocks have no adjustment factor.
    const settings = { ...request(kind, { start: '2022-02-08', end: '2022-11-30' }).settings, adjust: 'hfq' as const }
    const { start_date, end_date, benchmark } = settings
    if (!('factor' in shape)) return { settings, ...('axes' in shape && { axes: [] }) }
    const bins = { factor: 'close', bins: 2, method: 'quantile', forward_days: [1, 5], rebalance_days: 5, weight: 'equal' }
    return { ...bins, neutralization: null, pool_mode: 'all', settings: { start_date, end_date, benchmark } }
  })
}

test.each(computing.map((one) => [`${one.method} ${one.path}`, one] as const))(
  '%s answers by the contract, whatever nearly right it is asked',
  async (_name, endpoint) => {
    let answered = 0
    // Requests that are all refused would show nothing: more are asked until one is right.
    const mustAnswer = endpoint.method !== 'PUT' && !refusesDemo(endpoint) && !hasNoDay(endpoint)
    const numRuns = Math.max(endpoint.method === 'POST' ? 6 : 4, Math.round(asked / computing.length))
    for (let part = 0; part === 0 || (mustAnswer && answered === 0 && part < 20); part++)
      await fc.assert(
        fc.asyncProperty(requestOf(endpoint), async ({ url, body }) => {
          const began = performance.now()
          const { status, code, msg } = await call(api, user, endpoint.method, url, endpoint.body ? body : undefined)
          answers.add(status, performance.now() - began)
          const said = `${status} ${code} ${msg}`
          // Answers are checked against their schema (CHECK_ANSWERS): one that breaks it is a 500.
          expect([500, 401, 403, 503], said).not.toContain(status)
          expect([status === 200, said]).toEqual([code === 0, said])
          // A formula's own signs may be quoted, what cannot be seen may not.
          expect(msg).toMatch(/^\P{C}*[\u4e00-\u9fff]\P{C}*$/u)
          expect([...msg].length).toBeLessThanOrEqual(100)
          if (code === 0) answered++
        }),
        { numRuns, seed: 20261121 + part },
      )
    if (mustAnswer) expect(answered).toBeGreaterThan(0)
  },
  300_000,
)

describe.each([
  ['cb', 'convertible-bond', ['quick-backtest', 'binning', 'grid-backtest', 'advanced-backtest']],
  ['stk', 'stock', ['quick-backtest', 'binning', 'backtest']],
] as const)('what is wrong in one thing is refused by its own code, %s', (kind, segment, names) => {
  interface Asked {
    start?: string
    end?: string
    factor?: string
    benchmark?: string
  }
  const bodyFor = (name: string, { start = '2022-02-08', end = '2022-11-30', factor = 'close', benchmark = `${kind}_ew` }: Asked) => {
    const { parameters, settings } = request(kind, { start, end, factor })
    const { start_date, end_date } = settings
    if (name === 'binning') return binning(kind, { factor, bins: 2, settings: { start_date, end_date, benchmark } })
    return { parameters, settings: { ...settings, benchmark, adjust: 'hfq' }, ...(name === 'grid-backtest' && { axes: [] }) }
  }
  const answerOf = async (name: string, who: TestUser, asked: Asked) => {
    const path = `/v1/quant/${segment}/${name}`
    if (!/^(advanced-)?backtest$/.test(name)) {
      const { status, code } = await call(api, who, 'POST', path, bodyFor(name, asked))
      return [status, code]
    }
    // A stream says it in a line after HTTP 200; what the status of its code would be is in the table of codes.
    const last = await openStream(api, who, path, bodyFor(name, asked)).ended
    const code = last.kind === 'error' ? last.code : last.kind === 'event' ? 0 : -1
    return [errors[code as ErrorCode]?.http, code]
  }

  test.each(names)('%s', async (name) => {
    const asker = await newUser(database.db, 1)
    const cases: [Asked, number, number][] = [
      [{}, 200, 0],
      [{ start: '2022-11-30', end: '2022-02-08' }, 400, 21007],
      [{ start: '2010-01-04' }, 400, 21007],
      [{ end: '2023-06-30' }, 400, 21007],
      [{ factor: 'formula: close +' }, 400, 22002],
      [{ factor: 'formula: wonder(close)' }, 400, 22006],
      [{ factor: 'formula: ts_mean(close)' }, 400, 22007],
      [{ factor: 'formula: ts_mean(close, 501)' }, 400, 22008],
      [{ factor: 'wonder' }, 400, 22009],
      [{ benchmark: '000905' }, 400, 23001],
    ]
    for (const [asked, ...told] of cases) expect([asked, ...(await answerOf(name, asker, asked))]).toEqual([asked, ...told])
    const item = { 'grid-backtest': 'grid', backtest: 'backtest', 'advanced-backtest': 'backtest' }[name as string]
    // Of what was refused nothing was counted.
    const counted = await database.db.selectFrom('quota_use').select(['item', 'used']).where('user_id', '=', asker.id).execute()
    expect(counted.filter(({ item: one }) => one !== 'compute_ms')).toEqual(item ? [{ item, used: 1 }] : [])
    for (const [of, most] of [['compute_ms', 6_000_000], ...(item ? [[item, { grid: 50, backtest: 200 }[item]!] as const] : [])] as const) {
      const spent = await newUser(database.db, 1)
      await database.db.insertInto('quota_use').values({ user_id: spent.id, day: shanghaiDay(), item: of, used: most }).execute()
      expect([of, ...(await answerOf(name, spent, {}))]).toEqual([of, 429, 21002])
    }
  })
})

test('forty hostile texts in the fields of a factor are stored unchanged or rejected', async () => {
  const path = '/v1/quant/convertible-bond/customized-factors'
  for (const [i, given] of hostile.entries()) {
    for (const member of ['factor_name', 'description', 'unit', 'formula']) {
      const body = { factor_name: `${member}${i}`, formula: 'close', [member]: given }
      const { status, code, msg, data } = await call<{ id: string } | null>(api, user, 'POST', path, body)
      expect([member, i, status === 200 || (status >= 400 && status < 500), code === 0]).toEqual([member, i, true, status === 200])
      expect(msg).toMatch(/^\P{C}{1,100}$/u)
      if (!data) continue
      const kept = await database.db.selectFrom('custom_factor').selectAll().where('id', '=', data.id).executeTakeFirstOrThrow()
      const column = member === 'factor_name' ? 'name' : (member as 'description' | 'unit' | 'formula')
      expect(kept[column]).toBe(member === 'factor_name' ? given.normalize('NFC').trim() : given)
      await call(api, user, 'DELETE', `${path}/${data.id}`)
    }
  }
})
