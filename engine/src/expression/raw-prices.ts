/**
 * Finds unadjusted prices that a formula reads over several days: on an ex-day such a window takes a dividend for a fall (domain.md 4.3). The
 * search is on the text itself: a quotient of two prices of one day is safe, and so is a price times its adjustment factor or times a number
 * of shares.
 *
 * 1. Each part of the formula has a degree (how often it counts yuan a share of the day) and the prices that it is made of.
 * 2. Prices that meet in a sum, a comparison or a call form a group: one of them alone cannot become an adjusted price.
 * 3. A group with a price in a window is reported, with its places. Own factors are expanded.
 */
import type { Program, Tree } from './ast.ts'
import { functionNamed } from './functions/index.ts'
import { type Meaning, type Names, resolve } from './names.ts'
import { parse } from './parse.ts'

export interface RawPrice {
  /** Its place; of a price within an own factor the place of the factor's name. */
  readonly start: number
  readonly end: number
  /** Chinese name of the price. */
  readonly label: string
  /** Name of the adjusted price; null: there is none, and the price times `factor` stands for it. */
  readonly adjusted: string | null
  readonly factor: string
  /** Name of the user's own factor in whose formula it stands; null: it stands in the text itself. */
  readonly within: string | null
  /** Prices of the text meet it within an own factor, so that they cannot be changed alone. */
  readonly isMetWithin: boolean
}

/** Prices of a day by key, in yuan of that day, and the name of the adjusted price. */
type Prices = Readonly<Record<string, string | null>>

/** By the factor that the loaded data must have; numbers of shares grow where prices fall on an ex-day, so that a price times one is money. */
const kinds: readonly { readonly factor: string; readonly prices: Prices; readonly shares: readonly string[] }[] = [
  {
    factor: 'adj_factor',
    shares: ['vol', 'total_share', 'float_share', 'free_share'],
    prices: {
      ...{ close: 'adj_close', open: 'adj_open', high: 'adj_high', low: 'adj_low' },
      ...{ pre_close: null, vwap: null, atr_N: null },
    },
  },
  { factor: 'adj_factor_stk', shares: ['vol_stk'], prices: { close_stk: 'adj_close_stk', pre_close_stk: null, ma_N_stk: null } },
]

/** How often a part of a formula counts yuan a share of the day: 1 of a price, 0 of a quotient of two; and the prices in it. */
interface Part {
  readonly degree: number
  readonly prices: readonly RawPrice[]
}
const nothing: Part = { degree: 0, prices: [] }

/** Prices as traded that stand in a window or before `ref`, and those that meet them, in the order of the text. */
export function rawPricesOf(program: Program, names: Names): readonly RawPrice[] {
  const kind = kinds.find(({ factor }) => names.fields.has(factor))
  if (!kind) return []
  const reading = new Reading(kind, names)
  reading.read(program)
  return reading.found()
}

/** One text being read. */
class Reading {
  private readonly kind: (typeof kinds)[number]
  private readonly names: Names
  private readonly locals = new Map<string, Part>()
  /** The group of each price; groups that meet become one. */
  private readonly groups = new Map<RawPrice, Set<RawPrice>>()
  private readonly inWindows = new Set<RawPrice>()
  /** What own factors read over days by themselves. */
  private readonly inOwn: RawPrice[] = []

  constructor(kind: (typeof kinds)[number], names: Names) {
    this.kind = kind
    this.names = names
  }

  read({ locals, result }: Program): Part {
    for (const { name, value } of locals) this.locals.set(name.toLowerCase(), this.part(value))
    return this.part(result)
  }

  found(): readonly RawPrice[] {
    const met = new Set([...this.inWindows].flatMap((price) => [...(this.groups.get(price) ?? [])]))
    return [...met, ...this.inOwn].sort((a, b) => a.start - b.start)
  }

  private part(tree: Tree): Part {
    switch (tree.kind) {
      case 'number':
      case 'text':
        return nothing
      case 'name':
        return this.named(tree)
      case 'unary':
        return tree.operator === 'not' ? this.judged(tree.of) : this.part(tree.of)
      case 'choice':
        this.part(tree.test)
        return this.either([tree.yes, tree.no].map((one) => this.part(one)))
      case 'binary':
        return this.operated(tree)
      case 'call':
        return this.called(tree)
    }
  }

  private operated({ operator, left, right }: Tree & { kind: 'binary' }): Part {
    if (operator === 'and' || operator === 'or') {
      this.judged(left)
      return this.judged(right)
    }
    const [a, b] = [this.part(left), this.part(right)]
    const both = this.either([a, b])
    switch (operator) {
      case '*':
        return this.freed({ ...both, degree: a.degree + b.degree })
      case '/':
        return this.freed({ ...both, degree: a.degree - b.degree })
      case '+':
      case '-':
      case '^':
        return both
      case '%':
        return { ...both, degree: 0 }
      default:
        return nothing
    }
  }

