import { describe, expect, it } from 'vitest'
import { type BondTerms, crossSection, markets, ratings, unknownTerms } from '../../../src/index.ts'
import type { Panel } from '../../../src/panel/panel.ts'
import { table } from '../../fixtures/table.ts'

const row = (value: number | string) => `
              AAA
  2023-01-20  ${value}
`

/** 123014 on 2023-01-20: 187 days before its end, of which only the redemption at 106 is left to come. */
const terms: BondTerms = {
  ...unknownTerms,
  issueSize: 4.1,
  valueDate: '2017-07-26',
  maturityDate: '2023-07-26',
  conversionEnd: '2023-07-26',
  coupons: [0.3, 0.5, 1, 1.3, 1.5, 1.8],
  maturityPrice: 106,
}

function bond(fields: Record<string, number>, over: Partial<BondTerms> = {}): Panel {
  const { close = 134.27, ...others } = fields
  return table(row(close), {
    fields: Object.fromEntries(Object.entries(others).map(([key, value]) => [key, row(value)])),
    securities: { AAA: { listed: '2017-08-01', terms: { ...terms, ...over } } },
  })
}

function worthOf(panel: Panel, ref: string): number | null {
  const outcome = crossSection(panel, markets.cb, [ref], panel.dates.length - 1)
  if (!outcome.ok) throw new Error(outcome.problem.message)
  return outcome.values[0]?.[0] ?? null
}

const full = {
  ...{ conv_price: 8.03, close_stk: 7.84, remain_size: 1.160285, amount: 562.354097, total_mv: 23.920238 },
  ...{ pure_value: 102.008646, volatility_stk: 0.373874, rating: 4 },
}

describe('the golden row of 123014 (domain.md 2.3)', () => {
  const panel = { ...bond(full), benchmarks: new Map([['risk_free', Float64Array.of(0.02583)]]) }
  it.each([
    { key: 'bond_prem', expected: 0.316261, digits: 6 },
    { key: 'option_value', expected: 9.930939, digits: 4 },
    { key: 'theory_value', expected: 111.939584, digits: 4 },
    { key: 'theory_bias', expected: 0.16631, digits: 5 },
    { key: 'ytm', expected: -0.36963, digits: 5 },
    { key: 'left_years', expected: 188 / 365, digits: 12 },
    { key: 'left_days', expected: 188, digits: 12 },
    // The curve that is built in gives the yield that the row was made with: 7.78 %.
    { key: 'rating_yield', expected: 0.0778, digits: 4 },
    { key: 'formula: bond_value(rating_yield)', expected: 102.008646, digits: 2 },
    { key: 'remain_ratio', expected: 1.160285 / 4.1, digits: 12 },
    { key: 'maturity_gap', expected: 106 / 134.27 - 1, digits: 12 },
    { key: 'accrued', expected: (1.8 * 178) / 365, digits: 12 },
    { key: 'coupon_cur', expected: 0.018, digits: 12 },
    { key: 'dilution', expected: 1.160285 / 8.03 / (23.920238 / 7.84), digits: 12 },
    { key: 'three_low', expected: 134.27 * 1.37524 * 1.160285, digits: 3 },
  ])('$key', ({ key, expected, digits }) => {
    expect(worthOf(panel, key)).toBeCloseTo(expected, digits)
  })

  it('the yield after tax: 20 % of what is above 100', () => {
    expect(worthOf(panel, 'ytm_tax')).toBeCloseTo((104.8 / 134.27) ** (365 / 187) - 1, 12)
  })

  it('a rate of the day stands in the place of 2.5 %', () => {
    expect(worthOf(panel, 'risk_free')).toBe(0.02583)
    expect(worthOf(bond(full), 'risk_free')).toBe(0.025)
    expect(worthOf({ ...panel, benchmarks: new Map([['risk_free', Float64Array.of(Number.NaN)]]) }, 'risk_free')).toBe(0.025)
  })
})

