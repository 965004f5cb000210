import { attributeDoc, marketSeries } from '../attributes.ts'
import type { Graph, Operand, Operation } from '../graph.ts'
import { daysAtLimit } from '../limit-days.ts'
import { binary, ternary } from './cells.ts'
import { type Call, type FunctionArgument, type FunctionEntry, line, type MarketFacts, x } from './function.ts'
import { choose, lessOrEqual, operate } from './operators.ts'

const test: FunctionArgument = { name: 'c', label: '条件', kind: 'series' }
const key: FunctionArgument = { name: 'key', label: '枚举字段', kind: 'key' }
const text: FunctionArgument = { name: 'text', label: '取值', kind: 'text' }
const otherwise: FunctionArgument = { name: 'default', label: '都不成立时', kind: 'series' }
const then: FunctionArgument = { name: 'v', label: '成立时', kind: 'series' }

/** The value where the condition holds, else what follows: an absent condition does not hold. */
const firstTrue: Operation = {
  name: 'case',
  revives: true,
  run: ternary((out, at, count, a, p, b, q, c, r) => {
    for (let i = 0; i < count; i++) {
      const v = a[p + i]
      out[at + i] = v === v && v !== 0 ? b[q + i] : c[r + i]
    }
  }),
}

const either: Operation = {
  name: 'in',
  run: binary((out, at, count, a, p, b, q) => {
    for (let i = 0; i < count; i++) out[at + i] = Math.max(a[p + i], b[q + i])
  }),
}

/** `first, then pair after pair, last` */
const pairs = (first: readonly FunctionArgument[], pair: readonly FunctionArgument[], last: readonly FunctionArgument[]) => {
  const fixed = first.length + last.length
  return (given: number) => {
    const many = (given - fixed) / 2
    if (many < 1 || !Number.isInteger(many)) return null
    return [...first, ...Array.from({ length: many }, () => pair).flat(), ...last]
  }
}

/** Conditions and values by turns, then the value where none holds. */
function cases(graph: Graph, tests: readonly Operand[], values: readonly Operand[], last: Operand): Operand {
  let known = last
  for (let k = tests.length - 1; k >= 0; k--) known = graph.apply(firstTrue, [tests[k], values[k], known])
  return known
}

interface Flag {
  readonly key: string
  readonly doc: string
  readonly fields: (market: MarketFacts) => readonly string[]
  readonly build: (graph: Graph, call: Call) => Operand
}

/** A security is new as long as it has fewer natural days than this, the listing day counted. */
const newDays = 30
/** From this step on (`announced`) a call is certain: its place among the values of call_status. */
const calledFrom = 3

const flags: readonly Flag[] = [
  { key: 'st', doc: 'ST', fields: ({ st }) => (st ? [st] : []), build: (_, { series: [st] }) => st },
  { key: 'suspended', doc: '停牌', fields: () => ['suspension'], build: (_, { series: [suspended] }) => suspended },
  { key: 'limit_up', doc: '收于涨停', fields: () => ['close', 'pre_close'], build: (graph, call) => daysAtLimit(graph, call, 'up') },
  { key: 'limit_down', doc: '收于跌停', fields: () => ['close', 'pre_close'], build: (graph, call) => daysAtLimit(graph, call, 'down') },
  {
    key: 'called',
    doc: '已公告强赎或到期赎回',
    fields: () => ['call_status'],
    build: (graph, { series: [status] }) => graph.apply(lessOrEqual, [graph.constant(calledFrom), status]),
  },
  {
    key: 'new',
    doc: `上市不满 ${newDays} 天`,
    fields: () => ['listed_days'],
    build: (graph, { series: [days] }) => operate(graph, '<', days, graph.constant(newDays)),
  },
]
const flagOf = (key: string): Flag => flags.find((flag) => flag.key === key) as Flag

