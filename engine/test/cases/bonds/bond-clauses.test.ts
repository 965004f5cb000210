import { describe, expect, it } from 'vitest'
import { redeemCounts, silence } from '../../../src/bond/counters.ts'
import { type Announcement, crossSection, markets } from '../../../src/index.ts'
import { withDerived } from '../../../src/market/derived-columns.ts'
import type { Panel } from '../../../src/panel/panel.ts'
import { above, type BondStory, below, dates, market, terms, textsOf, valuesOf } from '../../fixtures/bond-stories.ts'
import { chance } from '../../fixtures/chance.ts'
import { randomPanel } from '../../fixtures/random-panel.ts'
import { randomAnnouncements } from '../../fixtures/random-terms.ts'
import { table } from '../../fixtures/table.ts'
import { countOf, redeemDays } from '../../oracles/naive-bond.ts'

describe('强赎计数: days of the window at or above the trigger price', () => {
  it('counts the last five days', () => {
    expect(valuesOf({ stock: [above, above, below, above, below, below, below, above] }, 'redeem_count')).toEqual([1, 2, 2, 3, 3, 2, 1, 2])
  })

  it('counts only days on which the bond may be converted', () => {
    const story: BondStory = { stock: [above, above, above, above], terms: { conversionStart: '2024-01-04' } }
    expect(valuesOf(story, 'redeem_count')).toEqual([0, 0, 1, 2])
    expect(textsOf(story, 'is_call')).toEqual(['未到转股期', '未到转股期', '临近触发', '临近触发'])
  })

  it('the trigger price is that of the day: a lower conversion price lifts nothing that is past', () => {
    const story: BondStory = { stock: [10.4, 10.4, 10.4, 10.4], price: [10, 10, 8, 8] }
    expect(valuesOf(story, 'redeem_count')).toEqual([0, 0, 1, 2])
    expect(valuesOf(story, 'redeem_trigger_price')).toEqual([13, 13, 10.4, 10.4])
  })

  it('is compared as a decimal, not to the cent: 9.54 × 1.3 is 12.402, which is shown as 12.40', () => {
    expect(valuesOf({ stock: [12.4, 12.41], price: [9.54, 9.54] }, 'redeem_count')).toEqual([0, 1])
    expect(valuesOf({ stock: [12.4], price: [9.54] }, 'redeem_trigger_price')).toEqual([12.4])
    // 10.05 × 1.3 is 13.065.
    expect(valuesOf({ stock: [13.06, 13.07], price: [10.05, 10.05] }, 'redeem_count')).toEqual([0, 1])
    expect(valuesOf({ stock: [13.06], price: [10.05] }, 'redeem_trigger_price')).toEqual([13.07])
    // 9.545 × 0.85 is 8.11325, 9.54 × 0.85 is 8.109, 9.56 × 0.85 is 8.126.
    expect(valuesOf({ stock: [8.11, 8.11, 8.1, 8.12], price: [9.545, 9.54, 9.54, 9.56] }, 'reset_count')).toEqual([1, 1, 2, 3])
    // What is just the trigger is met by calls alone: 8.4 × 1.3 is 10.92, in binary a little more.
    expect(valuesOf({ stock: [10.92], price: [8.4] }, 'redeem_count')).toEqual([1])
    expect(valuesOf({ stock: [8.5], price: [10] }, 'reset_count')).toEqual([0])
  })

  it('a waiver sets the count to nothing from the day after its publication, until the day after the promise', () => {
    const story: BondStory = {
      stock: Array(9).fill(above),
      announcements: [{ date: dates[3] as string, kind: 'no_redeem', until: dates[5] as string }],
    }
    expect(valuesOf(story, 'redeem_count')).toEqual([1, 2, 3, 4, 0, 0, 1, 2, 3])
    expect(valuesOf(story, 'redeem_remain_days')).toEqual([2, 1, 0, 0, 3, 3, 2, 1, 0])
    expect(valuesOf(story, 'no_redeem_until').slice(3, 7)).toEqual([null, 20240109, 20240109, null])
    const states = [
      '临近触发',
      '临近触发',
      '已满足强赎条件',
      '已满足强赎条件',
      '公告不强赎',
      '公告不强赎',
      '临近触发',
      '临近触发',
      '已满足强赎条件',
    ]
    expect(textsOf(story, 'is_call')).toEqual(states)
  })

  it('a waiver without a date is taken to be good for six months', () => {
    const story: BondStory = { stock: Array(6).fill(above), announcements: [{ date: dates[2] as string, kind: 'no_redeem' }] }
    expect(valuesOf(story, 'redeem_count')).toEqual([1, 2, 3, 0, 0, 0])
    expect(textsOf(story, 'is_call').slice(3)).toEqual(['公告不强赎', '公告不强赎', '公告不强赎'])
    expect(textsOf(story, 'call_status').slice(3)).toEqual(['none', 'none', 'none'])
    expect(valuesOf(story, 'no_redeem_until').at(-1)).toBe(20240704)
    const last: Announcement[] = [{ date: '2023-08-31', kind: 'no_redeem' }]
    expect(valuesOf({ stock: [above], announcements: last }, 'no_redeem_until')).toEqual([20240229])
  })

  it('of a bond that was there before the data begin, the first days of the window are not known', () => {
    const panel = market({ stock: Array(7).fill(above) })
    const old = { ...panel, securities: panel.securities.map((each) => ({ ...each, listed: null })) }
    expect([...(withDerived(old, ['redeem_count']).columns.get('redeem_count') as Float64Array)]).toEqual([NaN, NaN, NaN, NaN, 5, 5, 5])
  })

  it('of a bond whose clause is not known neither a count nor a state is known, until something is announced', () => {
    const story: BondStory = {
      stock: Array(4).fill(above),
      terms: { redeem: null },
      announcements: [{ date: dates[2] as string, kind: 'redeem' }],
    }
    const panel = market(story)
    const two = { ...panel, securities: [panel.securities[0], { ...panel.securities[0], code: 'BBB', terms }], stride: 2 }
    const wide = (key: string) => Float64Array.from({ length: 8 }, (_, at) => (panel.columns.get(key) as Float64Array)[at >> 1])
    const flags = new Uint8Array(8).fill(1)
    const both = {
      ...two,
      listed: flags,
      traded: flags,
      columns: new Map(['close_stk', 'conv_price'].map((key) => [key, wide(key)])),
    } as Panel
    const { columns } = withDerived(both, ['redeem_count', 'is_call', 'call_status'])
    const of = (key: string) => [0, 2, 4, 6].map((at) => (columns.get(key) as Float64Array)[at])
    expect(of('redeem_count')).toEqual([NaN, NaN, NaN, NaN])
    expect(of('is_call')).toEqual([NaN, NaN, NaN, 7])
    expect(of('call_status')).toEqual([NaN, NaN, NaN, 3])
  })

  it('without a price of the stock nothing is known, and nothing counts', () => {
    expect(valuesOf({ stock: [above, '-', above, above] }, 'redeem_count')).toEqual([1, null, 2, 3])
  })
})

