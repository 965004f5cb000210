/**
 * The meaning of formulas once more, slow and obvious: one cell at a time, every window gathered anew, no shared code with
 * `src/expression`. It reads trees, not text, so that the reader of texts is tested too.
 */
import { boards } from '@convexa/contract/enums/board'
import { labelOf } from '@convexa/contract/enums/table'
import { ratings } from '../../src/market/market.ts'
import type { Panel } from '../../src/panel/panel.ts'
import type { Formula } from '../fixtures/formula.ts'
import { bondDefinitions, ofPayments, yieldOf } from './naive-bond.ts'
import { elementwiseDefinitions } from './naive-elementwise.ts'
import { isOfReports, reportNames, reportValue } from './naive-reports.ts'
import { rewritten, rewrittenNames } from './naive-rewritten.ts'
import { groupDefinitions, neutral, sectionDefinitions } from './naive-section.ts'
import { backDefinitions, historyDefinitions, leastDays, rollingDefinitions } from './naive-window.ts'

/** What a formula means on every day, by security: [day][security]. `noise` may spoil each intermediate number a little. */
export function naive(
  formula: Formula,
  panel: Panel,
  noise: (value: number, isComputed: boolean) => number = (value) => value,
): number[][] {
  const known = new Map<Formula, number[][]>()
  const days = panel.dates.length
  const count = panel.securities.length
  const spoil = (value: number) => noise(value, true)
  const isListed = (t: number, i: number) => t >= 0 && panel.listed[t * panel.stride + i] === 1
  const columnOf = (of: Formula): number[][] => {
    const before = known.get(of)
    if (before) return before
    const column = compute(of)
    known.set(of, column)
    return column
  }
  const perCell = (cell: (t: number, i: number) => number, isComputed = true) =>
    Array.from({ length: days }, (_, t) =>
      Array.from({ length: count }, (_, i) => {
        if (!isListed(t, i)) return Number.NaN
        const value = cell(t, i)
        return Number.isFinite(value) ? noise(value, isComputed) : Number.NaN
      }),
    )
  /** The text of a key on a day; null where there is none. */
  const textAt = (key: string, t: number, i: number): string | null => {
    const { board, attributes } = panel.securities[i]
    if (key === 'market') return labelOf(boards, board)
    const column = panel.columns.get(key)
    return column ? (ratings[column[t * panel.stride + i]] ?? null) : (attributes[key] ?? null)
  }
  const compute = (of: Formula): number[][] => {
    if (of.kind === 'number') return perCell(() => of.value, false)
    if (of.kind === 'field') {
      const column = panel.columns.get(of.key) as Float64Array
      return perCell((t, i) => column[t * panel.stride + i], false)
    }
    if (isOfReports(of)) return perCell((t, i) => reportValue(of, panel, t, i, spoil), of.kind !== 'item')
    if (of.kind === 'item') throw new Error(`${of.key} is told by reports`)
    if (of.kind === 'key') throw new Error(`${of.key} is no number`)
    const { name, numbers = [], texts = [], minimum = leastDays[of.name] ?? numbers[0] ?? 1 } = of
    const other = rewritten(of)
    if (other) return columnOf(other)
    if (name === 'cs_neutral') return perNeutral(columnOf(of.args[0]), columnOf(of.args[1]), groupsOf(of.args[2]))
    const [head] = of.args
    if (head?.kind === 'key') {
      const { key } = head
      const rest = of.args.slice(1).map(columnOf)
      if (groupDefinitions[name]) return perGroup(name, groupsOf(head), rest[0])
      return perCell((t, i) =>
        byText(
          name,
          textAt(key, t, i),
          texts,
          rest.map((arg) => arg[t][i]),
        ),
      )
    }
    const args = of.args.map(columnOf)
    if (groupDefinitions[name]) return perGroup(name, groupsOf(of.args[0]), args[1])
    const elementwise = elementwiseDefinitions[name]
    if (elementwise)
      return perCell((t, i) =>
        elementwise(
          args.map((arg) => arg[t][i]),
          numbers,
          spoil,
        ),
      )
    const ago = (column: number[][], t: number, i: number, k: number) => (isListed(t - k, i) ? column[t - k][i] : Number.NaN)
    const back = backDefinitions[name]
    if (back) return perCell((t, i) => back(args[0][t][i], ago(args[0], t, i, numbers[0])))
    const rolling = rollingDefinitions[name]
    if (rolling) {
      return perCell((t, i) => {
        const today = args.map((arg) => arg[t][i])
        const members = Array.from({ length: numbers[0] }, (_, age) => ({ age, values: args.map((arg) => ago(arg, t, i, age)) }))
        const valid = members.filter(({ values }) => !values.some(Number.isNaN))
        return valid.length >= minimum ? rolling(valid, today, numbers, spoil) : Number.NaN
      })
    }
    const history = historyDefinitions[name]
    if (history) {
      const byDay = perCell(() => Number.NaN)
      for (let i = 0; i < count; i++) {
        const listed = Array.from({ length: days }, (_, t) => t).filter((t) => isListed(t, i))
        const told = history(
          args.map((arg) => listed.map((t) => arg[t][i])),
          numbers,
        )
        listed.forEach((t, k) => {
          byDay[t][i] = Number.isFinite(told[k]) ? noise(told[k], true) : Number.NaN
        })
      }
      return byDay
    }
    if (bondDefinitions[name]) {
      return perCell((t, i) => ofPayments(name, texts[0] ?? 'maturity', panel.securities[i], panel.dates[t], args[0][t][i]))
    }
    if (name === 'yield_curve') {
      const rating = panel.columns.get('rating')
      return perCell((t, i) => {
        const own = rating?.[t * panel.stride + i] ?? Number.NaN
        return yieldOf(panel.dates[t], texts[0] === 'worst' ? ratings.length - 1 : own, args[0][t][i])
      })
    }
    const given = ofPanel(name, texts, panel)
    if (given) return perCell(given)
    const section = sectionDefinitions[name]
    if (!section) throw new Error(`no definition of ${name}`)
    return perDay((t) => {
      const there = Array.from({ length: count }, (_, i) => i).filter((i) => isListed(t, i))
      const told = section(
        args.map((arg) => there.map((i) => arg[t][i])),
        numbers,
        texts,
        spoil,
      )
      return new Map(there.map((i, k) => [i, told[k]]))
    })
  }
  /** The group of a cell, by text or by number; null where there is none. */
  const groupsOf = (of: Formula): ((t: number, i: number) => string | null) => {
    if (of.kind === 'key') return (t, i) => textAt(of.key, t, i)
    const column = columnOf(of)
    return (t, i) => (Number.isNaN(column[t][i]) ? null : String(Math.round(column[t][i])))
  }
  const perNeutral = (x: number[][], size: number[][], groupAt: (t: number, i: number) => string | null) =>
    perDay((t) => {
      const there = Array.from({ length: count }, (_, i) => i).filter((i) => isListed(t, i))
      const pick = (column: number[][]) => there.map((i) => column[t][i])
      const rest = neutral(
        pick(x),
        pick(size),
        there.map((i) => groupAt(t, i)),
        spoil,
      )
      return new Map(there.map((i, k) => [i, rest[k]]))
    })
  const perDay = (row: (t: number) => Map<number, number>) => {
    const rows = Array.from({ length: days }, (_, t) => row(t))
    return perCell((t, i) => rows[t].get(i) ?? Number.NaN)
  }
  const perGroup = (name: string, groupAt: (t: number, i: number) => string | null, x: number[][]) =>
    perDay((t) => {
      const groups = new Map<string, number[]>()
      for (let i = 0; i < count; i++) {
        const group = isListed(t, i) ? groupAt(t, i) : null
        if (group !== null) groups.set(group, [...(groups.get(group) ?? []), i])
      }
      const told = new Map<number, number>()
      for (const members of groups.values()) {
        groupDefinitions[name](members.map((i) => x[t][i])).forEach((value, k) => {
          told.set(members[k], value)
        })
      }
      return told
    })
  return columnOf(formula)
}

