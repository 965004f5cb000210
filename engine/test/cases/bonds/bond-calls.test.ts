import { describe, expect, it } from 'vitest'
import { type Announcement, type BondTerms, markets, screen } from '../../../src/index.ts'
import { withDerived } from '../../../src/market/derived-columns.ts'
import type { Panel } from '../../../src/panel/panel.ts'
import { above, type BondStory, below, dates, market, textsOf, valuesOf } from '../../fixtures/bond-stories.ts'
import { parameters } from '../../fixtures/parameters.ts'

describe('强赎公告: known from the trading day after publication, never before', () => {
  const friday = dates[3] as string
  const story: BondStory = {
    stock: Array(9).fill(below),
    announcements: [
      { date: dates[1] as string, kind: 'redeem_hint' },
      { date: friday, kind: 'redeem' },
      { date: '2024-01-09', kind: 'redeem_execution', price: 100.52, registration: '2024-01-30', lastConversion: '2024-01-30' },
    ],
  }

  it('the states follow one another', () => {
    expect(friday).toBe('2024-01-05')
    const states = ['无', '无', '公告提示强赎', '公告提示强赎', '已公告强赎', '已公告强赎', '公告实施强赎', '公告实施强赎', '公告实施强赎']
    expect(textsOf(story, 'is_call')).toEqual(states)
    expect(textsOf(story, 'call_status').slice(1, 7)).toEqual(['none', 'notice', 'notice', 'announced', 'announced', 'executing'])
  })

  it('a hint that nothing more is heard of is over after sixty days, a call is not', () => {
    const told = (kind: 'redeem_hint' | 'redeem', date: string) => textsOf({ stock: [below], announcements: [{ date, kind }] }, 'is_call')
    expect(told('redeem_hint', '2023-11-03')).toEqual(['公告提示强赎'])
    expect(told('redeem_hint', '2023-11-02')).toEqual(['无'])
    expect(told('redeem', '2023-11-02')).toEqual(['已公告强赎'])
  })

  it.each<[string, Announcement[], (string | undefined)[]]>([
    [
      'a hint takes no published call back',
      [
        { date: dates[1] as string, kind: 'redeem' },
        { date: dates[3] as string, kind: 'redeem_hint' },
      ],
      ['已公告强赎', '已公告强赎', '已公告强赎', '已公告强赎'],
    ],
    [
      'nor one of its own day, whichever is told first',
      [
        { date: dates[1] as string, kind: 'redeem' },
        { date: dates[1] as string, kind: 'redeem_hint' },
      ],
      ['已公告强赎', '已公告强赎', '已公告强赎', '已公告强赎'],
    ],
    [
      'nor a maturity',
      [
        { date: dates[1] as string, kind: 'maturity' },
        { date: dates[2] as string, kind: 'redeem_hint' },
      ],
      ['公告到期赎回', '公告到期赎回', '公告到期赎回', '公告到期赎回'],
    ],
    [
      'a reminder of the call does not take its execution back',
      [
        { date: dates[1] as string, kind: 'redeem_execution' },
        { date: dates[2] as string, kind: 'redeem' },
      ],
      ['公告实施强赎', '公告实施强赎', '公告实施强赎', '公告实施强赎'],
    ],
    [
      'a stated promise does, and is not ended by a hint that lapses',
      [
        { date: '2023-10-09', kind: 'redeem' },
        { date: '2023-11-06', kind: 'no_redeem' },
        { date: '2023-11-07', kind: 'redeem_hint' },
      ],
      ['公告提示强赎', '公告提示强赎', '公告不强赎', '公告不强赎'],
    ],
  ])('%s', (_, announcements, states) => {
    expect(textsOf({ stock: Array(6).fill(below), announcements }, 'is_call').slice(2)).toEqual(states)
  })

  it('published on a weekend it is known on Monday', () => {
    const weekend: BondStory = { ...story, announcements: [{ date: '2024-01-06', kind: 'redeem' }] }
    expect(textsOf(weekend, 'is_call').slice(3, 5)).toEqual(['无', '已公告强赎'])
  })

  it('price and dates too', () => {
    expect(valuesOf(story, 'redeem_price').slice(4, 8)).toEqual([null, null, 100.52, 100.52])
    expect(valuesOf(story, 'last_conv_date').slice(5, 7)).toEqual([null, 20240130])
  })

  it('no value of any day changes when a later announcement is added', () => {
    const keys = ['is_call', 'call_status', 'redeem_count', 'redeem_price', 'reset_status', 'reset_count', 'reset_times', 'put_count']
    const later: Announcement[] = [
      { date: '2024-01-10', kind: 'no_redeem', until: '2024-03-01' },
      { date: '2024-01-10', kind: 'reset', effective: '2024-01-11' },
      { date: '2024-01-10', kind: 'redeem_execution', price: 101 },
    ]
    const more: BondStory = { ...story, announcements: [...(story.announcements ?? []), ...later] }
    for (const key of keys) {
      const known = dates.slice(0, 9).filter((date) => date <= '2024-01-10').length
      expect(valuesOf({ ...more, stock: Array(9).fill(6) }, key).slice(0, known), key).toEqual(
        valuesOf({ ...story, stock: Array(9).fill(6) }, key).slice(0, known),
      )
    }
  })

  it('a status that the data bring themselves stands for the announcements', () => {
    const panel = market({ stock: Array(4).fill(below) })
    const own = { ...panel, columns: new Map([...panel.columns, ['call_status', Float64Array.of(0, 3, 4, 5)]]) }
    const fine = withDerived(own, ['is_call', 'call_status']).columns
    expect([...(fine.get('is_call') as Float64Array)]).toEqual([0, 7, 8, 9])
    expect([...(fine.get('call_status') as Float64Array)]).toEqual([0, 3, 4, 5])
  })
})