describe('days on which the share did not trade', () => {
  /** The days are halts of the share: its bond is suspended with it. */
  function countsOver(halted: readonly number[], key: string, over: Partial<BondStory>, withVolume: boolean): (number | null)[] {
    const panel = market({ stock: Array(9).fill(above), ...over })
    const traded = Uint8Array.from(panel.dates, (_, t) => Number(!halted.includes(t)))
    const volume = Float64Array.from(panel.dates, (_, t) => (halted.includes(t) ? 0 : 5_000))
    const columns = new Map([...panel.columns, ...(withVolume ? [['vol_stk', volume] as const] : [])])
    return [...(withDerived({ ...panel, traded, columns }, [key]).columns.get(key) as Float64Array)]
  }

  it.each([true, false])('are left out of the window and push nothing out of it (volume of the share told: %s)', (told) => {
    const stock = [above, below, above, above, above, above, below, below, below]
    expect(countsOver([3, 4], 'redeem_count', { stock }, told)).toEqual([1, 1, 2, 2, 2, 3, 3, 2, 2])
    expect(
      countsOver(
        [2, 3],
        'put_count',
        { stock: [9, 6, 6, 6, 6, 6, 7, 6, 6], terms: { put: { ...terms.put!, from: dates[0] as string } } },
        told,
      ),
    ).toEqual([0, 1, 1, 1, 2, 3, 0, 1, 2])
  })

  it('a bond that is halted while its share trades counts on', () => {
    const panel = market({ stock: Array(4).fill(above) })
    const volume = Float64Array.of(5_000, 5_000, 5_000, 5_000)
    const halted = { ...panel, traded: Uint8Array.of(1, 0, 0, 1), columns: new Map([...panel.columns, ['vol_stk', volume]]) }
    expect([...(withDerived(halted, ['redeem_count']).columns.get('redeem_count') as Float64Array)]).toEqual([1, 2, 3, 4])
    // Without a volume the share's close tells: it moved.
    const moving = market({ stock: [above, above + 0.1, above + 0.2, above] })
    const untold = { ...moving, traded: Uint8Array.of(1, 0, 0, 1) }
    expect([...(withDerived(untold, ['redeem_count']).columns.get('redeem_count') as Float64Array)]).toEqual([1, 2, 3, 4])
  })
})

