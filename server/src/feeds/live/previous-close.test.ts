import { describe, expect, test } from 'vitest'
import { chain } from '../chain.ts'
import { type Feed, FeedError } from '../feed.ts'
import type { Quotes } from '../rows.ts'
import { previousCloses } from './previous-close.ts'

const now = Date.parse('2026-11-20T10:00:05+08:00')
const asking = { signal: new AbortController().signal }
const codes = Array.from({ length: 20 }, (_, i) => `6000${String(i).padStart(2, '0')}.SH`)
const stored = new Map(codes.map((code, i) => [code, 10 + i]))

/** Quotes with the stored previous closes, but for some. */
const quotes = (other: Readonly<Record<string, number>>): Quotes => ({
  date: '2026-11-20',
  codes,
  columns: new Map([
    ['close', Float64Array.from(codes, (code) => stored.get(code)!)],
    ['pre_close', Float64Array.from(codes, (code) => other[code] ?? stored.get(code)!)],
  ]),
  madeAt: new Float64Array(codes.length).fill(now),
})
const source = (name: string, other: Readonly<Record<string, number>>): Feed => ({
  name,
  label: name,
  offers: {
    quotes: async ({ codes: asked }) => {
      const all = quotes(other)
      const places = all.codes.flatMap((code, i) => (asked.includes(code) ? [i] : []))
      const columns = new Map([...all.columns].map(([key, cells]) => [key, Float64Array.from(places, (i) => cells[i]!)]))
      return { ...all, codes: places.map((i) => all.codes[i]!), columns, madeAt: new Float64Array(places.length).fill(now) }
    },
  },
})

async function settled(...feeds: Feed[]) {
  const told: string[] = []
  const stood = new Map<string, number[]>()
  const asked = chain(feeds, () => now)
  const closes = previousCloses(
    asked,
    (code) => stored.get(code) ?? Number.NaN,
    (event, { source: from, code }) => told.push(`${event} ${from} ${code ?? ''}`),
  )
  const settle = async () => {
    const { answer, from } = await closes.settle(await asked.ask('quotes', { codes }, asking), { codes }, asking)
    answer.codes.forEach((code, i) => {
      stood.set(code, [...(stood.get(code) ?? []), answer.columns.get('pre_close')![i]!])
    })
    return from
  }
  const from = await settle()
  await settle()
  return { from, told, of: (code: string) => stood.get(code)![0], both: (code: string) => stood.get(code) }
}

const [odd] = codes as [string]
const all = (less: number) => Object.fromEntries(codes.map((code) => [code, stored.get(code)! - less]))

test('one that the store has is believed', async () => {
  expect(await settled(source('xtdata', {}))).toMatchObject({ from: 'xtdata', told: [] })
})

test('that of a terminal that was not started anew is not believed: the store’s is taken, and told once', async () => {
  const { of, told } = await settled(source('xtdata', { [odd]: 9 }))
  expect([of(odd), told]).toEqual([10, [`previous close not believed xtdata ${odd}`]])
})

test('one that a second source confirms is believed: the share goes ex', async () => {
  const { of, told } = await settled(source('xtdata', { [odd]: 9.8 }), source('tencent', { [odd]: 9.8 }))
  expect([of(odd), told]).toEqual([9.8, []])
})

test('one that a second source contradicts gives way to its', async () => {
  expect((await settled(source('xtdata', { [odd]: 9 }), source('tencent', {}))).of(odd)).toBe(10)
})

test('a source whose previous closes are odd in more than a tenth of its rows is behind: the next one is asked', async () => {
  expect(await settled(source('xtdata', all(1)), source('tencent', { [odd]: 9.8 }))).toMatchObject({
    from: 'tencent',
    told: ['previous closes are of another day xtdata '],
  })
})

test('that of a page of the exchange’s quotes is believed where nobody else is asked', async () => {
  expect((await settled(source('tencent', { [odd]: 9.8 }))).of(odd)).toBe(9.8)
})

describe('that of a terminal, where no other source has quotes,', () => {
  const exDays = (answers: readonly ('fault' | string[])[]): Feed & { asked: string[][] } => {
    const asked: string[][] = []
    return {
      ...{ name: 'tushare', label: 'tushare', asked },
      offers: {
        'ex-days': async ({ codes: of, date }) => {
          asked.push([...of])
          const said = answers[asked.length - 1] ?? []
          if (said === 'fault') throw new FeedError('network', 'no answer')
          return of.filter((code) => said.includes(code)).map((code) => ({ code, date }))
        },
      },
    }
  }

  test('is believed where the share goes ex, and asked for once', async () => {
    const source2 = exDays([[odd]])
    const { both, told } = await settled(source('xtdata', { [odd]: 9.8 }), source2)
    expect([both(odd), told, source2.asked]).toEqual([[9.8, 9.8], [], [[odd]]])
  })

  test('is not believed where it does not, or where it is higher than the stored one', async () => {
    const [source2, source3] = [exDays([[]]), exDays([])]
    expect((await settled(source('xtdata', { [odd]: 9.8 }), source2)).both(odd)).toEqual([10, 10])
    expect((await settled(source('xtdata', { [odd]: 10.2 }), source3)).both(odd)).toEqual([10, 10])
    expect([source2.asked, source3.asked]).toEqual([[[odd]], []])
  })

  test('is not believed while nobody answers, who is asked again after a minute', async () => {
    const source2 = exDays(['fault'])
    const { both, told } = await settled(source('xtdata', { [odd]: 9.8 }), source2)
    expect([both(odd), told.length, source2.asked]).toEqual([[10, 10], 1, [[odd]]])
  })
})

test('a second source that does not answer decides nothing: with its next answer the share goes ex', async () => {
  let asked = 0
  const good = source('tencent', { [odd]: 9.8 })
  const late: Feed = {
    ...good,
    offers: {
      quotes: async (ask, given) => {
        asked++
        if (asked === 1) throw new FeedError('network', 'no answer')
        return good.offers.quotes!(ask, given)
      },
    },
  }
  const { both, told } = await settled(source('xtdata', { [odd]: 9.8 }), late)
  expect([both(odd), told]).toEqual([[10, 9.8], [`previous close not believed xtdata ${odd}`]])
})
