import { calls } from '@convexa/contract/calls'
import { QueryClientProvider, queryOptions } from '@tanstack/react-query'
import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type ScriptedServer, says, scriptedServer } from '../../test/scripted-server.ts'
import { browserOf, openTab, type Tab, tokens } from '../../test/tab.ts'
import { itemsOf, type List } from './lists.ts'
import { closedDatesAgainMs, newDayInMs } from './queries.ts'

let server: ScriptedServer
let tab: Tab

beforeAll(async () => {
  server = await scriptedServer()
})
afterAll(() => server.close())
beforeEach(async () => {
  browserOf(server.url).setItem('tokenData', JSON.stringify(tokens('any')))
  tab = await openTab()
})

const history = () =>
  queryOptions({
    queryKey: ['backtests'],
    queryFn: ({ signal }) => tab.call(calls.quant.backtestList, { query: { offset: 0 } }, { signal }),
    // As on a page that is standing: coming to it anew would ask again.
    retryOnMount: false,
    staleTime: Number.POSITIVE_INFINITY,
  })

/** The list as a page would see it now. */
function seen(): List<{ backtest_id: string }> {
  let list: List<{ backtest_id: string }> | undefined
  const Page = () => {
    list = tab.useList(history())
    return null
  }
  renderToStaticMarkup(createElement(QueryClientProvider, { client: tab.queries }, createElement(Page)))
  if (!list) throw new Error('not rendered')
  return list
}
const fetched = () => tab.queries.prefetchQuery(history())
const page = { total: 41, offset: 0, limit: 20, list_items: [{ backtest_id: 'a' }] }

describe('a list', () => {
  it.each([
    ['a bare array', [1, 2], [1, 2]],
    ['a page or a small collection', { list_items: [1], total: 9 }, [1]],
    ['the realtime factors', { factors: [3] }, [3]],
    ['nothing', null, []],
    ['something else', {}, []],
  ])('is read from %s', (_, data, items) => expect(itemsOf(data as number[])).toEqual(items))

  it('whose call fails is empty, with the error and a retry that brings it', async () => {
    server.plays((_, answer) => says(answer, 400, 40000, null, '请求参数有误：limit'))
    await fetched()
    const failed = seen()
    expect(failed).toMatchObject({ items: [], total: 0, loading: false, error: { message: '请求参数有误：limit' } })

    server.plays((_, answer) => says(answer, 200, 0, page))
    failed.retry()
    await tab.queries.getQueryCache().find({ queryKey: ['backtests'] })?.promise
    expect(seen()).toMatchObject({ items: [{ backtest_id: 'a' }], total: 41, error: null })
  })

  it('keeps what it had when a later call fails, and says that it failed', async () => {
    server.plays((_, answer) => says(answer, 200, 0, page))
    await fetched()
    server.plays((_, answer) => says(answer, 404, 40004, null, '内容不存在或已被删除'))
    await tab.queries.fetchQuery({ ...history(), staleTime: 0 }).catch(() => {})
    expect(seen()).toMatchObject({ items: [{ backtest_id: 'a' }], error: { code: 40004 } })
  })

  it('is loading, not failed, until its first answer', () => {
    const { items, error } = seen()
    expect([items, error]).toEqual([[], null])
  })
})