describe('公告不强赎（推定）: an issuer that meets the clause from 2022-08 on and publishes nothing', () => {
  const covered: Panel['callLists'] = [['2023-12-01', '2024-12-31']]
  const stories = (story: BondStory, callLists: Panel['callLists'] = covered) => {
    const panel: Panel = { ...market(story), callLists }
    const { columns } = withDerived(panel, ['is_call', 'call_status', 'redeem_count', 'redeem_remain_days'])
    const of = (key: string) => [...(columns.get(key) as Float64Array)]
    const texts = markets.cb.fields.find(({ key }) => key === 'is_call')?.values
    return { states: of('is_call').map((value) => texts?.[value]), counts: of('redeem_count'), coarse: of('call_status') }
  }

  it('has declined from the second trading day after, for three months', () => {
    const { states, counts, coarse } = stories({ stock: Array(7).fill(above) })
    expect(states).toEqual(['临近触发', '临近触发', '已满足强赎条件', '已满足强赎条件', ...Array(3).fill('公告不强赎（推定）')])
    expect(counts).toEqual([1, 2, 3, 4, 0, 0, 0])
    expect(coarse).toEqual([0, 0, 1, 1, 0, 0, 0])
    // Nothing is stated, so the field that tells stated promises has nothing.
    expect(crossSection(market({ stock: [above] }), markets.cb, ['no_redeem_until'], 0).ok).toBe(false)
  })

  it('stands as met until then, whatever the count is by now', () => {
    const { states, counts } = stories({ stock: [above, above, above, below, below, below] })
    expect(counts.slice(0, 4)).toEqual([1, 2, 3, 3])
    const falling = stories({ stock: [above, above, above, ...Array(17).fill(below)] }, [])
    expect(falling.counts.slice(5, 8)).toEqual([2, 1, 0])
    expect(falling.states.slice(2)).toEqual(Array(18).fill('已满足强赎条件'))
    expect(states[4]).toBe('公告不强赎（推定）')
  })

  it.each(['redeem', 'redeem_execution'] as const)('a %s that is published wins, also later', (kind) => {
    const stock = Array(9).fill(above)
    expect(stories({ stock, announcements: [{ date: dates[3] as string, kind }] }).states[4]).toMatch(/已公告强赎|公告实施强赎/)
    const late = stories({ stock, announcements: [{ date: dates[5] as string, kind }] })
    expect(late.states.slice(4, 6)).toEqual(['公告不强赎（推定）', '公告不强赎（推定）'])
    expect(late.states[6]).toMatch(/已公告强赎|公告实施强赎/)
  })

  it('a hint that stands holds it back for sixty days: the issuer is not silent', () => {
    const stock = Array(9).fill(above)
    const { states, counts } = stories({ stock, announcements: [{ date: dates[2] as string, kind: 'redeem_hint' }] })
    expect(states.slice(2)).toEqual(['已满足强赎条件', ...Array(6).fill('公告提示强赎')])
    expect(counts.slice(2)).toEqual([3, 4, 5, 5, 5, 5, 5])
    // One of 60 days before the fifth day is over on the sixth.
    const lapsing = stories({ stock, announcements: [{ date: '2023-11-09', kind: 'redeem_hint' }] })
    expect(dates[4]).toBe('2024-01-08')
    expect(lapsing.states.slice(4)).toEqual(['公告提示强赎', ...Array(4).fill('公告不强赎（推定）')])
    expect(lapsing.counts.slice(4)).toEqual([5, 0, 0, 0, 0])
  })

  it('a stated promise wins and keeps its own end', () => {
    const { states, counts } = stories({
      stock: Array(9).fill(above),
      announcements: [{ date: dates[5] as string, kind: 'no_redeem', until: dates[6] as string }],
    })
    expect(states.slice(4)).toEqual(['公告不强赎（推定）', '公告不强赎（推定）', '公告不强赎', '临近触发', '临近触发'])
    expect(counts.slice(4)).toEqual([0, 0, 0, 1, 2])
  })

  it('without a list of announcements the bond stands as met for thirty trading days, the count going on', () => {
    const far = Array.from({ length: 120 }, (_, t) =>
      new Date(Date.UTC(2022, 6, 1 + t + 2 * Math.floor((t + 4) / 5))).toISOString().slice(0, 10),
    )
    const rows = (value: number) => ` AAA\n${far.map((date) => `${date} ${value}`).join('\n')}`
    const panel = table(rows(100), {
      fields: { close_stk: rows(above), conv_price: rows(10) },
      securities: { AAA: { listed: '2021-01-04', terms } },
    })
    const { columns } = withDerived(panel, ['is_call', 'redeem_count'])
    const texts = markets.cb.fields.find(({ key }) => key === 'is_call')?.values ?? []
    const states = [...(columns.get('is_call') as Float64Array)].map((value) => texts[value])
    // It stands at met when the rule begins: that day is the first.
    const begin = far.indexOf('2022-08-01')
    expect(begin).toBe(21)
    expect(states.indexOf('公告不强赎（推定）')).toBe(begin + 30)
    expect((columns.get('redeem_count') as Float64Array)[begin + 29]).toBe(5)
    // Three months after the first of August; the count begins on the trading day behind them.
    const end = states.lastIndexOf('公告不强赎（推定）')
    expect(far[end]).toBe('2022-11-01')
    expect([...(columns.get('redeem_count') as Float64Array).slice(end - 1, end + 4)]).toEqual([0, 0, 1, 2, 3])
    expect(states[end + 3]).toBe('已满足强赎条件')
    const before = withDerived({ ...panel, columns: new Map(panel.columns), callLists: [['2022-07-01', '2022-08-02']] }, [
      'is_call',
    ]).columns.get('is_call') as Float64Array
    expect([...before].findIndex((value) => texts[value] === '公告不强赎（推定）')).toBe(begin + 2)
  })
})

