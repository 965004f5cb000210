import { expect, test } from 'vitest'
import { chain } from '../../src/feeds/chain.ts'
import { withDailyLists } from '../../src/feeds/daily-lists.ts'
import { eastmoney } from '../../src/feeds/eastmoney.ts'
import type { Feed } from '../../src/feeds/feed.ts'
import { jisilu } from '../../src/feeds/jisilu.ts'
import { type Send, transport } from '../../src/feeds/source/transport.ts'
import { groundAt } from './ground.ts'

// What a source may be asked in a round (providers.md 10.1), by a clock that the test drives.

const signal = new AbortController().signal
const day = '2026-11-20'

function counted(answer: (url: string) => string) {
  const asked: string[] = []
  const send: Send = async (_request, url) => {
    asked.push(url)
    return Buffer.from(answer(url))
  }
  const deps = groundAt(`${day}T16:30:00+08:00`)
  return { deps, asked, ask: transport(deps, {}, send) }
}

test('bars of Eastmoney: one a second, 400 a round; the others stay open, and it says so', async () => {
  const { deps, asked, ask } = counted(() => JSON.stringify({ data: { klines: [`${day},100,101,102,99,1000,1010000,3,1,1,2`] } }))
  const settings = { listUrls: ['http://list'], historyUrl: 'http://history', dataUrl: 'http://data' }
  const source = chain([eastmoney(settings, ask, deps)], deps.now)
  const codes = Array.from({ length: 410 }, (_, i) => `${113_001 + i}.SH`)
  const first = await source.ask('bond-day', { date: day, codes }, { signal })
  expect([asked.length, first.answer.codes.length]).toEqual([400, 400])
  expect(first.answer.notes).toEqual(['东方财富本轮的 400 次询问已用完，下一轮再问，还有 10 只没有询问'])
  expect(deps.waits).toEqual(new Array(399).fill(1_000))
  // What came in the round is not asked for again in it.
  expect((await source.ask('bond-day', { date: day, codes: codes.slice(0, 400) }, { signal })).answer.codes).toHaveLength(400)
  expect(asked).toHaveLength(400)
  const rest = codes.slice(400)
  const again = () => source.ask('bond-day', { date: day, codes: rest }, { signal })
  await expect(again()).rejects.toMatchObject({ kind: 'wait', message: '东方财富本轮的 400 次询问已用完，下一轮再问' })
  deps.turnTo(`${day}T17:59:59+08:00`)
  await expect(again()).rejects.toMatchObject({ kind: 'wait' })
  expect(asked).toHaveLength(400)
  deps.turnTo(`${day}T18:00:00+08:00`)
  expect((await again()).answer.codes).toEqual(rest)
  expect(asked).toHaveLength(410)
})

test('one bar of Eastmoney that cannot be read is left out and told', async () => {
  const { deps, ask } = counted((url) =>
    JSON.stringify({ data: { klines: [url.includes('113002') ? `${day},100` : `${day},100,101,102,99,1000,1010000,3,1,1,2`] } }),
  )
  const settings = { listUrls: ['http://list'], historyUrl: 'http://history', dataUrl: 'http://data' }
  const { answer } = await chain([eastmoney(settings, ask, deps)], deps.now).ask(
    'bond-day',
    { date: day, codes: ['113001.SH', '113002.SH', '113003.SH'] },
    { signal },
  )
  expect(answer.codes).toEqual(['113001.SH', '113003.SH'])
  expect(answer.notes).toEqual(['1 行无法识别，未采用：东方财富日线的列数不对（113002.SH）'])
})

test('Jisilu: one call a minute, 30 a round; its quotes are of no round', async () => {
  const cell = { bond_id: '113050', bond_nm: '南银转债', price: 112.5, volume: 1, last_time: '14:59:46', qstatus: '00', redeem_icon: 'R' }
  const { deps, asked, ask } = counted(() => JSON.stringify({ rows: [{ id: '1', cell }], isLogin: true }))
  const { offers } = jisilu({ url: 'http://jisilu', cookie: 'a=b' }, ask, deps)
  const calls = () => offers.calls!({ from: day, to: day }, { signal })
  for (let minute = 0; minute < 30; minute++) {
    expect(await calls()).toHaveLength(1)
    await deps.sleep(60_000, signal)
  }
  await expect(calls()).rejects.toMatchObject({ kind: 'wait', message: '集思录本轮的 30 次询问已用完，下一轮再问' })
  expect(asked).toHaveLength(30)
  expect((await offers.quotes!({ codes: ['113050.SH'] }, { signal })).codes).toEqual(['113050.SH'])
  deps.turnTo(`${day}T18:00:00+08:00`)
  expect(await calls()).toHaveLength(1)
  expect(asked).toHaveLength(32)
})

test('a list is asked for once a day of its first source, unless it is short', async () => {
  const deps = groundAt(`${day}T16:30:00+08:00`)
  const asked: string[] = []
  const bond = (code: string) => ({ code }) as never
  const source = (name: string, codes: readonly string[]): Feed => ({
    ...{ name, label: name },
    offers: {
      'bond-list': async () => {
        asked.push(name)
        return codes.map(bond)
      },
    },
  })
  const [first, second] = [source('tushare', ['113001.SH']), source('eastmoney', ['113001.SH', '113002.SH'])]
  const lists = withDailyLists(chain([first, second], deps.now), deps.now)
  const ask = async (judge?: (answer: unknown) => string | null) =>
    (await lists.ask('bond-list', {}, { signal, ...(judge && { judge }) })).from
  expect([await ask(), await ask(), asked.splice(0)]).toEqual(['tushare', 'tushare', ['tushare']])
  // Short of what was listed the day before: it is asked for again, and then the next one.
  const judge = (answer: unknown) => ((answer as unknown[]).length < 2 ? '的列表太短' : null)
  expect([await ask(judge), asked.splice(0)]).toEqual(['eastmoney', ['tushare', 'eastmoney']])
  // A lesser source's list does not stand for the day.
  expect([await ask(judge), asked.splice(0)]).toEqual(['eastmoney', ['tushare', 'eastmoney']])
  deps.turnTo('2026-11-21T10:00:00+08:00')
  expect([await ask(), await ask(), asked.splice(0)]).toEqual(['tushare', 'tushare', ['tushare']])
})
