import { callState, callStatus, carryForward, redeemCounts } from '@convexa/engine'
import { expect, it } from 'vitest'
import { answersOn, dates, tables } from '../../../test/model-days.ts'
import { pastOf } from '../../../test/past-of.ts'
import { addDays } from '../../market/calendar.ts'
import type { Facts } from './facts.ts'
import { makeDay } from './make-day.ts'

// The call status of a market that keeps it.

const { securities, stride, listed, traded, columns } = tables.cb
const carried = new Map(['close_stk', 'conv_price', 'vol_stk'].map((key) => [key, Float64Array.from(columns.get(key)!.cells)]))
for (const key of ['close_stk', 'conv_price']) carryForward(carried.get(key)!, { listed, traded, stride }, 0, dates.length)
const callLists = [[dates[0]!, dates.at(-1)!] as const]
const counted = { dates, securities, stride, listed, traded, columns: carried, callLists }
const redeem = redeemCounts(counted)!
// The states that the columns and announcements of all days make, the call's own announcements aside.
const states = callStatus(
  callState({ ...counted, columns: new Map([...carried, ['call_status', new Float64Array(listed.length)]]) }, redeem),
)!
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
  for (const { code, whole, status } of await statusesAfter(t, 2, hinted(61))) expect([code, status]).toEqual([code, whole])
})
