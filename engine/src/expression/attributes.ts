import { type AttributeKey, attributes as attributeRows } from '@convexa/contract/enums/attribute'
import { boards } from '@convexa/contract/enums/board'
import { labelOf, valuesOf } from '@convexa/contract/enums/table'
import { dayNumber, firstFrom } from '../base/calendar.ts'
import type { Fact } from '../bond/facts.ts'
import type { Field } from '../market/market.ts'
import { changesOf, datedFields, datedRows, textOn, textsOf } from '../panel/dated.ts'
import type { Panel, Security } from '../panel/panel.ts'
import { operate } from './functions/operators.ts'
import { type Graph, listedOnly, type Operand, type Operation } from './graph.ts'

/** A text of securities that formulas may group and compare by. */
export interface Attribute {
  readonly key: string
  readonly label: string
  readonly textOf: (security: Security, date: string) => string | null
  readonly allTexts: (security: Security) => readonly string[]
}

const stated = (key: AttributeKey): Pick<Attribute, 'textOf' | 'allTexts'> => ({
  textOf: (security, date) => textOn(security, key, date),
  allTexts: (security) => textsOf(security, key),
})

const texts: Record<AttributeKey, Pick<Attribute, 'textOf' | 'allTexts'>> = {
  industry_1: stated('industry_1'),
  industry_2: stated('industry_2'),
  industry_3: stated('industry_3'),
  market: { textOf: ({ board }) => labelOf(boards, board), allTexts: ({ board }) => [labelOf(boards, board)] },
  yy_rating: stated('yy_rating'),
  orgform: stated('orgform'),
  area: stated('area'),
}
export const attributes: readonly Attribute[] = valuesOf(attributeRows).map((key) => ({
  key,
  label: attributeRows[key].label,
  ...texts[key],
}))

export const attributeDoc = attributes.map(({ label }) => label).join('、')

/** Names of `securityDates`, for refusals. */
export const dateLabels: Readonly<Record<string, string>> = {
  list_date: '上市日',
  value_date: '起息日',
  conv_start_date: '转股起始日',
  conv_end_date: '转股截止日',
  maturity_date: '到期日',
}

/** Among the keys of what data have: that they say which texts and dates their securities have. Data that do not are believed to have all. */
const statesKeys = 'told:'
export const textKey = (key: string): string => `text:${key}`
export const dateKey = (key: string): string => `date:${key}`
export const statesItsAttributes = (available: ReadonlySet<string>): boolean => available.has(statesKeys)

/** Texts and dates that some of the securities have, as keys beside those of columns. */
export function statedKeys(securities: readonly Security[]): string[] {
  const texts = attributes.filter(({ allTexts }) => securities.some((security) => allTexts(security).length > 0))
  const dates = Object.entries(securityDates).filter(([, dateOf]) => securities.some((security) => dateOf(security) !== null))
  return [statesKeys, ...texts.map(({ key }) => textKey(key)), ...dates.map(([key]) => dateKey(key))]
}

/** Dates of securities that were public from the listing on: none of them tells the future. */
export const securityDates: Readonly<Record<string, (security: Security) => string | null>> = {
  list_date: ({ listed }) => listed,
  value_date: ({ terms, attributes: { value_date } }) => terms?.valueDate ?? value_date ?? null,
  conv_start_date: ({ terms, attributes: { conv_start_date } }) => terms?.conversionStart ?? conv_start_date ?? null,
  conv_end_date: ({ terms, attributes: { conv_end_date } }) => terms?.conversionEnd ?? conv_end_date ?? null,
  maturity_date: ({ terms, attributes: { maturity_date, maturity } }) => terms?.maturityDate ?? maturity_date ?? maturity ?? null,
}

/** A field: its column, or what the securities or a market series say on the day. */
export function fieldSeries(graph: Graph, { key, fact, series }: Field): Operand {
  if (fact) return factSeries(graph, key, fact)
  if (datedFields[key]) return datedSeries(graph, key)
  if (!series) return graph.field(key)
  const { code, otherwise } = series
  const operation: Operation = {
    name: `series ${key}`,
    run: nothing,
    open: ({ benchmarks }) => {
      const values = benchmarks.get(code)
      return ({ out, at, count, day }) => {
        const value = values?.[day] ?? Number.NaN
        out.fill(Number.isFinite(value) ? value : otherwise, at, at + count)
      }
    },
  }
  return graph.apply(listedOnly, [graph.apply(operation, [])])
}

/** The column of the data, where they have one; else what the securities' dated facts say. */
function datedSeries(graph: Graph, key: string): Operand {
  const operation: Operation = {
    name: `dated ${key}`,
    run: nothing,
    reads: { fields: [key] },
    open: (panel) => {
      const column = panel.columns.get(key)
      if (!column) return datedRows(panel, key)
      return ({ out, at, count, day, first }) => {
        const from = day * panel.stride + first
        for (let i = 0; i < count; i++) out[at + i] = column[from + i]
      }
    },
  }
  return graph.apply(listedOnly, [graph.apply(operation, [])])
}