describe('下修与回售', () => {
  it('days below the trigger price count; a proposal, a revision and a refusal say so and begin anew', () => {
    const story: BondStory = {
      stock: Array(12).fill(8.49),
      announcements: [
        { date: dates[3] as string, kind: 'no_reset', until: dates[4] as string },
        { date: dates[7] as string, kind: 'reset_proposal' },
        { date: dates[8] as string, kind: 'reset', effective: dates[10] as string },
      ],
    }
    expect(valuesOf(story, 'reset_count')).toEqual([1, 2, 3, 4, 0, 1, 2, 3, 4, 5, 1, 2])
    const states = [
      '临近触发',
      '临近触发',
      '已满足下修条件',
      '已满足下修条件',
      '公告不下修',
      '临近触发',
      '临近触发',
      '已满足下修条件',
      '提议下修',
      '提议下修',
      '临近触发',
      '临近触发',
    ]
    expect(textsOf(story, 'reset_status')).toEqual(states)
    expect(valuesOf(story, 'reset_times')).toEqual([0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1])
  })

  it('a proposal that nothing more is heard of is over after sixty days', () => {
    const story = (date: string): BondStory => ({ stock: [8.5], announcements: [{ date, kind: 'reset_proposal' }] })
    expect(textsOf(story('2023-11-03'), 'reset_status')).toEqual(['提议下修'])
    expect(textsOf(story('2023-11-02'), 'reset_status')).toEqual(['无'])
  })

  it('the put counts days in a row, in its period only', () => {
    expect(valuesOf({ stock: [6, 6, 6, 6, 6.99, 7, 6, 6] }, 'put_count')).toEqual([0, 0, 0, 1, 2, 0, 1, 2])
  })

  it('without clauses there are no counts, and the list says why', () => {
    const panel = market({ stock: [above], terms: { put: null } })
    const outcome = crossSection(panel, markets.cb, ['put_count'], 0)
    expect(outcome).toMatchObject({ ok: false, problem: { missing: 'put_need', message: expect.stringContaining('回售需满足天数') } })
  })
})

