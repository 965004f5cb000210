import type { MarketFigures, RealtimeFactors, ScreenResult, SecurityFactors } from '@convexa/contract'
import { expect, test } from 'vitest'
import { keepTape, taped } from '../../src/feeds/live/quote-store.ts'
import { publishSmallMarket } from '../fixtures/market/small-market.ts'
import { call, newUser } from '../fixtures/processes.ts'
import { parameters } from '../fixtures/requests.ts'
import { testSite } from '../fixtures/site.ts'

// The day that is not over, from the kept quotes to the answers: api and worker as real processes.

const { database, dataDir, api } = await testSite({
  markets: [{ kind: 'cb', from: '2023-10-09', to: '2023-12-28', securities: 30, real: true }],
})

const root = '/v1/quant/convertible-bond'

const user = await newUser(database.db)

const screen = async () => {
  const { data } = await call<ScreenResult>(api, user, 'POST', `${root}/realtime-screen`, { parameters: parameters('cb', 'close', 5, 5) })
  return data
}

/** All codes at one price, made at that time of 2023-12-29. */
async function quoted(price: number, time: string): Promise<void> {
  const codes = (await screen()).list_items.map(({ code }) => code).sort()
  const all = (value: number) => new Float64Array(codes.length).fill(value)
  const made = Date.parse(`2023-12-29T${time}+08:00`)
  const columns = new Map(Object.entries({ close: all(price), pre_close: all(100), vol: all(10), amount: all(1) }))
  await keepTape(database.db, taped(null, { date: '2023-12-29', codes, columns, madeAt: all(made) }, made), 'tencent')
}

test('without quotes the newest day is the last one of the data', async () => {
  await database.db.deleteFrom('live_quotes').execute()
  expect(await screen()).toMatchObject({ trade_date: '2023-12-28', realtime: false, data_time: '2023-12-28T15:00:00+08:00' })
})

test('every answer of the newest day uses the quotes and has their time', async () => {
  await quoted(103, '10:00:03')
  await expect.poll(screen).toMatchObject({ trade_date: '2023-12-29', realtime: true, data_time: '2023-12-29T10:00:03+08:00' })
  const { list_items } = await screen()
  expect(new Set(list_items.map(({ values }) => values['close']))).toEqual(new Set([103]))

  const figures = async () => (await call<MarketFigures>(api, user, 'GET', `${root}/market`)).data
  expect(await figures()).toMatchObject({ trade_date: '2023-12-29', realtime: true, data_time: '2023-12-29T10:00:03+08:00' })
  expect((await figures()).items.find(({ key }) => key === 'median_close')).toMatchObject({ value: 103 })

  const section = await call<RealtimeFactors>(api, user, 'GET', `${root}/realtime-factors?with_values=1&keys=close`)
  expect(section.data).toMatchObject({ trade_date: '2023-12-29', data_time: '2023-12-29T10:00:03+08:00' })
  const one = await call<SecurityFactors>(api, user, 'GET', `${root}/factors/${list_items[0]!.code}`)
  expect(one.data).toMatchObject({ trade_date: '2023-12-29', data_time: '2023-12-29T10:00:03+08:00' })
})

test('newer quotes appear in the next answers; older answers keep theirs', async () => {
  await quoted(104, '10:00:06')
  await expect.poll(screen).toMatchObject({ data_time: '2023-12-29T10:00:06+08:00' })
  await expect
    .poll(async () => (await call<MarketFigures>(api, user, 'GET', `${root}/market`)).data)
    .toMatchObject({ data_time: '2023-12-29T10:00:06+08:00' })
})

test('a past day is not changed by quotes', async () => {
  const body = { parameters: parameters('cb', 'close', 5, 5), trade_date: '2023-12-28' }
  const { data } = await call<{ results: ScreenResult[] }>(api, user, 'POST', `${root}/history-screen`, body)
  expect(data.results).toMatchObject([{ trade_date: '2023-12-28', realtime: false }])
})

test('quotes are dropped once the data have their day', async () => {
  await publishSmallMarket(database.db, dataDir, { kind: 'cb', from: '2023-10-09', to: '2023-12-29', securities: 30, real: true })
  await expect.poll(screen).toMatchObject({ trade_date: '2023-12-29', realtime: false, data_time: '2023-12-29T15:00:00+08:00' })
})
