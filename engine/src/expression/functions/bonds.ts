import { dayNumber } from '../../base/calendar.ts'
import { type CashFlows, cashFlows, convexity, duration, type FlowKind, flowKinds, presentValue, yieldAt } from '../../bond/cash-flows.ts'
import { ratingYields, worstRating } from '../../bond/rating-yields.ts'
import type { Operation } from '../graph.ts'
import { type FunctionArgument, type FunctionEntry, line } from './function.ts'

// What a convertible bond pays as a bond: coupons and redemption of its own terms (bond/cash-flows.ts).

const price: FunctionArgument = { name: 'price', label: '价格', kind: 'series' }
const yearly: FunctionArgument = { name: 'y', label: '收益率', kind: 'series' }
const kind: FunctionArgument = { name: 'kind', label: '现金流', kind: 'choice', choices: flowKinds, default: 'maturity' }
const kindDoc = 'kind 为 maturity 到期（税前，默认）、tax 到期（利息扣 20% 税）或 put 首个回售日'

type OfFlows = (flows: CashFlows, today: number, x: number) => number

/** A number of each bond's payments to come and of one input. */
const ofFlows = (name: string, which: FlowKind, weight: number, of: OfFlows): Operation => ({
  name: `${name} ${which}`,
  weight,
  run: () => {},
  open: ({ securities, dates }) => {
    const flows = securities.map(({ terms }) => cashFlows(terms, which))
    const days = Float64Array.from(dates, dayNumber)
    return ({ out, at, count, inputs: [x], from: [p], day, first }) => {
      const today = days[day]
      for (let i = 0; i < count; i++) {
        const own = flows[first + i]
        const v = own === null ? Number.NaN : of(own, today, x[p + i])
        out[at + i] = v + (v - v)
      }
    }
  },
})

const bondLine = (name: string, of: OfFlows, weight: number, entry: Pick<FunctionEntry, 'label' | 'args' | 'doc' | 'example'>) =>
  line({
    ...entry,
    name,
    requires: ['maturity_price', 'coupon_cur'],
    // A column even when its input is a constant: bonds differ.
    build: (graph, { series, texts: [which = 'maturity'] }) =>
      graph.apply(ofFlows(name, which as FlowKind, weight, of), [graph.series(series[0])]),
  })

const curves = ['own', 'worst'] as const

/** The yield that the day's curves give: of the bond's own rating, or of the worst one. */
const curveYield = (which: (typeof curves)[number]): Operation => ({
  name: `yield_curve ${which}`,
  weight: 2,
  run: () => {},
  open: ({ dates, benchmarks }) => {
    const yieldsOf = ratingYields(dates, benchmarks)
    return ({ out, at, count, inputs: [years, rating], from: [p, q], day }) => {
      const yieldOf = yieldsOf(day)
      for (let i = 0; i < count; i++) out[at + i] = yieldOf(which === 'worst' ? worstRating : rating[q + i], years[p + i])
    }
  },
})

export const bonds: readonly FunctionEntry[] = [
  line({
    name: 'yield_curve',
    label: '同评级收益率',
    args: [
      { name: 't', label: '剩余年限', kind: 'series' },
      { name: 'which', label: '评级', kind: 'choice', choices: curves, default: 'own' },
    ],
    doc: '当日收益率表中剩余年限为 t 的收益率；which 为 own 按转债自身评级（默认）或 worst 按最低一档评级；没有评级则缺失',
    example: 'yield_curve(left_years)',
    fields: ([which]) => (which === 'worst' ? [] : ['rating']),
    // A column even where the years are a constant: ratings differ.
    build: (graph, { series, texts: [which = 'own'] }) =>
      graph.apply(
        curveYield(which as (typeof curves)[number]),
        series.map((each) => graph.series(each)),
      ),
  }),
  bondLine('bond_yield', yieldAt, 12, {
    label: '债券收益率',
    args: [price, kind],
    doc: `按 price 买入、收到剩余票息和兑付款的年化收益率（按年复利，实际天数 ÷ 365）；${kindDoc}；条款不全则缺失`,
    example: 'bond_yield(close)',
  }),
  bondLine('bond_value', presentValue, 4, {
    label: '债券现值',
    args: [yearly, kind],
    doc: `剩余票息和兑付款按收益率 y 折现之和；${kindDoc}；条款不全则缺失`,
    example: 'bond_value(0.03)',
  }),
  bondLine('bond_duration', duration, 4, {
    label: '久期',
    args: [yearly],
    doc: '剩余现金流在收益率 y 下的麦考利久期（年）；条款不全则缺失',
    example: 'bond_duration(0.03)',
  }),
  bondLine('bond_convexity', convexity, 4, {
    label: '凸性',
    args: [yearly],
    doc: '剩余现金流在收益率 y 下的凸性；条款不全则缺失',
    example: 'bond_convexity(0.03)',
  }),
]