describe('the other vector of Black and Scholes', () => {
  it('1,231 days, a volatility of 0.383481', () => {
    const panel = {
      ...bond({ conv_value: 110.169492, volatility_stk: 0.383481, left_years: 1232 / 365 }),
      benchmarks: new Map([['risk_free', Float64Array.of(0.02583)]]),
    }
    expect(worthOf(panel, 'option_value')).toBeCloseTo(37.93392, 4)
  })

  it('the greeks are the slopes of the option value', () => {
    const at = (change: Partial<Record<'conv_value' | 'volatility_stk' | 'left_years', number>>) =>
      bond({ conv_value: 110, volatility_stk: 0.38, left_years: 3.2, pure_value: 95, close: 130, ...change })
    const value = (change: Parameters<typeof at>[0]) => worthOf(at(change), 'option_value') as number
    expect(worthOf(at({}), 'delta')).toBeCloseTo((value({ conv_value: 110.001 }) - value({ conv_value: 109.999 })) / 0.002, 6)
    const slope = (conv_value: number) => worthOf(at({ conv_value }), 'delta') as number
    expect(worthOf(at({}), 'gamma')).toBeCloseTo((slope(110.001) - slope(109.999)) / 0.002, 6)
    expect(worthOf(at({}), 'vega')).toBeCloseTo((value({ volatility_stk: 0.3801 }) - value({ volatility_stk: 0.3799 })) / 0.02, 6)
    const day = 1 / 365
    expect(worthOf(at({}), 'theta')).toBeCloseTo((value({ left_years: 3.2 - day / 2 }) - value({ left_years: 3.2 + day / 2 })) / 1, 6)
    expect(worthOf(at({}), 'elasticity')).toBeCloseTo(((worthOf(at({}), 'delta') as number) * 110) / 130, 12)
  })

  it('the implied volatility gives the price back; a price below its floor has none', () => {
    const panel = bond({ conv_value: 110, left_years: 3.2, pure_value: 95, close: 130, volatility_stk: 0.38 })
    const iv = worthOf(panel, 'iv') as number
    expect(worthOf(bond({ conv_value: 110, left_years: 3.2, pure_value: 95, close: 130, volatility_stk: iv }), 'theory_value')).toBeCloseTo(
      130,
      8,
    )
    expect(worthOf(bond({ conv_value: 110, left_years: 3.2, pure_value: 95, close: 96, volatility_stk: 0.38 }), 'iv')).toBeNull()
  })
})

describe('yields by rating and tenor', () => {
  /** A bond of a rating (the index into `ratings`) with some years left, on a day. */
  const on = (date: string, rating: string, years: number, series: Record<string, number> = {}) => ({
    ...table(` AAA\n ${date} 100`, {
      fields: { rating: ` AAA\n ${date} ${(ratings as readonly string[]).indexOf(rating)}`, left_years: ` AAA\n ${date} ${years}` },
    }),
    benchmarks: new Map(Object.entries(series).map(([code, value]) => [code, Float64Array.of(value)])),
  })
  const curve = 'formula: yield_curve(left_years)'
  // What a vendor's pages told of the reference yield on these days, in per cent: a table of year ends is near it, not equal to it.
  it.each([
    { date: '2022-03-04', rating: 'AAA', years: 5.28, told: 3.48, within: 0.2 },
    { date: '2022-03-04', rating: 'AA', years: 4.11, told: 4.07, within: 0.2 },
    { date: '2022-03-04', rating: 'AA-', years: 4.67, told: 6.63, within: 0.2 },
    { date: '2023-01-09', rating: 'AA-', years: 3.6, told: 6.43, within: 0.02 },
    { date: '2023-06-30', rating: 'AAA', years: 3.5, told: 2.89, within: 0.5 },
    { date: '2023-06-30', rating: 'AA-', years: 3.4, told: 5.9, within: 0.6 },
    { date: '2023-06-30', rating: 'A', years: 4.2, told: 10.74, within: 0.6 },
    { date: '2023-06-30', rating: 'BB', years: 2.8, told: 27.52, within: 0.6 },
    { date: '2023-03-20', rating: 'B', years: 3.3, told: 36.97, within: 0.6 },
    { date: '2023-06-30', rating: 'CCC', years: 3, told: 45.59, within: 0.6 },
    { date: '2023-06-30', rating: 'CC', years: 1.2, told: 97.49, within: 1 },
    { date: '2025-07-18', rating: 'A', years: 1.1, told: 6.9, within: 0.2 },
  ])('$rating with $years years left on $date: near $told %', ({ date, rating, years, told, within }) => {
    expect(Math.abs((worthOf(on(date, rating, years), curve) as number) * 100 - told)).toBeLessThan(within)
  })

  it('a curve is in force from its day on and never before', () => {
    const at = (date: string) => worthOf(on(date, 'AA', 3), curve)
    expect([at('2023-12-28'), at('2023-12-29')]).toEqual([0.039, 0.0305])
    // Before the first one there is nothing else.
    expect(at('2010-01-04')).toBe(at('2016-12-30'))
  })

  it('between tenors a straight line, level outside; a lower rating never yields less', () => {
    expect(worthOf(on('2021-12-31', 'AA', 2), curve)).toBeCloseTo((0.031 + 0.037) / 2, 12)
    expect([0.2, 9].map((years) => worthOf(on('2021-12-31', 'AA', years), curve))).toEqual([0.031, 0.046])
    for (const years of [0.5, 1, 2.5, 4, 6]) {
      const yields = ratings.map((rating) => worthOf(on('2021-12-31', rating, years), curve) as number)
      expect(yields).toEqual([...yields].sort((a, b) => a - b))
    }
  })

  it("the operator's series of a rating stand in for its curve on the days on which they have a value", () => {
    const series = { 'yield_aa-_2': 0.06, 'yield_aa-_4': 0.07, yield_aa_3: Number.NaN, yield_nonsense_3: 1 }
    expect(worthOf(on('2021-12-31', 'AA-', 3, series), curve)).toBeCloseTo(0.065, 12)
    expect(worthOf(on('2021-12-31', 'AA-', 6, series), curve)).toBe(0.07)
    expect(worthOf(on('2021-12-31', 'AA', 3, series), curve)).toBeCloseTo(0.037, 12)
  })
})

