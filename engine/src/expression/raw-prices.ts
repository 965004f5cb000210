/**
 * Prices as traded that a formula reads over days: on an ex-day such a window takes a dividend for a fall (domain.md 4.3). Looked for in the
 * text itself: a quotient of two prices of a day is free of it, and so is a price times its adjustment factor.
 */
import type { Program, Tree } from './ast.ts'
import { functionNamed } from './functions/index.ts'
import { type Names, resolve } from './names.ts'

export interface RawPrice {
  readonly start: number
  readonly end: number
  /** Chinese name of the price. */
  readonly label: string
  /** What to write in its place; null: there is no such price. */
  readonly instead: string | null
}

/** By the factor that the loaded data must have: prices of its kind, and their adjusted ones. */
const kinds: readonly { readonly factor: string; readonly prices: Readonly<Record<string, string | null>> }[] = [
  { factor: 'adj_factor', prices: { close: 'adj_close', open: 'adj_open', high: 'adj_high', low: 'adj_low', pre_close: null, vwap: null } },
  { factor: 'adj_factor_stk', prices: { close_stk: 'adj_close_stk', pre_close_stk: null } },
]

/** How often a part of a formula counts yuan of the day: 1 of a price, 0 of a quotient of two; and the prices in it. */
interface Part {
  readonly degree: number
  readonly prices: readonly RawPrice[]
}
const nothing: Part = { degree: 0, prices: [] }

/** Names of prices that stand in a window or before `ref`, in the order of the text. Every price of the formula is among them then: one alone would be put beside another of another kind. */
export function rawPricesOf(program: Program, names: Names): readonly RawPrice[] {
  const kind = kinds.find(({ factor }) => names.fields.has(factor))
  if (!kind) return []
  const locals = new Map<string, Part>()
  const all = new Map<number, RawPrice>()
  let isRead = false
  const named = (tree: Tree & { kind: 'name' }): Part => {
    const local = locals.get(tree.name.toLowerCase())
    if (local) return local
    const meaning = resolve(tree.name, names)
    const key =
      meaning?.kind === 'field' ? meaning.field.key : meaning?.kind === 'factor' && meaning.window === null ? meaning.factor.key : ''
    if (key === kind.factor) return { degree: -1, prices: [] }
    if (!(key in kind.prices)) return nothing
    const label = meaning?.kind === 'field' ? meaning.field.label : tree.name
    const price = { start: tree.start, end: tree.end, label, instead: kind.prices[key] ?? null }
    all.set(tree.start, price)
    return { degree: 1, prices: [price] }
  }
  const part = (tree: Tree): Part => {
    switch (tree.kind) {
      case 'number':
      case 'text':
        return nothing
      case 'name':
        return named(tree)
      case 'unary':
        return tree.operator === 'not' ? { ...part(tree.of), degree: 0 } : part(tree.of)
      case 'choice': {
        part(tree.test)
        return either([part(tree.yes), part(tree.no)])
      }
      case 'binary': {
        const [left, right] = [part(tree.left), part(tree.right)]
        const prices = [...left.prices, ...right.prices]
        if (tree.operator === '*') return { degree: left.degree + right.degree, prices }
        if (tree.operator === '/') return { degree: left.degree - right.degree, prices }
        if (tree.operator === '+' || tree.operator === '-' || tree.operator === '^') return either([left, right])
        return { degree: 0, prices }
      }
      case 'call': {
        const entry = functionNamed(tree.name)
        const args = tree.args.map(part)
        const whole = either(args)
        if (entry?.category !== '时序') return entry && tellsOrder.test(entry.name) ? { ...whole, degree: 0 } : whole
        if (args.some(({ degree }) => degree !== 0)) isRead = true
        return { ...whole, degree: 0 }
      }
    }
  }
  for (const { name, value } of program.locals) locals.set(name.toLowerCase(), part(value))
  part(program.result)
  return isRead ? [...all.values()].sort((a, b) => a.start - b.start) : []
}

/** A place among others counts no yuan. */
const tellsOrder = /rank|order|zscore|_bin$|is_nan|sign|bool|between/

const either = (parts: readonly Part[]): Part => ({
  degree: parts.find(({ degree }) => degree !== 0)?.degree ?? 0,
  prices: parts.flatMap(({ prices }) => prices),
})

/** What a formula says of it; null of none. */
export function rawPricesText(prices: readonly RawPrice[]): string | null {
  if (prices.length === 0) return null
  const labels = [...new Set(prices.map(({ label }) => label))].join('、')
  const instead = [...new Set(prices.flatMap(({ instead }) => instead ?? []))].join('、')
  return `跨日比较未复权的${labels}，除权除息日会被当作涨跌${instead === '' ? '' : `；可改用复权价 ${instead}`}`
}

/** The formula with adjusted prices; null where nothing can be put in place. */
export function withAdjusted(formula: string, prices: readonly RawPrice[]): string | null {
  const known = prices.filter(({ instead }) => instead !== null)
  if (known.length === 0) return null
  return [...known]
    .reverse()
    .reduce((text, { start, end, instead }) => text.slice(0, start) + (instead as string) + text.slice(end), formula)
}
