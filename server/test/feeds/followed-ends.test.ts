/**
 * Strategies that are followed day by day on live data, over bonds that end: what was recorded on each day, and what each day said of every bond,
 * is what a run over the same days finds that is made afterwards.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Settings } from '@convexa/contract'
import { type BacktestOutcome, backtest, crossSection, glance, markets, type Panel, screen, usualRules } from '@convexa/engine'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { chain } from '../../src/feeds/chain.ts'
import { ingest } from '../../src/feeds/ingest/ingest.ts'
import { doRound, type Round } from '../../src/feeds/ingest/schedule.ts'
import { transport } from '../../src/feeds/source/transport.ts'
import { tushare } from '../../src/feeds/tushare/tushare.ts'
import { loadPanel } from '../../src/market/panels.ts'
import { newestSnapshot, snapshotPath } from '../../src/market/snapshot.ts'
import { followAll } from '../../src/strategy/daily.ts'
import type { SummaryDeps } from '../../src/strategy/glances.ts'
import { addStrategy } from '../../src/strategy/strategies.ts'
import { type TestDatabase, testDatabase } from '../fixtures/database.ts'
import { newUser } from '../fixtures/processes.ts'
import { parameters } from '../fixtures/requests.ts'
import { type BondEnd, makeSeason, withEnds } from '../fixtures/season/market.ts'
import { momentOf } from '../fixtures/season/moments.ts'
import { seasonTeller } from '../fixtures/season/teller.ts'
import { groundAt } from './ground.ts'
import { answerCall, sendFrom } from './tushare-door.ts'
import { token } from './tushare-script.ts'

const seed = 5
const drawn = makeSeason({ shares: 40, bonds: 30, days: 24, from: '2026-09-14', to: '2026-10-23', seed })
const first = drawn.days[0]!
const whole = drawn.bonds.filter(({ listed, ended }) => listed < first && ended === null).map(({ code }) => code)
const [shanghai, shenzhen] = ['.SH', '.SZ'].map((exchange) => whole.filter((code) => code.endsWith(exchange)))
const [called, matures, corrected] = shanghai as [string, string, string]
const [priced, silent] = shenzhen as [string, string]
const notice = (ann_date: string, more: Readonly<Record<string, string | number>> = {}) => ({ ann_date, is_call: '公告实施强赎', ...more })
const coupons = Array.from({ length: 6 }, (_, i) => `${2020 + i}1017-${2021 + i}1016,票面利率:${((i + 1) * 0.3).toFixed(2)}%`).join(';')

/** Holidays: 09-25, and 10-01 to 10-07. */
const ends = new Map<string, BondEnd & { delisted: string }>([
  // The day before its last one lies before the holidays; two notices of one day, of which the second says the price.
  [
    called,
    {
      ...{ lastDay: '2026-10-08', delisted: '2026-10-14' },
      notices: [
        notice('20260915'),
        notice('20260921', { call_reg_date: '20261013' }),
        notice('20260921', { call_reg_date: '20261013', call_price: 100.9, call_date: '20261014' }),
      ],
    },
  ],
  // What it pays is said when it trades no more; until then it follows from the terms.
  [
    priced,
    {
      ...{ lastDay: '2026-09-22', delisted: '2026-10-13' },
      notices: [notice('20260915', { call_reg_date: '20260928' }), notice('20260923', { call_price: 101.5 })],
    },
  ],
  // Its register day is put off before the first last day has come.
  [
    corrected,
    {
      ...{ lastDay: '2026-09-23', delisted: '2026-09-30' },
      notices: [notice('20260914', { call_reg_date: '20260924' }), notice('20260917', { call_reg_date: '20260929' })],
    },
  ],
  [
    matures,
    {
      ...{ lastDay: '2026-10-13', delisted: '2026-10-19', notices: [] },
      terms: { value_date: '20201017', maturity_date: '20261017', conv_end_date: '20261016', rate_clause: coupons },
    },
  ],
  // Of this end nobody says a word before the list does.
  [silent, { lastDay: '2026-09-17', delisted: '2026-09-24', notices: [] }],
])
const season = withEnds(drawn, ends)

const handlings = ['t_minus_1_close', 'last_day_close', 'hold_to_redemption'] as const
const held = [...ends.keys(), ...whole.filter((code) => !ends.has(code)).slice(0, 4)]
/** All of some bonds, or the dearest of all every other day; called ones are kept. */
const rules = {
  all: {
    ...parameters('cb', 'close', held.length, 1),
    universe: { markets: [], exclude_codes: [], include_codes: held },
  },
  dearest: {
    ...parameters('cb', 'formula: 0 - close', 8, 2),
    hold_method: { ...parameters('cb', 'close', 8, 2).hold_method, empty_slot: 'next' as const },
  },
}
const settings = (call_handling: Settings['call_handling']): Settings => ({
  ...{ start_date: first, end_date: season.days.at(-1)!, benchmark: 'cb_ew', capital: 100 },
  cost: { buy_rate: 0.0001, sell_rate: 0.0002, slippage: 0.001 },
  ...{ execution: 'realistic', fill: 'close', call_handling, delisting: 'last_price', adjust: 'raw' },
})