describe('a price that implies a default', () => {
  const years = { conv_value: 20, volatility_stk: 0.6, rating: ratings.indexOf('A') }
  const factors = 'rating_yield pure_value bond_prem theory_value theory_bias iv duration convexity floor_gap'.split(' ')
  // 187 days before its end the redemption of 106 is to come: at 60 yuan that is 200 % a year, at 90 it is 38 %.
  it('the floor and what is made of it are absent, and a factor says why', () => {
    const [sold, held] = [60, 90].map((close) => bond({ ...years, close }))
    expect(worthOf(sold as Panel, 'ytm')).toBeGreaterThan(1)
    expect([sold, held].map((panel) => worthOf(panel as Panel, 'default_priced'))).toEqual([1, 0])
    expect(factors.map((key) => [key, worthOf(sold as Panel, key)])).toEqual(factors.map((key) => [key, null]))
    for (const key of factors.filter((each) => each !== 'iv')) expect([key, worthOf(held as Panel, key)]).not.toEqual([key, null])
  })

  it('also where the data bring a floor of their own', () => {
    const panel = bond({ ...years, close: 60, pure_value: 99 })
    expect(['bond_prem', 'theory_value', 'theory_bias', 'iv', 'duration', 'floor_gap'].map((key) => worthOf(panel, key))).toEqual(
      Array(6).fill(null),
    )
  })

  it('data that do not say what a bond pays keep their own floor', () => {
    const plain = table(row(60), { fields: { pure_value: row(99) } })
    expect(worthOf(plain, 'bond_prem')).toBeCloseTo(60 / 99 - 1, 12)
  })
})

