import type { Parameters } from '@convexa/contract'
import { describe, expect, it } from 'vitest'
import { markets, screen } from '../../src/index.ts'
import { filterBy, parameters, rankBy, settings } from '../fixtures/parameters.ts'
import { reportOf } from '../fixtures/run.ts'
import { table } from '../fixtures/table.ts'

const market = `
              AAA   BBB   CCC   DDD   EEE
  2024-01-02  100   110   120   .     140
  2024-01-03  104   112   -     130   141
`
const fields = {
  conv_prem: `
              AAA   BBB   CCC   DDD   EEE
  2024-01-02  0.4   0.2   0.1   .     0.3
  2024-01-03  0.4   0.2   0.1   -     0.3
`,
  rating: `
              AAA   BBB   CCC   DDD   EEE
  2024-01-02  0     1     2     .     4
  2024-01-03  0     1     2     3     4
`,
  call_status: `
              AAA   BBB   CCC   DDD   EEE
  2024-01-02  0     0     0     .     3
  2024-01-03  0     1     0     0     3
`,
}
const securities = {
  AAA: { board: 'SSE_MAIN', issuer: 'X', listed: '2023-01-03', attributes: { industry_1: '银行', area: '上海' } },
  BBB: { board: 'CHINEXT', issuer: 'X', listed: '2023-01-03', attributes: { industry_1: '医药', area: '广东' } },
  CCC: { board: 'SZSE_MAIN', listed: '2023-12-30', attributes: { industry_1: '医药', orgform: '民营企业' } },
  DDD: { board: 'SZSE_MAIN', listed: '2024-01-03' },
  EEE: { board: 'STAR', lastDay: '2024-01-03', lastDayKnown: '2024-01-03', listed: null },
} as const

const panel = table(market, { fields, securities })

function run(over: Parameters | Parameters['filter_factors'], extra: { day?: number; previous?: string[] } = {}) {
  const wanted = Array.isArray(over) ? parameters({ filter_factors: over, exclude: { suspended: false } }) : over
  const outcome = screen(panel, markets.cb, {
    parameters: wanted,
    day: extra.day ?? 1,
    ...(extra.previous ? { previous: extra.previous } : {}),
  })
  if (!outcome.ok) throw new Error(outcome.problem.message)
  return outcome.result
}
const pool = (result: ReturnType<typeof run>) =>
  result.list_items
    .filter((row) => row.rank !== null)
    .map((row) => row.code)
    .join(' ')

describe('a factor that does not tell securities apart', () => {
  const flat = table(
    `
                AAA   BBB   CCC   DDD   EEE
    2024-01-02  10    11    12    13    14
    2024-01-03  10    11    12    13    14
  `,
    {
      kind: 'stk',
      fields: {
        dv_ratio: `
                AAA   BBB   CCC   DDD   EEE
    2024-01-02  0     0     0     0.01  0.02
    2024-01-03  0     0     0     0.01  0.02
  `,
      },
    },
  )
  const told = (over: Parameters) => {
    const outcome = screen(flat, markets.stk, { parameters: over, day: 1 })
    if (!outcome.ok) throw new Error(outcome.problem.message)
    return outcome.result
  }

  it('one value for more than half of the pool is told, by screens and runs', () => {
    const byYield = parameters({ rank_factors: [rankBy('dv_ratio')] })
    expect(told(byYield).warnings).toContain('打分因子「股息率」在打分池 5 只中有 3 只取值相同，对它们没有区分度，名次按代码先后')
    const both = parameters({ rank_factors: [rankBy('formula: cs_mad(dv_ratio)'), rankBy('close')] })
    expect(told(both).warnings.filter((text) => text.includes('区分度'))).toEqual([
      '打分因子「cs_mad(dv_ratio)」在打分池 5 只中有 5 只取值相同，对它们没有区分度',
    ])
    expect(told(parameters()).warnings).toEqual([])
    const ran = reportOf(flat, markets.stk, {
      parameters: byYield,
      settings: settings('2024-01-02', '2024-01-03', { benchmark: 'stk_ew', execution: 'ideal', adjust: 'qfq' }),
    })
    expect(ran.report.warnings).toContain('打分因子「股息率」在抽查的 2 个轮动日都对打分池过半的证券取值相同，对它们没有区分度')
  })

  it('in a z-score says nothing: the scores are those without it', () => {
    const scores = (over: Parameters['rank_factors']) =>
      told(parameters({ rank_factors: over, rank_method: 'zscore' })).list_items.map(({ score }) => score)
    const alone = scores([rankBy('close')])
    expect(scores([rankBy('formula: 0 * close + 0.1'), rankBy('close')])).toEqual(alone)
  })
})