it('the counters agree with days looked at one by one, on random markets with random terms and announcements', () => {
  let present = 0
  let silent = 0
  for (let seed = 1; seed <= 60; seed++) {
    const luck = chance(seed)
    const made = randomPanel(seed)
    const cells = made.dates.length * made.stride
    const walk = (from: number) =>
      Float64Array.from({ length: cells }, () => (luck.next() < 0.03 ? Number.NaN : from * (0.6 + luck.below(80) / 100)))
    const panel: Panel = {
      ...made,
      securities: made.securities.map((each) => ({ ...each, announcements: randomAnnouncements(luck, made.dates) })),
      columns: new Map([
        ...made.columns,
        ['close_stk', walk(10)],
        ['conv_price', Float64Array.from({ length: cells }, () => 9 + luck.below(3))],
        ...(seed % 3 === 0 ? [['vol_stk', Float64Array.from({ length: cells }, () => luck.below(8))] as const] : []),
      ]),
      callLists: seed % 2 === 0 ? [[made.dates[0] as string, made.dates[made.dates.length >> 1] as string]] : [],
    }
    const { columns } = withDerived(panel, ['redeem_count', 'reset_count', 'put_count', 'is_call'])
    const redeem = panel.securities.map((_, i) => redeemDays(panel, i))
    const said = redeemCounts(panel)?.silent
    redeem.forEach((days, i) => {
      days.forEach((day, t) => {
        const slow = day.presumed ? silence.presumed : day.waiting ? silence.waiting : 0
        if (slow !== said?.[t * panel.stride + i])
          expect.fail(`seed ${seed}, silence of security ${i} on ${panel.dates[t]}: ${said?.[t * panel.stride + i]} instead of ${slow}`)
        if (day.presumed) silent++
      })
    })
    for (const which of ['redeem', 'reset', 'put'] as const) {
      const column = columns.get(`${which}_count`) as Float64Array
      for (let t = 0; t < panel.dates.length; t++) {
        for (let i = 0; i < panel.securities.length; i++) {
          const value = column[t * panel.stride + i] as number
          const slow = which === 'redeem' ? (redeem[i]?.[t]?.count as number) : countOf(panel, which, t, i)
          if (!Object.is(value, slow)) {
            const { announcements, terms: own, listed } = panel.securities[i] as Panel['securities'][number]
            expect.fail(
              `seed ${seed}, ${which} of security ${i} on ${panel.dates[t]}: ${value} instead of ${slow}, ${JSON.stringify({ announcements, own: own?.[which], start: own?.conversionStart, listed })}`,
            )
          }
          if (value > 0) present++
        }
      }
    }
  }
  expect(present).toBeGreaterThan(5_000)
  expect(silent).toBeGreaterThan(100)
})