describe('what is fetched once', () => {
  it('is asked for once by all who need it at the same time, and not again after it', async () => {
    server.plays((_, answer) => says(answer, 200, 0, ['2026-01-01']))
    const ask = () => tab.queries.fetchQuery(tab.closedDatesQuery(2026))
    expect(await Promise.all([ask(), ask(), ask()])).toEqual(Array(3).fill({ dates: ['2026-01-01'], expected: false }))
    await ask()
    await tab.queries.fetchQuery(tab.closedDatesQuery(2027))
    expect(server.asked.map(({ url }) => url)).toEqual([2026, 2027].map((year) => `/v1/quant/trade-calender/${year}/closed-dates`))
  })

  it('expects a year to trade on its weekdays that the server does not have yet', async () => {
    server.plays((_, answer) => says(answer, 404, 21009, null))
    const { dates, expected } = await tab.queries.fetchQuery(tab.closedDatesQuery(2027))
    expect([expected, dates.slice(0, 4), dates.length]).toEqual([true, ['2027-01-01', '2027-01-02', '2027-01-03', '2027-01-09'], 105])
  })

  it.each([
    ['before Shanghai’s midnight', '2026-11-20T15:59:58Z', 7_000],
    ['at it', '2026-11-20T16:00:00Z', 24 * 3_600_000 + 5_000],
    ['in the morning', '2026-11-21T01:00:00Z', 15 * 3_600_000 + 5_000],
  ])('the uses of a day are asked for again on the next one: %s', (_case, now, again) => {
    expect(newDayInMs(Date.parse(now))).toBe(again)
  })

  it.each([
    ['a year that the server does not have', 2027, true, 5 * 60_000],
    ['this year, which may be corrected', 2026, false, 6 * 3_600_000],
    ['a year that is over', 2025, false, false],
  ])('is looked at again while a page stands open: %s', (_case, year, isMissing, again) => {
    expect(closedDatesAgainMs(year, isMissing, 2026)).toBe(again)
  })

  it('the securities and the factors of each market', async () => {
    server.plays((_, answer) => says(answer, 200, 0, []))
    for (let round = 0; round < 2; round++)
      for (const kind of ['cb', 'stk'] as const) {
        await tab.queries.fetchQuery(tab.securitiesQuery(kind))
        await tab.queries.fetchQuery(tab.factorsQuery(kind))
      }
    expect(server.asked).toHaveLength(4)
  })
})

describe('dictionaries', () => {
  const keysOf = (url: string) => new URL(url, server.url).searchParams.getAll('keys')
  const plays = () =>
    server.plays(({ url }, answer) => {
      const items = keysOf(url).map((key) => ({ dictionary_key: key, options: [{ value: 1, label: key }] }))
      says(answer, 200, 0, items)
    })

  it('are merged on update; only absent keys are asked for, together', async () => {
    plays()
    const [first] = await Promise.all([
      tab.needDictionaries(['cb_rating', 'order_status']),
      tab.needDictionaries(['order_status', 'operation']),
    ])
    expect(server.asked.map(({ url }) => keysOf(url))).toEqual([['cb_rating', 'order_status', 'operation']])
    expect(first['cb_rating']).toEqual([{ value: 1, label: 'cb_rating' }])

    plays()
    const all = await tab.needDictionaries(['cb_rating', 'run_status'])
    expect(server.asked.map(({ url }) => keysOf(url))).toEqual([['run_status']])
    expect(Object.keys(all).sort()).toEqual(['cb_rating', 'operation', 'order_status', 'run_status'])
  })

  it('on a page are empty until they are there', async () => {
    plays()
    const labels = () => {
      let seen: unknown
      const Page = () => {
        const { of, error } = tab.useDictionaries('operation', 'cb_rating')
        seen = [of('cb_rating').map(({ label }) => label), of('run_status'), error]
        return null
      }
      renderToStaticMarkup(createElement(QueryClientProvider, { client: tab.queries }, createElement(Page)))
      return seen
    }
    expect(labels()).toEqual([[], [], null])
    await tab.needDictionaries(['cb_rating', 'operation'])
    expect(labels()).toEqual([['cb_rating'], [], null])
  })

  it('are asked for again once the data they are made of have changed', async () => {
    plays()
    await tab.needDictionaries(['cb_rating'])
    await tab.queries.invalidateQueries()
    await tab.needDictionaries(['cb_rating'])
    expect(server.asked).toHaveLength(2)
  })

  it('that could not be fetched are asked for again', async () => {
    server.plays((_, answer) => says(answer, 400, 40001, null, '请求格式有误'))
    await expect(tab.needDictionaries(['cb_rating'])).rejects.toMatchObject({ code: 40001 })
    expect(tab.knownDictionaries()).toEqual({})
    plays()
    expect(Object.keys(await tab.needDictionaries(['cb_rating']))).toEqual(['cb_rating'])
  })
})