describe('who is in the pool', () => {
  it.each([
    { story: 'suspended is out, and what left today', over: parameters(), expected: 'AAA BBB DDD' },
    { story: 'suspended stays when it may', over: parameters({ exclude: { suspended: false } }), expected: 'AAA BBB CCC DDD' },
    { story: 'boards', over: parameters({ universe: { markets: ['CHINEXT', 'SSE_MAIN'] } }), expected: 'AAA BBB' },
    { story: 'only these codes', over: parameters({ universe: { include_codes: ['BBB', 'DDD'] } }), expected: 'BBB DDD' },
    { story: 'not these codes', over: parameters({ universe: { exclude_codes: ['BBB'] } }), expected: 'AAA DDD' },
    { story: 'call status', over: parameters({ exclude: { call_status: ['met'] } }), expected: 'AAA DDD' },
    { story: 'listed for at most one day: the listing day is 1', over: parameters({ exclude: { list_days: 1 } }), expected: 'AAA BBB' },
    { story: 'listed for at most 4 days', over: parameters({ exclude: { list_days: 4, suspended: false } }), expected: 'AAA BBB CCC' },
    { story: 'listed for at most 5 days', over: parameters({ exclude: { list_days: 5, suspended: false } }), expected: 'AAA BBB' },
    { story: 'ratings below AA+', over: parameters({ exclude: { ratings_below: 'AA+' } }), expected: 'AAA BBB' },
    { story: 'industries', over: parameters({ exclude: { industries: ['医药'], suspended: false } }), expected: 'AAA DDD' },
    {
      story: 'areas and kinds of firm',
      over: parameters({ exclude: { areas: ['上海'], org_types: ['民营企业'], suspended: false } }),
      expected: 'BBB DDD',
    },
  ])('$story', ({ over, expected }) => {
    expect(pool(run(over))).toBe(expected)
  })

  it.each([
    { row: filterBy('close', 'gt', 112), expected: 'AAA BBB' },
    { row: filterBy('close', 'ge', 112), expected: 'AAA' },
    { row: filterBy('close', 'lt', 112), expected: 'BBB CCC DDD' },
    { row: filterBy('close', 'le', 112), expected: 'CCC DDD' },
    { row: filterBy('close', 'eq', 112), expected: 'AAA CCC DDD' },
    { row: filterBy('close', 'ne', 112), expected: 'BBB' },
    { row: filterBy('close', 'between', [104, 112]), expected: 'CCC DDD' },
    { row: filterBy('close', 'between', [104, 112], 'keep'), expected: 'AAA BBB' },
    { row: filterBy('close', 'gt', 112, 'keep'), expected: 'CCC DDD' },
    // 104 112 120 130 are the percentiles 0, 1/3, 2/3, 1 of the universe
    { row: filterBy('close', 'lt_rank', 0.3), expected: 'BBB CCC DDD' },
    { row: filterBy('close', 'gt_rank', 0.6), expected: 'AAA BBB' },
    { row: filterBy('rating', 'in', ['AAA', 'AA']), expected: 'BBB DDD' },
    { row: filterBy('rating', 'eq', 'AA+', 'keep'), expected: 'BBB' },
    { row: filterBy('call_status', 'ne', 'none'), expected: 'AAA CCC DDD' },
    // DDD has no premium: it neither satisfies nor fails
    { row: filterBy('conv_prem', 'lt', 0.25), expected: 'AAA DDD' },
    { row: filterBy('conv_prem', 'lt', 0.25, 'keep'), expected: 'BBB CCC' },
    { row: filterBy('conv_prem', 'ne', 0.4), expected: 'AAA DDD' },
    { row: filterBy('conv_prem', 'is_null', 0), expected: 'AAA BBB CCC' },
    { row: filterBy('conv_prem', 'is_null', 0, 'keep'), expected: 'DDD' },
    { row: { ...filterBy('close', 'gt', 0), enable: false }, expected: 'AAA BBB CCC DDD' },
    { row: filterBy('formula: close / ref(close, 1) - 1', 'gt', 0.02), expected: 'BBB CCC DDD' },
    { row: filterBy('listed_days', 'lt', 3), expected: 'AAA BBB CCC' },
  ])('filter $row.action $row.factor_key $row.operation $row.value', ({ row, expected }) => {
    expect(pool(run([row]))).toBe(expected)
  })

  it('says which rule took whom, and how many each', () => {
    const result = run(parameters({ filter_factors: [{ ...filterBy('close', 'lt', 1), enable: false }, filterBy('close', 'gt', 112)] }))
    expect(result.excluded?.map(({ code, rule, value }) => [code, rule, value])).toEqual([
      ['CCC', '停牌', null],
      ['DDD', '剔除：收盘价大于 112', 130],
      ['EEE', '最后交易日将至', null],
    ])
    expect(result.funnel.map(({ step, before, after }) => `${step} ${before}-${after}`)).toEqual([
      'exclude.suspended 5-4',
      'exclude.last_day 4-3',
      'filter.1 3-2',
      'missing.close 2-2',
      'select 2-1',
    ])
    expect(result.total).toBe(2)
    for (const row of result.excluded ?? []) expect(result.funnel[row.rule_index]?.label).toBe(row.rule)
  })

  it('names the own status, rating or industry of an excluded security, not all that the rule lists', () => {
    const told = (exclude: Partial<Parameters['exclude']>, day = 1) =>
      run(parameters({ exclude: { suspended: false, ...exclude } }), { day }).excluded?.map(({ code, rule }) => `${code} ${rule}`)
    expect(told({ call_status: ['met', 'announced', 'executing'] }, 0)).toEqual(['EEE 强赎状态：已公告强赎'])
    expect(told({ call_status: ['met', 'announced', 'executing'] })).toContain('BBB 强赎状态：已满足强赎条件')
    expect(told({ ratings_below: 'AA+' })).toEqual(expect.arrayContaining(['CCC 评级 AA，低于 AA+', 'DDD 评级 AA-，低于 AA+']))
    expect(told({ industries: ['银行', '医药'] })).toEqual(expect.arrayContaining(['AAA 行业：银行', 'BBB 行业：医药']))
    // The row of a security that was held gives the same reason.
    const left = run(parameters({ exclude: { call_status: ['met', 'announced'] } }), { previous: ['BBB'] })
    expect(left.list_items.at(-1)).toMatchObject({ code: 'BBB', reason_text: '剔除：强赎状态：已满足强赎条件' })
  })

  it('a security without a rating is not below one, and is counted in a warning', () => {
    const ratings = Float64Array.from(panel.columns.get('rating')!)
    ratings[panel.stride] = Number.NaN
    const unrated = { ...panel, columns: new Map(panel.columns).set('rating', ratings) }
    const told = (ratings_below: 'AA+' | null) =>
      screen(unrated, markets.cb, { parameters: parameters({ exclude: { suspended: false, ratings_below } }), day: 1 })
    expect(told('AA+')).toMatchObject({ ok: true, result: { warnings: ['1 只无评级，未按评级剔除'] } })
    expect(told(null)).toMatchObject({ ok: true, result: { warnings: [] } })
  })

  it('a last day is known from its announcement on', () => {
    expect(pool(run(parameters(), { day: 0 }))).toBe('AAA BBB CCC EEE')
  })

  it('an exclusion that the data cannot decide gives a warning', () => {
    const result = run(parameters({ exclude: { st: true } }))
    expect(result.warnings).toEqual(['当前数据没有「正股 ST」，未执行剔除：ST 或 *ST'])
  })
})