export const conditional: readonly FunctionEntry[] = (
  [
    {
      name: 'if',
      label: '条件',
      args: [test, { ...then, name: 'a' }, { ...otherwise, name: 'b', label: '不成立时' }],
      doc: '条件成立取 a，不成立取 b，条件缺失则缺失；也可写作 c ? a : b',
      example: 'if(close > 130, 0, 1)',
      build: (graph, { series: [condition, yes, no] }) => choose(graph, condition, yes, no),
    },
    {
      name: 'case',
      label: '多重条件',
      args: [test, then, { ...otherwise, repeat: true }],
      layout: pairs([], [test, then], [otherwise]),
      doc: '依次检查各条件，取第一个成立的条件后面的值，都不成立时取最后一个参数；缺失的条件视为不成立',
      example: 'case(close < 100, 3, close < 120, 2, 1)',
      build: (graph, { series }) => {
        const last = series[series.length - 1]
        const tests = series.filter((_, k) => k % 2 === 0 && k < series.length - 1)
        return cases(
          graph,
          tests,
          series.filter((_, k) => k % 2 === 1),
          last,
        )
      },
    },
    {
      name: 'where',
      label: '满足时取值',
      args: [test, x],
      doc: '条件成立取 x，否则缺失',
      example: 'where(vol > 0, close)',
      build: (graph, { series: [condition, value] }) => choose(graph, condition, value, graph.constant(Number.NaN)),
    },
    {
      name: 'switch_eq',
      label: '按取值选择',
      args: [key, text, then, { ...otherwise, repeat: true }],
      layout: pairs([key], [text, then], [otherwise]),
      doc: `枚举字段等于哪个文字就取其后的值，都不等时取最后一个参数，字段缺失则缺失；枚举字段指评级、强赎状态和${attributeDoc}`,
      example: "switch_eq(market, '创业板', 1, '科创板', 2, 0)",
      build: (graph, { series, matches }) => {
        const values = series.slice(-matches.length - 1)
        const last = values[values.length - 1]
        // The default stands only where the key is known: its match is then 0, not absent.
        const known = graph.apply(lessOrEqual, [graph.constant(0), matches[0]])
        return cases(graph, matches, values.slice(0, -1), choose(graph, known, last, graph.constant(Number.NaN)))
      },
    },
    {
      name: 'in',
      label: '取值之一',
      args: [key, { ...text, repeat: true }],
      doc: `枚举字段是所列文字之一时为 1，否则为 0，字段缺失则缺失；枚举字段指评级、强赎状态和${attributeDoc}`,
      example: "in(market, '创业板', '科创板')",
      build: (graph, { matches }) => matches.reduce((known, next) => graph.apply(either, [known, next])),
    },
    {
      name: 'rating_num',
      label: '评级序号',
      args: [{ name: 'rating', label: '评级', kind: 'enumeration' }],
      doc: 'AAA 为 1，评级越低数越大',
      example: 'rating_num(rating) <= 3',
      build: (graph, { series: [rating] }) => operate(graph, '+', rating, graph.constant(1)),
    },
    {
      name: 'flag',
      label: '状态标记',
      args: [{ name: 'state', label: '状态', kind: 'choice', choices: flags.map((flag) => flag.key) }],
      fields: ([state], market) => flagOf(state).fields(market),
      doc: `处于该状态为 1，否则为 0：${flags.map((flag) => `${flag.key} ${flag.doc}`).join('，')}`,
      example: "flag('suspended')",
      build: (graph, call) => flagOf(call.texts[0]).build(graph, call),
    },
    {
      name: 'mkt',
      label: '市场指数',
      args: [
        { name: 'code', label: '指数代码', kind: 'benchmark' },
        { name: 'kind', label: '取值', kind: 'choice', choices: ['close', 'pct'], default: 'close' },
      ],
      lookback: (_, [, kind]) => (kind === 'pct' ? 1 : 0),
      doc: '市场指数当日的点位（close）或涨跌幅（pct），对所有标的相同',
      example: "pct(close, 20) - pct(mkt('000300', 'close'), 20)",
      build: (graph, { texts: [code, kind] }) => marketSeries(graph, code, kind === 'pct'),
    },
  ] satisfies Parameters<typeof line>[0][]
).map((entry) => line({ ...entry, category: '条件' }))
