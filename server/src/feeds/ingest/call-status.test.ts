import { callState, callStatus, carryForward, redeemCounts } from '@convexa/engine'
import { expect, it } from 'vitest'
import { answersOn, dates, tables } from '../../../test/fixtures/market/model-days.ts'
import { pastOf } from '../../../test/fixtures/market/past-of.ts'
import type { CallRow } from '../../db/tables/fact-value.ts'
import { addDays } from '../../market/calendar.ts'
import type { Facts } from './facts.ts'
import { makeDay } from './make-day.ts'

// The call status of a market that keeps it.

const { securities, stride, listed, traded, columns } = tables.cb
const carried = new Map(['close_stk', 'conv_price', 'vol_stk'].map((key) => [key, Float64Array.from(columns.get(key)!.cells)]))
for (const key of ['close_stk', 'conv_price']) carryForward(carried.get(key)!, { listed, traded, stride }, 0, dates.length)
const callLists = [[dates[0]!, dates.at(-1)!] as const]
const counted = { dates, securities, stride, listed, traded, columns: carried, callLists }
/** The states that the columns and announcements of all days make, the call's own announcements aside. */
const statesOf = (of: typeof counted) =>
  callStatus(callState({ ...of, columns: new Map([...carried, ['call_status', new Float64Array(listed.length)]]) }, redeemCounts(of)))!
const states = statesOf(counted)
const placeOf = new Map(securities.map(({ code }, place) => [code, place]))

/** The day of row `t`, after one on which every bond is said to be so. */
async function statusesAfter(t: number, said: number, calls?: Facts['calls']): Promise<{ code: string; whole: number; status: number }[]> {
  const past = pastOf(tables.cb, t)
  const columns = new Map([...past.columns, ['call_status', new Float64Array(past.stride * past.dates.length).fill(said)]])
  const answers = await answersOn('cb', t)
  const facts = { ...answers.facts, ...(calls && { calls }) }
  const { day } = makeDay({ ...past, columns, fields: new Set([...past.fields, 'call_status']) }, { ...answers, facts })
  return day!.securities.flatMap(({ code }, i) => {
    const whole = states[t * stride + placeOf.get(code)!]!
    return day!.listed[i] === 1 ? [{ code, whole, status: day!.columns.get('call_status')![i]! }] : []
  })
}

it('a bond has met its condition while the days of its clause say so, whatever it was the day before', async () => {
  const met: number[] = []
  for (let t = dates.length - 241; t < dates.length; t += 20) {
    for (const said of [0, 1]) {
      const open = (await statusesAfter(t, said)).filter(({ status }) => status < 2)
      for (const { code, whole, status } of open) expect([dates[t], code, status]).toEqual([dates[t], code, whole])
      met.push(open.filter(({ status }) => status === 1).length)
    }
  }
  expect(Math.max(...met)).toBeGreaterThan(0)
})

it('an announcement of before stands', async () => {
  for (const { status } of await statusesAfter(dates.length - 1, 5)) expect(status).toBeGreaterThan(2)
})

it('a hint that nothing more is heard of stands for sixty days, whatever it was the day before', async () => {
  const t = dates.length - 1
  const hint = { status: 'will_call', callDate: null, price: Number.NaN, registerDate: null } as const
  const hinted = (daysAgo: number): Facts['calls'] =>
    new Map(securities.map(({ code }) => [code, [{ ...hint, code, announced: addDays(dates[t]!, -daysAgo) }]]))
  for (const { status } of await statusesAfter(t, 0, hinted(60))) expect(status).toBe(2)
  // As long as it stood its issuer was not presumed to be silent.
  const held = statesOf({
    ...counted,
    securities: securities.map((each) => ({
      ...each,
      announcements: [...(each.announcements ?? []), { date: addDays(dates[t]!, -61), kind: 'redeem_hint' as const }].sort((a, b) =>
        a.date < b.date ? -1 : 1,
      ),
    })),
  })
  for (const { code, status } of await statusesAfter(t, 2, hinted(61)))
    expect([code, status]).toEqual([code, held[t * stride + placeOf.get(code)!]])
})

it('a published call is taken back by no row of its list that says less, also of its own day', async () => {
  const t = dates.length - 1
  const row = { callDate: null, price: Number.NaN, registerDate: null } as const
  const listed = (...rows: readonly (readonly [daysAgo: number, status: CallRow['status']])[]): Facts['calls'] =>
    new Map(
      securities.map(({ code }) => [
        code,
        rows.map(([daysAgo, status]) => ({ ...row, code, status, announced: addDays(dates[t]!, -daysAgo) })),
      ]),
    )
  const told = async (calls: Facts['calls'], said = 0) => new Set((await statusesAfter(t, said, calls)).map(({ status }) => status))
  const [notice, announced, maturity] = [2, 3, 5]
  for (const lesser of ['met', 'will_call'] as const) {
    expect(await told(listed([20, 'called'], [3, lesser]))).toEqual(new Set([announced]))
    expect(await told(listed([20, 'called'], [20, lesser]))).toEqual(new Set([announced]))
    expect(await told(listed([20, 'matures'], [3, lesser]))).toEqual(new Set([maturity]))
    // What the file said that was imported stands as well.
    expect(await told(listed([3, lesser]), announced)).toEqual(new Set([announced]))
  }
  expect(await told(listed([80, 'called'], [70, 'will_call']))).toEqual(new Set([announced]))
  expect(await told(listed([20, 'will_call'], [3, 'met']))).toEqual(new Set([notice]))
  expect(await told(listed([20, 'will_call'], [3, 'called']))).toEqual(new Set([announced]))
  expect((await told(listed([20, 'called'], [3, 'will_not_call']))).has(announced)).toBe(false)
})