describe('ranking', () => {
  const two = [rankBy('close', { weight: 2 }), rankBy('conv_prem')]
  it('sums weighted ranks; scores run from 0 to 100 and their parts sum to them', () => {
    const result = run(parameters({ rank_factors: two, exclude: { suspended: false } }))
    // close ranks AAA 1, BBB 2, CCC 3; premium ranks CCC 1, BBB 2, AAA 3; DDD has no premium
    expect(result.list_items.map(({ code, rank, score }) => [code, rank, Math.round((score as number) * 1e6) / 1e6])).toEqual([
      ['AAA', 1, 66.666667],
      ['BBB', 2, 50],
      ['CCC', 3, 33.333333],
    ])
    for (const row of result.list_items) {
      const parts = Object.values(row.score_parts ?? {})
      expect(parts.reduce((sum, part) => sum + (part.contrib as number), 0)).toBeCloseTo(row.score as number, 10)
    }
    expect(result.list_items[0]?.score_parts?.['close']).toMatchObject({ raw: 104, rank: 1, norm: 1 })
    expect(result.excluded?.find(({ code }) => code === 'DDD')?.rule).toBe('缺少「转股溢价率」')
  })

  it('equal scores go by code', () => {
    expect(pool(run(parameters({ rank_factors: [rankBy('close'), rankBy('conv_prem')], exclude: { suspended: false } })))).toBe(
      'AAA BBB CCC',
    )
  })

  it('large first', () => {
    expect(pool(run(parameters({ rank_factors: [rankBy('close', { prefer: 'large' })] })))).toBe('DDD BBB AAA')
  })

  it('z-scores weigh distances, not places', () => {
    const ranks = [rankBy('close'), rankBy('formula: if(close == 104, 100, if(close == 112, 99, 0))')]
    const wanted = { rank_factors: ranks, exclude: { suspended: false }, universe: { exclude_codes: ['DDD'] } }
    expect(pool(run(parameters({ ...wanted, rank_method: 'rank' })))).toBe('AAA BBB CCC')
    expect(pool(run(parameters({ ...wanted, rank_method: 'zscore' })))).toBe('AAA CCC BBB')
    const scores = run(parameters({ ...wanted, rank_method: 'zscore' })).list_items
    for (const row of scores) {
      const parts = Object.values(row.score_parts ?? {})
      expect(parts.reduce((sum, part) => sum + (part.contrib as number), 0)).toBeCloseTo(row.score as number, 10)
      expect(row.score).toBeGreaterThanOrEqual(0)
      expect(row.score).toBeLessThanOrEqual(100)
    }
  })

  it.each(['rank', 'zscore', 'percentile'] as const)(
    'by %s nobody has more than 100 or less than 0, not even in the last bits',
    (rank_method) => {
      const three = [rankBy('close', { weight: 0.3 }), rankBy('formula: log(close)', { weight: 0.7 }), rankBy('formula: sqrt(close)')]
      for (let n = 1; n <= 30; n++) {
        const closes = ['AAA', 'BBB', 'CCC', 'DDD', 'EEE'].map((_, i) => (100 + ((n * (i + 3) * 37) % 101) / 7).toFixed(3))
        const odd = table(`            AAA BBB CCC DDD EEE\n  2024-01-02  ${closes.join(' ')}`)
        const outcome = screen(odd, markets.cb, { parameters: parameters({ rank_method, rank_factors: three }), day: 0 })
        const scores = outcome.ok ? outcome.result.list_items.map(({ score }) => score ?? Number.NaN) : []
        expect(Math.max(...scores)).toBeLessThanOrEqual(100)
        expect(Math.min(...scores)).toBeGreaterThanOrEqual(0)
      }
    },
  )

  it('percentiles order as ranks do', () => {
    const wanted = { rank_factors: two, exclude: { suspended: false } }
    const percentile = run(parameters({ ...wanted, rank_method: 'percentile' })).list_items
    expect(percentile).toEqual(run(parameters(wanted)).list_items)
  })

  // DDD has no premium on either day; AAA 0.4, BBB 0.2, CCC 0.1
  it.each([
    { process: 'exclude', expected: 'CCC BBB AAA' },
    { process: 'forward_fill', expected: 'CCC BBB AAA' },
    { process: 'market_mean', expected: 'CCC BBB DDD AAA' },
    { process: 'market_median', expected: 'CCC BBB DDD AAA' },
    { process: 'market_min', expected: 'CCC DDD BBB AAA' },
    { process: 'market_max', expected: 'CCC BBB AAA DDD' },
    { process: 'worst', expected: 'CCC BBB AAA DDD' },
  ] as const)('a missing value, $process', ({ process, expected }) => {
    const ranks = [rankBy('conv_prem', { missing_process: process })]
    expect(pool(run(parameters({ rank_factors: ranks, exclude: { suspended: false } })))).toBe(expected)
    const among = [rankBy('conv_prem', { missing_process: process, weight: 100 }), rankBy('close', { weight: 0.001 })]
    expect(pool(run(parameters({ rank_factors: among, exclude: { suspended: false } })))).toBe(expected)
  })

  it('forward_fill takes a value of the days before', () => {
    const gap = table(market, {
      securities,
      fields: { conv_prem: fields.conv_prem.replace('2024-01-03  0.4   0.2', '2024-01-03  0.4   -  ') },
    })
    const outcome = screen(gap, markets.cb, {
      parameters: parameters({ rank_factors: [rankBy('conv_prem', { missing_process: 'forward_fill' })], exclude: { suspended: false } }),
      day: 1,
    })
    expect(outcome.ok && outcome.result.list_items.map(({ code }) => code).join(' ')).toBe('CCC BBB AAA')
  })
})

