import { dayWords } from '../base/dates.ts'
import { count, exact, fixed, type Given, missing, money, percent, quantity, signedPercent, tone } from '../base/format.ts'

/** How each kind of value is written, what is behind it, and whether it has the colour of a return: returns alone do. */
export const values = {
  return: {
    text: (value: Given, decimals = 2) => signedPercent(value, decimals),
    exact: (value: Given) => exact(value, 'percent'),
    tone: (value: Given, decimals = 2) => tone(value, decimals + 2),
  },
  percent: { text: (value: Given, decimals = 2) => percent(value, decimals), exact: (value: Given) => exact(value, 'percent') },
  /** With the decimals of its market: 3 for 可转债, 2 for 股票. */
  price: { text: (value: Given, decimals = 3) => fixed(value, decimals), exact: (value: Given) => exact(value) },
  number: { text: (value: Given, decimals = 2) => fixed(value, decimals), exact: (value: Given) => exact(value) },
  money: { text: (value: Given) => money(value), exact: (value: Given) => exact(value) },
  count: { text: (value: Given) => count(value), exact: (value: Given) => exact(value) },
  quantity: { text: (value: Given) => quantity(value), exact: (value: Given) => exact(value) },
} satisfies Record<string, Written>

interface Written {
  text: (value: Given, decimals?: number) => string
  exact: (value: Given) => string | undefined
  tone?: (value: Given, decimals?: number) => 'up' | 'down' | 'flat'
}
export type ValueKind = keyof typeof values

/** The class of a value: its tone, or the grey of what is missing. */
export function lookOf(kind: ValueKind, value: Given, decimals?: number): string | undefined {
  const given: Written = values[kind]
  return given.text(value) === missing ? 'text-3' : given.tone?.(value, decimals)
}

/** A number as its kind is written, with all its digits in the tooltip. */
export const Value = ({ kind, value, decimals }: { kind: ValueKind; value: Given; decimals?: number }) => {
  const given: Written = values[kind]
  return (
    <span className={lookOf(kind, value, decimals)} title={given.exact(value)}>
      {given.text(value, decimals)}
    </span>
  )
}

/** A day, with its weekday in the tooltip. */
export const Day = ({ date }: { date: string | null }) =>
  date ? (
    <time dateTime={date} title={dayWords(date)}>
      {date}
    </time>
  ) : (
    <span className="text-3">{missing}</span>
  )