/** Facts and counts of a bond on a day: whatever is known later of it changes none of them. */
const facts = [
  ...markets.cb.fields.filter(({ fact }) => fact).map(({ key }) => key),
  ...['redeem_count', 'redeem_remain_days', 'reset_count', 'call_status', 'is_call'],
]
/** What a panel says of each listed bond on a day; what no bond has is absent. */
const said = (panel: Panel, day: number) =>
  Object.fromEntries(
    facts.map((key) => {
      const outcome = crossSection(panel, markets.cb, [key], day)
      const told = outcome.ok ? outcome.codes.map((code, i) => [code, outcome.values[0]![i] ?? null] as const) : []
      return [key, Object.fromEntries(told.filter(([, value]) => value !== null))]
    }),
  )
const listOf = (panel: Panel, day: number) => {
  const outcome = screen(panel, markets.cb, { parameters: rules.all, day, previous: [], need: ['list'] })
  return outcome.ok ? outcome.result.list_items.filter(({ selected }) => selected).map(({ code }) => code) : []
}

let database: TestDatabase
const dataDir = mkdtempSync(join(tmpdir(), 'convexa-followed-'))
const days: { said: ReturnType<typeof said>; list: string[]; cells: Record<string, number> }[] = []
const strategies: { id: string; rule: keyof typeof rules; handling: Settings['call_handling'] }[] = []
const panelNow = async () => loadPanel(snapshotPath(dataDir, (await newestSnapshot(database.db, 'cb'))!), null, 'all')
/** The stored cells of a day by column and bond, absent ones left out. */
const cellsOf = ({ columns, securities, stride }: Panel, day: number): Record<string, number> =>
  Object.fromEntries(
    [...columns].flatMap(([key, cells]) =>
      securities.flatMap(({ code }, i): [string, number][] => {
        const cell = cells[day * stride + i]!
        return cell === cell ? [[`${key} ${code}`, cell]] : []
      }),
    ),
  )

beforeAll(async () => {
  database = await testDatabase()
  const { db } = database
  const deps = groundAt(`${first}T20:00:00+08:00`)
  const teller = seasonTeller(season, seed, deps.now, [], true)
  const send = sendFrom((call) => answerCall(call, teller.answer(call)))
  const source = chain([tushare({ url: 'http://tushare', token, perMinute: 100_000 }, transport(deps, {}, send), deps.now)], deps.now)
  const on = { db, dataDir, chain: source, signal: new AbortController().signal, now: () => new Date(deps.now()) }
  const followed: SummaryDeps = {
    ...{ db, config: { dataDir, tradingRules: usualRules }, now: on.now },
    compute: {
      async call(_name, _data, input) {
        const outcome = glance(await panelNow(), markets.cb, input as Parameters<typeof glance>[2])
        if (!outcome.ok) throw new Error(outcome.problem.message)
        return JSON.parse(JSON.stringify(outcome.glance))
      },
    },
  }
  const follow = () => followAll(followed, on.signal)
  await ingest(on, { through: first, from: first, kinds: ['stk', 'cb'], steps: ['quotes', 'events'] })
  const user = await newUser(db, 2)
  for (const rule of Object.keys(rules) as (keyof typeof rules)[])
    for (const handling of handlings) {
      const body = { strategy_name: `${rule} ${handling}`, detail: rules[rule], settings: settings(handling) }
      const { id } = await addStrategy({ db, config: followed.config } as Parameters<typeof addStrategy>[0], user.id, 'cb', body)
      strategies.push({ id, rule, handling })
    }
  await sql`update strategy_version set created_at = ${`${first}T10:00:00+08:00`}::timestamptz`.execute(db)
  for (const [t, day] of season.days.entries()) {
    const rounds: [string, Round][] = [
      ['16:30', 'quotes'],
      ['20:00', 'statements'],
    ]
    for (const [time, round] of t === 0 ? [] : rounds) {
      deps.turnTo(new Date(momentOf(day, time)).toISOString())
      await doRound({ ...on, log: () => {} }, round)
      await follow()
    }
    if (t === 0) await follow()
    const panel = await panelNow()
    expect(panel.dates.at(-1)).toBe(day)
    days.push({ said: said(panel, t), list: listOf(panel, t), cells: cellsOf(panel, t) })
  }
})

afterAll(async () => {
  await database.drop()
  rmSync(dataDir, { recursive: true, force: true })
})