it('forward_fill looks back over twenty trading days and no further', () => {
  const dates = Array.from({ length: 23 }, (_, t) => `2024-01-${String(t + 1).padStart(2, '0')}`)
  const text = (cell: (t: number) => string) => `AAA BBB\n${dates.map((date, t) => `${date} ${cell(t)}`).join('\n')}`
  const panel = table(
    text(() => '100 110'),
    { fields: { conv_prem: text((t) => (t === 1 ? '0.1 0.2' : '- 0.2')) } },
  )
  const wanted = parameters({ rank_factors: [rankBy('conv_prem', { missing_process: 'forward_fill' })] })
  const on = (day: number) => {
    const outcome = screen(panel, markets.cb, { parameters: wanted, day })
    return outcome.ok ? outcome.result.list_items.map(({ code }) => code).join(' ') : outcome.problem.message
  }
  expect([on(1), on(21), on(22)]).toEqual(['AAA BBB', 'AAA BBB', 'BBB'])
})

describe('selection', () => {
  const hold = (over: Partial<Parameters['hold_method']>, universe: Partial<Parameters['universe']> = {}) =>
    parameters({ hold_method: over, universe, exclude: { suspended: false } })
  const chosen = (result: ReturnType<typeof run>) =>
    result.list_items
      .filter((row) => row.selected)
      .map((row) => row.code)
      .join(' ')

  it.each([
    { story: 'the first two', over: hold({ hold_range_end: 2 }), previous: [], expected: 'AAA BBB' },
    { story: 'places 2 to 3', over: hold({ hold_range_start: 2, hold_range_end: 3 }), previous: [], expected: 'BBB CCC' },
    {
      story: 'the first half of four',
      over: hold({ hold_range_type: 2, hold_range_start: 0, hold_range_end: 0.5 }),
      previous: [],
      expected: 'AAA BBB',
    },
    {
      story: 'the second half',
      over: hold({ hold_range_type: 2, hold_range_start: 0.5, hold_range_end: 1 }),
      previous: [],
      expected: 'CCC DDD',
    },
    { story: 'one of an issuer', over: hold({ hold_range_end: 2 }, { max_per_issuer: 1 }), previous: [], expected: 'AAA CCC' },
    {
      story: 'a held one in the buffer stays',
      over: hold({ hold_range_end: 2, hold_threshold: 1 }),
      previous: ['CCC'],
      expected: 'AAA CCC',
    },
  ])('$story', ({ over, previous, expected }) => {
    expect(chosen(run(over, { previous }))).toBe(expected)
  })

  it('tells what changed and why', () => {
    const result = run(parameters({ hold_method: { hold_range_end: 2 } }), { previous: ['BBB', 'CCC', 'DDD', 'ZZZ'] })
    expect(
      result.list_items.filter((row) => row.change).map(({ code, rank, change, reason_text }) => [code, rank, change, reason_text]),
    ).toEqual([
      ['AAA', 1, 'new', '名次 1，新进'],
      ['BBB', 2, 'hold', '名次 2，继续持有'],
      ['DDD', 3, 'out', '名次 3，超出持有区间 2'],
      ['CCC', null, 'out', '剔除：停牌'],
    ])
  })

  it('who fills the place of a twin says so', () => {
    const { list_items } = run(hold({ hold_range_end: 2 }, { max_per_issuer: 1 }), { previous: ['ZZZ'] })
    expect(list_items.filter(({ selected }) => selected).map(({ code, reason_text }) => [code, reason_text])).toEqual([
      ['AAA', '名次 1，新进'],
      ['CCC', '名次 3，补位新进'],
    ])
  })

  it('lists the next best as reserves', () => {
    const result = run(hold({ hold_range_end: 2 }))
    expect(result.reserve_items?.map(({ code, rank }) => [code, rank])).toEqual([
      ['CCC', 3],
      ['DDD', 4],
    ])
    expect(result.list_items.filter((row) => row.reserve).map(({ code }) => code)).toEqual(['CCC', 'DDD'])
  })

  it('answers only what is needed', () => {
    const outcome = screen(panel, markets.cb, { parameters: parameters(), day: 1, need: ['funnel'] })
    expect(outcome.ok && [outcome.result.list_items, outcome.result.excluded, outcome.result.reserve_items]).toEqual([
      [],
      undefined,
      undefined,
    ])
  })

  it('writes the texts of enumerations and the columns of the market', () => {
    const first = run(parameters()).list_items[0]
    expect(first?.values).toMatchObject({ close: 104, rating: 'AAA', call_status: 'none', dblow: 144 })
    expect(first?.values['pct_chg']).toBeCloseTo(0.04, 12)
    expect(first?.values).not.toHaveProperty('ytm')
  })
})