  /** Yes or no counts no yuan, whatever it was judged by. */
  private judged(tree: Tree): Part {
    this.part(tree)
    return nothing
  }

  private called(tree: Tree & { kind: 'call' }): Part {
    const entry = functionNamed(tree.name)
    const args = tree.args.map((arg) => this.part(arg))
    const whole = this.either(args)
    if (entry?.isYuanOfDay && this.names.market.bars.factor !== null) return this.price(tree, entry.label, null)
    if (entry?.name === 'div') return this.freed({ ...whole, degree: args[0].degree - args[1].degree })
    if (entry && tellsOrder.test(entry.name)) return nothing
    if (entry?.category !== '时序') return whole
    for (const { degree, prices } of args) if (degree !== 0) for (const price of prices) this.inWindows.add(price)
    return { ...whole, degree: 0 }
  }

  private named(tree: Tree & { kind: 'name' }): Part {
    const local = this.locals.get(tree.name.toLowerCase())
    if (local) return local
    const meaning = resolve(tree.name, this.names)
    if (meaning?.kind === 'custom') return this.own(tree, meaning)
    const known = keyOf(meaning)
    if (known === null) return nothing
    if (known.key === this.kind.factor || this.kind.shares.includes(known.key)) return { degree: -1, prices: [] }
    const adjusted = this.kind.prices[known.key]
    return adjusted === undefined ? nothing : this.price(tree, known.label, adjusted)
  }

  /** An own factor: what it reads by itself, and the prices that it hands on. */
  private own(tree: Tree & { kind: 'name' }, { factor: { label, formula } }: Meaning & { kind: 'custom' }): Part {
    const reading = new Reading(this.kind, this.names)
    const { degree, prices } = reading.read(parse(formula))
    const here = (price: RawPrice, isMetWithin: boolean): RawPrice => ({
      ...price,
      ...{ start: tree.start, end: tree.end, within: price.within ?? label, isMetWithin },
    })
    this.inOwn.push(...reading.found().map((price) => here(price, false)))
    if (degree === 0) return nothing
    return { degree, prices: prices.map((price) => this.known(here(price, true))) }
  }

  private price({ start, end }: Tree, label: string, adjusted: string | null): Part {
    const price = { start, end, label, adjusted, factor: this.kind.factor, within: null, isMetWithin: false }
    return { degree: 1, prices: [this.known(price)] }
  }

  private known(price: RawPrice): RawPrice {
    this.groups.set(price, new Set([price]))
    return price
  }

  /** A quotient of two prices of a day is free of both; not of those that a window has read. */
  private freed(part: Part): Part {
    return part.degree === 0 && !part.prices.some((price) => this.inWindows.has(price)) ? nothing : part
  }

  /** Parts that meet: their prices are of one group from here on. */
  private either(parts: readonly Part[]): Part {
    const prices = parts.flatMap(({ prices }) => prices)
    const group = new Set(prices.flatMap((price) => [...(this.groups.get(price) ?? [])]))
    for (const price of group) this.groups.set(price, group)
    return { degree: parts.find(({ degree }) => degree !== 0)?.degree ?? 0, prices }
  }
}

/** A place among others counts no yuan. */
const tellsOrder = /rank|order|zscore|_bin$|is_nan|sign|bool|between/

/** The key of a field or built-in factor, `atr_N` of `atr_14`. */
function keyOf(meaning: Meaning | null): { key: string; label: string } | null {
  if (meaning?.kind === 'field') return meaning.field
  if (meaning?.kind !== 'factor') return null
  const { factor, window } = meaning
  return { key: factor.key, label: window === null ? factor.label : factor.label.replace('N', String(window)) }
}

/** What a formula says of it; null of none. */
export function rawPricesText(prices: readonly RawPrice[]): string | null {
  const [first] = prices
  if (!first) return null
  const labels = [...new Set(prices.map(({ label, within }) => (within === null ? label : `${label}（自定义因子「${within}」）`)))].join(
    '、',
  )
  const adjusted = [...new Set(prices.flatMap(({ adjusted }) => adjusted ?? []))].join('、')
  const ways = [
    ...(adjusted === '' ? [] : [`改用复权价 ${adjusted}`]),
    ...(prices.some((price) => price.adjusted === null) ? [`乘以复权因子 ${first.factor}`] : []),
  ]
  return `跨日比较未复权的${labels}，除权除息日会被当作涨跌；可${ways.join('，或')}`
}

/** The formula with adjusted prices; null where they stand in own factors, which are changed on their own pages. */
export function withAdjusted(formula: string, prices: readonly RawPrice[]): string | null {
  const here = prices.filter(({ within }) => within === null)
  if (here.length === 0 || prices.some(({ isMetWithin }) => isMetWithin)) return null
  return [...here].reverse().reduce((text, { start, end, adjusted, factor }) => {
    const written = adjusted ?? `(${text.slice(start, end)} * ${factor})`
    return text.slice(0, start) + written + text.slice(end)
  }, formula)
}