describe('剔除：强赎剩余计数', () => {
  const exclude = { ...parameters().exclude, call_remain_days: 1 }
  it('counts by the clause of each bond, and says so where the data have none', () => {
    const left = (story: BondStory) => {
      const panel = market(story)
      const outcome = screen(panel, markets.cb, { parameters: parameters({ exclude }), day: panel.dates.length - 1, need: ['excluded'] })
      if (!outcome.ok) throw new Error(outcome.problem.message)
      return { excluded: outcome.result.excluded?.map(({ rule }) => rule), warnings: outcome.result.warnings }
    }
    expect(left({ stock: [above, above] }).excluded).toEqual(['强赎剩余计数 1 天以内'])
    expect(left({ stock: [below, above] }).excluded).toEqual([])
    const unknown = left({ stock: [above, above], terms: { redeem: null } })
    expect(unknown).toMatchObject({ excluded: [], warnings: [expect.stringContaining('强赎已满足天数')] })
  })
})

/** Bonds of one clause, 3 of 5 days at 13 yuan or more, each with what was published of it; what each day must say was counted by hand. */
describe('a bond by what was published of it', () => {
  const days = (text: string) => [...text].map((sign) => (sign === '+' ? above : below))
  const on = (day: number, kind: Announcement['kind'], more: Partial<Announcement> = {}): Announcement => ({
    date: dates[day] as string,
    kind,
    ...more,
  })
  const told: Readonly<Record<string, string>> = {
    '.': '无',
    o: '未到转股期',
    n: '临近触发',
    M: '已满足强赎条件',
    P: '公告不强赎（推定）',
    W: '公告不强赎',
    h: '公告提示强赎',
    A: '已公告强赎',
    X: '公告实施强赎',
    T: '公告到期赎回',
  }
  it.each<[name: string, share: string, announcements: Announcement[], states: string, left: string, more?: Partial<BondTerms>]>([
    ['never near', '----------', [], '..........', '3333333333'],
    [
      'called at once, with two reminders',
      '+++-------',
      [on(2, 'redeem'), on(4, 'redeem'), on(6, 'redeem_execution')],
      'nnMAAAAXXX',
      '2100012333',
    ],
    ['called on the next trading day', '+++-+-----', [on(3, 'redeem')], 'nnMMAAAAAA', '2100001223'],
    ['waived with a date', '++++++++++', [on(3, 'no_redeem', { until: dates[5] as string })], 'nnMMWWnnMM', '2100332100'],
    ['waived without a date', '++++++++++', [on(2, 'no_redeem')], 'nnMWWWWWWW', '2103333333'],
    ['silent', '++++++++++', [], 'nnMMPPPPPP', '2100333333'],
    ['silent, then called', '++++++++++', [on(6, 'redeem')], 'nnMMPPPAAA', '2100333333'],
    ['hinted, and nothing more', '++--------', [on(1, 'redeem_hint')], 'nnhhhhhhhh', '2111123333'],
    ['not yet convertible', '+++++-----', [], 'ooonnnnnn.', '3332111123', { conversionStart: dates[3] as string }],
    ['matures', '+---------', [on(2, 'maturity', { price: 110 })], 'nnnTTTTTTT', '2222233333'],
  ])('%s', (_name, share, announcements, states, left, more) => {
    const panel: Panel = {
      ...market({ stock: days(share), announcements, terms: { ...more } }),
      callLists: [['2023-12-01', '2024-12-31']],
    }
    const { columns } = withDerived(panel, ['is_call', 'redeem_count'])
    const texts = markets.cb.fields.find(({ key }) => key === 'is_call')?.values ?? []
    expect([...(columns.get('is_call') as Float64Array)].map((value) => texts[value])).toEqual([...states].map((sign) => told[sign]))
    expect([...(columns.get('redeem_count') as Float64Array)].map((count) => Math.max(0, 3 - count)).join('')).toBe(left)
  })
})