describe('what cannot be computed is refused in a sentence', () => {
  const problem = (over: Parameters) => {
    const outcome = screen(panel, markets.cb, { parameters: over, day: 1 })
    return outcome.ok ? null : `${outcome.problem.code} ${outcome.problem.message}`
  }
  it.each([
    { over: parameters({ rank_factors: [] }), expected: '40000 请求参数有误：至少需要一个启用且权重大于 0 的打分因子' },
    {
      over: parameters({ rank_factors: [rankBy('close', { neutralization: 'beta' })] }),
      expected: '40000 请求参数有误：没有中性化方式「beta」，可选：剩余规模（size）、正股市值（stock_size）、行业（industry）',
    },
    {
      over: parameters({ hold_method: { hold_range_start: 5, hold_range_end: 2 } }),
      expected: '40000 请求参数有误：持有区间需为整数名次，且起点不大于终点',
    },
    {
      over: parameters({ filter_factors: [filterBy('rating', 'eq', 'ZZ')] }),
      expected: '40000 请求参数有误：第 1 个条件（评级）没有取值「ZZ」',
    },
    {
      over: parameters({ filter_factors: [filterBy('close', 'gt', 'x')] }),
      expected: '40000 请求参数有误：第 1 个条件（收盘价）的取值需为数字',
    },
    { over: parameters({ stop_method: { stop_type: 1 } }), expected: '40000 请求参数有误：盘中止盈需要填写止盈比例' },
    {
      over: parameters({ exclude: { yy_ratings_above: '6' } }),
      expected: '40000 请求参数有误：当前数据没有第三方评级，请移除该剔除条件',
    },
    { over: parameters({ exclude: { yy_ratings_above: 'AA' } }), expected: '40000 请求参数有误：第三方评级需为数字等级，如 6' },
    {
      over: parameters({ universe: { index_codes: ['000300'] } }),
      expected: '40000 请求参数有误：当前数据没有指数 000300 的历史成分，无法按成分选择范围',
    },
  ])('$expected', ({ over, expected }) => {
    expect(problem(over)).toBe(expected)
  })

  it('a factor whose field the data lack names it; an unknown one says so', () => {
    expect(problem(parameters({ rank_factors: [rankBy('ytm')] }))).toContain('到期收益率')
    expect(problem(parameters({ rank_factors: [rankBy('no_such')] }))).toContain('22009')
  })
})