describe('cash flows', () => {
  const young = { maturityDate: '2028-07-26', valueDate: '2022-07-26', conversionEnd: '2028-07-26', maturityPrice: 110 } as const
  const day = (from: string, to: string) => (Date.parse(to) - Date.parse(from)) / 86_400_000 / 365

  it('coupons of all years but the last, then the price at maturity', () => {
    const flows: [string, number][] = [
      ['2023-07-26', 0.3],
      ['2024-07-26', 0.5],
      ['2025-07-26', 1],
      ['2026-07-26', 1.3],
      ['2027-07-26', 1.5],
      ['2028-07-26', 110],
    ]
    const worth = (yearly: number) => flows.reduce((sum, [date, amount]) => sum + amount / (1 + yearly) ** day('2023-01-20', date), 0)
    const panel = bond({ close: 100 }, young)
    expect(worthOf(panel, 'formula: bond_value(0.03)')).toBeCloseTo(worth(0.03), 10)
    expect(worth(worthOf(panel, 'ytm') as number)).toBeCloseTo(100, 9)
    const weighted = flows.reduce((sum, [date, amount]) => sum + (day('2023-01-20', date) * amount) / 1.03 ** day('2023-01-20', date), 0)
    expect(worthOf(panel, 'formula: bond_duration(0.03)')).toBeCloseTo(weighted / worth(0.03), 10)
    const slope = (worth(0.0301) - worth(0.0299)) / 0.0002
    expect((worthOf(panel, 'formula: bond_duration(0.03)') as number) / 1.03).toBeCloseTo(-slope / worth(0.03), 6)
    const bend = (worth(0.031) - 2 * worth(0.03) + worth(0.029)) / 1e-6
    expect(worthOf(panel, 'formula: bond_convexity(0.03)')).toBeCloseTo(bend / worth(0.03), 3)
  })

  it('the put is 100 and the interest of its day; once it has begun there is no yield to it', () => {
    const put = { days: 30, window: 30, trigger: 0.7, from: '2026-01-26' }
    const interest = (1.3 * 184) / 365
    const worth = (yearly: number) =>
      [
        ['2023-07-26', 0.3] as const,
        ['2024-07-26', 0.5] as const,
        ['2025-07-26', 1] as const,
        ['2026-01-26', 100 + interest] as const,
      ].reduce((sum, [date, amount]) => sum + amount / (1 + yearly) ** day('2023-01-20', date), 0)
    expect(worth(worthOf(bond({ close: 98 }, { ...young, put }), 'put_yield') as number)).toBeCloseTo(98, 9)
    expect(worthOf(bond({ close: 98 }, { ...young, put: { ...put, from: '2023-01-20' } }), 'put_yield')).toBeNull()
  })

  it('without coupons there is a yield in the last year only, when none of them is to come', () => {
    const { coupons: _, ...others } = terms
    const unknown = { ...others, coupons: [] }
    // Nothing at all is known of coupons in these data: a name that is refused.
    expect(crossSection(bond({}, unknown), markets.cb, ['ytm'], 0)).toMatchObject({ ok: false })
  })

  it('of a year whose coupon is not known neither interest nor a yield that needs it is known; of the others they are', () => {
    const open = { ...young, coupons: [0.3, null, 1, 1.3, 1.5, 1.8] }
    expect([worthOf(bond({ close: 98 }, open), 'coupon_cur'), worthOf(bond({ close: 98 }, open), 'ytm')]).toEqual([0.003, null])
    const within = { ...terms, coupons: [0.3, 0.5, 1, 1.3, 1.5, null] }
    expect([worthOf(bond({}, within), 'coupon_cur'), worthOf(bond({}, within), 'accrued')]).toEqual([null, null])
    // What is unknown has been paid: the redemption alone is to come.
    const past = { ...terms, coupons: [0.3, null, 1, 1.3, 1.5, 1.8] }
    expect(worthOf(bond({}, past), 'ytm')).toBe(worthOf(bond({}), 'ytm'))
  })

  it('without coupons the put is worth nothing known, not even before the first of them', () => {
    const put = { days: 30, window: 30, trigger: 0.7, from: '2023-05-26' }
    const rows = ' AAA BBB\n2023-01-20 98 98'
    const own = { ...terms, ...young, put }
    const panel = table(rows, {
      fields: {},
      securities: { AAA: { listed: '2022-08-01', terms: own }, BBB: { listed: '2022-08-01', terms: { ...own, coupons: [] } } },
    })
    const outcome = crossSection(panel, markets.cb, ['put_yield'], 0)
    expect(outcome.ok && outcome.values[0]?.map((value) => value !== null && value > 0)).toEqual([true, false])
  })
})