function factSeries(graph: Graph, key: string, fact: Fact): Operand {
  const operation: Operation = {
    name: `fact ${key}`,
    run: nothing,
    open: ({ securities, dates, later = [] }) => {
      const days = Float64Array.from([...dates, ...later], dayNumber)
      const facts = securities.map((security) => fact(security, days) ?? Number.NaN)
      return ({ out, at, count, day, first }) => {
        const today = days[day]
        for (let i = 0; i < count; i++) {
          const value = facts[first + i]
          out[at + i] = typeof value === 'number' ? value : value(today)
        }
      }
    },
  }
  return graph.apply(listedOnly, [graph.apply(operation, [])])
}

/** Which group a security is in, as a whole number from 0 on: the place of its text among all of the panel. */
export function groupOf(graph: Graph, attribute: Attribute): Operand {
  return byText(graph, `group ${attribute.key}`, attribute, ({ securities }) => {
    const texts = new Set(securities.flatMap(attribute.allTexts))
    const places = new Map([...texts].sort().map((text, place) => [text, place]))
    return (text) => places.get(text) as number
  })
}

/** 1 where the attribute is the text, 0 where it is another, absent where there is none. */
export function attributeIs(graph: Graph, attribute: Attribute, wanted: string): Operand {
  return byText(graph, `${attribute.key} is ${wanted}`, attribute, () => (text) => Number(text === wanted))
}

/** Natural days from today to the date: negative when it is past. */
export function daysTo(graph: Graph, key: string): Operand {
  const dates = (panel: Panel) => Float64Array.from(panel.securities, (security) => numberOf(securityDates[key](security)))
  return graph.apply(
    {
      name: `days_to ${key}`,
      run: nothing,
      open: (panel) => {
        const then = dates(panel)
        const days = Float64Array.from(panel.dates, dayNumber)
        return ({ out, at, count, day, first, listed, listedFrom }) => {
          const today = days[day]
          for (let i = 0; i < count; i++) out[at + i] = listed[listedFrom + i] === 1 ? then[first + i] - today : Number.NaN
        }
      },
    },
    [],
  )
}

/** Trading days since the date, which itself (or the first trading day after it) is 0; absent before it and where the panel begins later. */
export function tradingDaysSince(graph: Graph, key: string): Operand {
  return graph.apply(
    {
      name: `tdays_since ${key}`,
      run: nothing,
      countsDays: true,
      open: ({ securities, dates }) => {
        const then = Float64Array.from(securities, (security) => firstOnOrAfter(dates, securityDates[key](security)))
        return ({ out, at, count, day, first, listed, listedFrom }) => {
          for (let i = 0; i < count; i++) {
            const since = day - then[first + i]
            out[at + i] = listed[listedFrom + i] === 1 && since >= 0 ? since : Number.NaN
          }
        }
      },
    },
    [],
  )
}

/** The value of a market series, the same for all; `change` = against the day before. */
export function marketSeries(graph: Graph, code: string, change: boolean): Operand {
  const operation: Operation = {
    name: `mkt ${code}`,
    run: nothing,
    reads: { benchmarks: [code] },
    open: ({ benchmarks }) => {
      const series = benchmarks.get(code) ?? new Float64Array()
      return ({ out, at, count, day }) => {
        const value = series[day] ?? Number.NaN
        out.fill(value + (value - value), at, at + count)
      }
    },
  }
  const today = graph.apply(operation, [])
  const shown = change ? operate(graph, '-', operate(graph, '/', today, graph.delay(today, 1)), graph.constant(1)) : today
  return graph.apply(listedOnly, [shown])
}

/** A number of each security's text, on the days of the text where they are dated; absent where there is none. */
function byText(graph: Graph, name: string, attribute: Attribute, numberOf: (panel: Panel) => (text: string) => number): Operand {
  const operation: Operation = {
    name,
    run: nothing,
    open: (panel) => {
      const { securities, dates } = panel
      const number = numberOf(panel)
      // Texts change on few days: the values of one stand until the next.
      const turns = [...new Set([0, ...changesOf(securities, attribute.key).map((date) => firstFrom(dates, date))])].sort((a, b) => a - b)
      const known: Float64Array[] = []
      const valuesFrom = (turn: number): Float64Array => {
        const date = dates[turns[turn]] ?? ''
        known[turn] ??= Float64Array.from(securities, (security) => {
          const text = attribute.textOf(security, date)
          return text === null ? Number.NaN : number(text)
        })
        return known[turn]
      }
      return ({ out, at, count, first, day }) => {
        let turn = turns.length - 1
        while (turns[turn] > day) turn--
        const values = valuesFrom(turn)
        for (let i = 0; i < count; i++) out[at + i] = values[first + i]
      }
    },
  }
  return graph.apply(listedOnly, [graph.apply(operation, [])])
}

/** Stands where `open` makes the kernel. */
function nothing(): void {}

function numberOf(date: string | null): number {
  return date === null ? Number.NaN : dayNumber(date)
}

function firstOnOrAfter(dates: readonly string[], date: string | null): number {
  return date === null || dates.length === 0 || date < dates[0] ? Number.NaN : firstFrom(dates, date)
}