describe('grades of a third party', () => {
  const graded = table(
    `
                AAA  BBB  CCC  DDD
    2024-01-02  100  110  120  130
    2024-01-03  100  110  120  130
  `,
    {
      securities: {
        AAA: { attributes: { yy_rating: '6-' } },
        BBB: { attributes: { yy_rating: '6' } },
        CCC: {
          dated: {
            yy_rating: [
              { from: null, to: '2024-01-03', text: '4' },
              { from: '2024-01-03', to: null, text: '8' },
            ],
          },
        },
      },
    },
  )
  it('worse than the bound leave, by the grade of the day; who has none stays', () => {
    const codes = (day: number) => {
      const outcome = screen(graded, markets.cb, { parameters: parameters({ exclude: { yy_ratings_above: '6' } }), day })
      return outcome.ok ? outcome.result.list_items.map(({ code }) => code) : outcome.problem.message
    }
    expect([codes(0), codes(1)]).toEqual([
      ['BBB', 'CCC', 'DDD'],
      ['BBB', 'DDD'],
    ])
  })
})

describe('who is about to leave', () => {
  // Thursday to Tuesday; a list is traded the day after.
  const text = (days: readonly string[]) => `AAA BBB\n${days.map((day) => `${day} 100 110`).join('\n')}`
  const days = ['2024-01-04', '2024-01-05', '2024-01-08', '2024-01-09']
  const listed = (lastDay: string, lastDayKnown: string | null, until: number, day: number) => {
    const panel = table(text(days.slice(0, until)), { securities: { AAA: { lastDay, lastDayKnown } } })
    const outcome = screen(panel, markets.cb, { parameters: parameters(), day })
    return outcome.ok && outcome.result.list_items.map(({ code }) => code)
  }

  it.each([
    { story: 'the day before its last is too late to be listed', lastDay: '2024-01-09', day: 2, wanted: ['BBB'] },
    { story: 'over a weekend too', lastDay: '2024-01-08', day: 1, wanted: ['BBB'] },
    { story: 'two days before it is listed', lastDay: '2024-01-09', day: 1, wanted: ['AAA', 'BBB'] },
  ])('$story, whether the data reach beyond that day or not', ({ lastDay, day, wanted }) => {
    for (const until of [day + 1, days.length]) expect(listed(lastDay, '2024-01-04', until, day)).toEqual(wanted)
  })

  it.each([
    { nextDay: '2024-01-09', wanted: ['BBB'] },
    { nextDay: '2024-01-08', wanted: ['AAA', 'BBB'] },
    { nextDay: null, wanted: ['AAA', 'BBB'] },
  ])('before a holiday it is the next trading day that counts, if it is told: $nextDay', ({ nextDay, wanted }) => {
    const panel = table(text(days.slice(0, 2)), { securities: { AAA: { lastDay: '2024-01-09', lastDayKnown: '2024-01-04' } } })
    const outcome = screen({ ...panel, nextDay }, markets.cb, { parameters: parameters(), day: 1 })
    expect(outcome.ok && outcome.result.list_items.map(({ code }) => code)).toEqual(wanted)
  })

  it('as long as its last day is not public it is listed', () => {
    for (const known of ['2024-01-09', null]) expect(listed('2024-01-09', known, 4, 2)).toEqual(['AAA', 'BBB'])
  })
})