describe('over the bonds of a day', () => {
  const codes = Array.from({ length: 12 }, (_, i) => `B${String(i).padStart(2, '0')}`)
  const line = (values: readonly (number | string)[]) => ` ${codes.join(' ')}\n2023-01-20 ${values.join(' ')}`
  const value = codes.map((_, i) => 60 + 8 * i)
  const premium = value.map((worth) => 5.25 * Math.exp(-0.03 * worth))
  const panel = (called: readonly number[] = codes.map(() => 0), more = premium) =>
    table(line(codes.map(() => 100)), { fields: { conv_value: line(value), conv_prem: line(more), call_status: line(called) } })
  const valuesOf = (of: Panel, ref: string) => {
    const outcome = crossSection(of, markets.cb, [ref], 0)
    if (!outcome.ok) throw new Error(outcome.problem.message)
    return outcome.values[0] as number[]
  }

  it('theory_conv_prem finds the curve that premiums lie on', () => {
    valuesOf(panel(), 'theory_conv_prem').forEach((told, i) => {
      expect(told).toBeCloseTo(premium[i] as number, 10)
    })
    valuesOf(panel(), 'mod_conv_prem').forEach((told) => {
      expect(told).toBeCloseTo(0, 10)
    })
  })

  it.each([
    { story: 'a called bond', place: 3, odd: { premium: 9, called: 3 } },
    { story: 'a premium of one percent', place: 7, odd: { premium: 0.01 } },
    { story: 'a conversion value of 130', place: 8, odd: { value: 130, premium: 0.4 } },
    { story: 'a conversion value of 1,200', place: 11, odd: { value: 1_200, premium: 0.03 } },
  ])('$story has no say in the curve, but a value on it', ({ place, odd }) => {
    const worth = value.map((each, i) => (i === place ? (odd.value ?? each) : each))
    const over = premium.map((each, i) => (i === place ? odd.premium : each))
    const called = codes.map((_, i) => (i === place ? (odd.called ?? 0) : 0))
    const fields = { conv_value: line(worth), conv_prem: line(over), call_status: line(called) }
    valuesOf(table(line(codes.map(() => 100)), { fields }), 'theory_conv_prem').forEach((told, i) => {
      expect(told).toBeCloseTo(5.25 * Math.exp(-0.03 * (worth[i] as number)), 10)
    })
  })

  it('below 130 and above one percent a bond has a say', () => {
    const odd = premium.map((each, i) => (i === 8 ? 0.0101 : each))
    const worth = value.map((each, i) => (i === 8 ? 129.9 : each))
    const fields = { conv_value: line(worth), conv_prem: line(odd), call_status: line(codes.map(() => 0)) }
    expect(valuesOf(table(line(codes.map(() => 100)), { fields }), 'theory_conv_prem')[0]).not.toBeCloseTo(premium[0] as number, 2)
  })

  it('bonds listed for three days or less have no say in it, but a value', () => {
    const odd = [...premium]
    odd[3] = 9
    odd[4] = 9
    const listed = (date: string) => ({ listed: date, terms })
    const young = { ...Object.fromEntries(codes.map((code) => [code, listed('2022-08-01')])), B03: listed('2023-01-18') }
    const fields = { conv_value: line(value), conv_prem: line(odd), call_status: line(codes.map((_, i) => (i === 4 ? 3 : 0))) }
    const told = (securities: Record<string, ReturnType<typeof listed>>) =>
      valuesOf(table(line(codes.map(() => 100)), { fields, securities }), 'theory_conv_prem')[3] as number
    expect(told(young)).toBeCloseTo(premium[3] as number, 10)
    // A day longer and it has.
    expect(told({ ...young, B03: listed('2023-01-17') })).not.toBeCloseTo(premium[3] as number, 2)
  })

  it('the golden curve of 2023-01-20: 123014 stands 9.9 points above it', () => {
    const worth = [97.633873, ...value.slice(1)]
    const curve = worth.map((each, i) => (i === 0 ? 0.37524 : 5.25108 * Math.exp(-0.0301683 * each)))
    // It has no say itself: the curve is that of the others.
    const called = codes.map((_, i) => (i === 0 ? 3 : 0))
    const panel = table(line(codes.map(() => 100)), {
      fields: { conv_value: line(worth), conv_prem: line(curve), call_status: line(called) },
    })
    expect(valuesOf(panel, 'theory_conv_prem')[0]).toBeCloseTo(0.276094, 6)
    expect(valuesOf(panel, 'mod_conv_prem')[0]).toBeCloseTo(0.099146, 6)
  })

  it('prem_gap_peer compares with those whose conversion value differs by five yuan at most', () => {
    const near = table(line(codes.map(() => 100)), {
      fields: {
        conv_value: line([100, 105, 110, 111, ...Array(8).fill('-')]),
        conv_prem: line([0.1, 0.3, 0.4, 0.2, ...Array(8).fill(0.1)]),
      },
    })
    const told = valuesOf(near, 'prem_gap_peer')
    ;[-0.1, 0, 0.1, -0.1].forEach((gap, i) => {
      expect(told[i]).toBeCloseTo(gap, 12)
    })
    expect(told.slice(4)).toEqual(Array(8).fill(null))
  })
})