/** What compares a text: absent where there is none. */
function byText(name: string, text: string | null, texts: readonly string[], values: readonly number[]): number {
  if (text === null) return Number.NaN
  if (name === 'in') return texts.includes(text) ? 1 : 0
  const at = texts.indexOf(text)
  return at < 0 ? values[values.length - 1] : values[at]
}

/** What is not made of columns. */
function ofPanel(name: string, texts: readonly string[], panel: Panel): ((t: number, i: number) => number) | null {
  const dayOf = (date: string) => Date.parse(date) / 86_400_000
  const listing = (i: number) => panel.securities[i].listed
  if (name === 'mkt') {
    const series = panel.benchmarks.get(texts[0]) as Float64Array
    return (t) => (texts[1] === 'close' ? series[t] : series[t] / series[t - 1] - 1)
  }
  const maturity = (i: number) => panel.securities[i].terms?.maturityDate ?? panel.securities[i].attributes['maturity'] ?? null
  const dateOf = (i: number) => (texts[0] === 'list_date' ? listing(i) : maturity(i))
  if (name === 'days_to') {
    return (t, i) => {
      const date = dateOf(i)
      return date === null ? Number.NaN : dayOf(date) - dayOf(panel.dates[t])
    }
  }
  if (name === 'tdays_since') {
    return (t, i) => {
      const date = dateOf(i)
      if (date === null || date < panel.dates[0] || date > panel.dates[t]) return Number.NaN
      return panel.dates.filter((each) => each >= date && each < panel.dates[t]).length
    }
  }
  if (name === 'flag') {
    const at = (key: string, t: number, i: number) => (panel.columns.get(key) as Float64Array)[t * panel.stride + i]
    if (texts[0] === 'st') return (t, i) => at('is_st_stk', t, i)
    if (texts[0] === 'suspended') return (t, i) => (panel.traded[t * panel.stride + i] === 1 ? 0 : 1)
    if (texts[0] === 'called') return (t, i) => (Number.isNaN(at('call_status', t, i)) ? Number.NaN : at('call_status', t, i) >= 3 ? 1 : 0)
  }
  return null
}

export const definedNames: readonly string[] = [
  ...Object.keys(elementwiseDefinitions),
  ...Object.keys(backDefinitions),
  ...Object.keys(rollingDefinitions),
  ...Object.keys(historyDefinitions),
  ...Object.keys(sectionDefinitions),
  ...Object.keys(groupDefinitions),
  'yield_curve',
  ...rewrittenNames,
  ...reportNames,
  ...Object.keys(bondDefinitions),
  ...['limit_streak', 'cs_neutral', 'in', 'switch_eq', 'mkt', 'days_to', 'tdays_since', 'flag'],
]