test('each day said of every bond what is said of that day later, and listed the same', async () => {
  const panel = await panelNow()
  for (const [t, day] of season.days.entries()) {
    expect({ day, ...said(panel, t) }).toEqual({ day, ...days[t]!.said })
    expect({ day, list: listOf(panel, t) }).toEqual({ day, list: days[t]!.list })
    expect({ day, ...cellsOf(panel, t) }).toEqual({ day, ...days[t]!.cells })
  }
  // The days that were known: holidays are none of those that are left.
  const at = (day: string) => days[season.days.indexOf(day)]!.said
  expect(at('2026-09-22')).toMatchObject({ last_trade_date: { [called]: 20261008, [priced]: 20260922, [corrected]: 20260923 } })
  expect(at('2026-09-22')['redeem_left_days']![called]).toBe(6)
  expect(at('2026-09-15')['last_trade_date']).toMatchObject({ [corrected]: 20260921 })
  expect(at('2026-09-22')['redeem_price']).toMatchObject({ [called]: 100.9 })
  // It has ended on the day after, whenever it is delisted.
  expect(days.map(({ said }) => said['list_date']![called] !== undefined)).toEqual(season.days.map((day) => day <= '2026-10-08'))
  expect(days.map(({ said }) => said['list_date']![silent] !== undefined)).toEqual(season.days.map((day) => day < '2026-09-24'))
  const last = (code: string) => panel.securities.find((bond) => bond.code === code)
  expect(last(called)).toMatchObject({ lastDay: '2026-10-08', delisted: '2026-10-14', exitReason: 'called' })
  expect(last(matures)).toMatchObject({ lastDay: '2026-10-13', delisted: '2026-10-19', exitReason: 'maturity' })
})

test.each(handlings)('what was followed with %s is the run that is made afterwards, to 1e-9', async (handling) => {
  const panel = await panelNow()
  for (const { id, rule } of strategies.filter((each) => each.handling === handling)) {
    const run = ended(panel, { parameters: rules[rule], settings: settings(handling) })
    const recorded = await database.db
      .selectFrom('strategy_day')
      .select(['date', 'codes', 'nav', 'on_time'])
      .where('strategy_id', '=', id)
      .orderBy('date')
      .execute()
    expect(recorded.map(({ date }) => date)).toEqual([...season.days])
    expect(recorded.every(({ on_time }) => on_time)).toBe(true)
    const { nav } = run.report.curves
    const worst = Math.max(...recorded.map((row, t) => Math.abs(row.nav - nav[t]!)))
    expect(worst).toBeLessThan(1e-9)
    const claims = new Set(['claim', 'unpaid'])
    const holdings = run.days.map(({ positions }) => positions.flatMap(({ code, reason }) => (claims.has(reason) ? [] : [code])).sort())
    expect(recorded.map(({ codes }) => codes.toSorted())).toEqual(holdings)
    if (rule !== 'all') continue
    expect(endsIn(run)).toEqual(expected[handling])
    // What nobody called and nobody can price is no cash at its last price.
    const unpaid = run.days.map(({ positions }) => positions.find(({ code }) => code === silent)?.reason === 'unpaid')
    expect(unpaid).toEqual(season.days.map((day) => day >= '2026-09-24'))
  }
})

const expected: Readonly<Record<(typeof handlings)[number], readonly string[]>> = {
  t_minus_1_close: [
    `2026-09-21 ${priced} last_day`,
    `2026-09-22 ${corrected} last_day`,
    `2026-09-30 ${called} last_day`,
    `2026-10-12 ${matures} last_day`,
  ],
  last_day_close: [
    `2026-09-22 ${priced} last_day`,
    `2026-09-23 ${corrected} last_day`,
    `2026-10-08 ${called} last_day`,
    `2026-10-13 ${matures} last_day`,
  ],
  hold_to_redemption: [
    `2026-09-30 ${corrected} called ${(100 + (0.9 * 268) / 365).toFixed(3)}`,
    `2026-10-13 ${priced} called 101.500`,
    `2026-10-14 ${called} called 100.900`,
    `2026-10-19 ${matures} matured 108.000`,
  ],
}

/** How the positions in bonds that end were left; a redemption with its price. */
function endsIn({ report }: ReturnType<typeof ended>): string[] {
  return report.trades
    .filter(({ code, side, reason }) => ends.has(code) && side === 'sell' && ['called', 'matured', 'last_day', 'delisted'].includes(reason))
    .map(({ date, code, reason, price }) =>
      [date, code, reason, ...(reason.endsWith('ed') && reason !== 'delisted' ? [price.toFixed(3)] : [])].join(' '),
    )
    .sort()
}

function ended(panel: Panel, request: Parameters<typeof backtest>[2]): Extract<BacktestOutcome, { ok: true }> {
  const steps = backtest(panel, markets.cb, request)
  let step = steps.next()
  while (!step.done) step = steps.next()
  if (!step.value.ok) throw new Error(step.value.problem.message)
  return step.value
}
