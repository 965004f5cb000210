import type { FilterFactor, Parameters, Settings } from '@convexa/contract'
import type { Market } from '../../src/market/market.ts'
import type { Panel, Security } from '../../src/panel/panel.ts'

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0)
const mean = (values: readonly number[]) => sum(values) / values.length
const day = (date: string) => Date.parse(`${date}T00:00:00Z`) / 86_400_000

/**
 * The ranked pool of a day, slow and obvious: one security after the other, every number looked up anew.
 * It knows the factors that are columns, `dblow`, 5-day changes and 60-day volatility.
 */
export class NaiveRanking {
  readonly panel: Panel
  readonly market: Market
  readonly parameters: Parameters
  readonly settings: Settings
  readonly codes: string[]

  constructor(panel: Panel, market: Market, parameters: Parameters, settings: Settings) {
    this.panel = panel
    this.market = market
    this.parameters = parameters
    this.settings = settings
    this.codes = panel.securities.map((security) => security.code)
  }

  get ideal(): boolean {
    return this.settings.execution === 'ideal'
  }

  at(code: string, t: number): number {
    return t * this.panel.stride + this.codes.indexOf(code)
  }

  value(field: string, code: string, t: number): number {
    if (t < 0) return Number.NaN
    const column = this.panel.columns.get(field)
    if (!column || this.panel.listed[this.at(code, t)] === 0) return Number.NaN
    return column[this.at(code, t)] as number
  }

  security(code: string): Security {
    return this.panel.securities[this.codes.indexOf(code)] as Security
  }

  isTraded(code: string, t: number): boolean {
    return this.panel.traded[this.at(code, t)] === 1
  }

  date(t: number): string {
    return this.panel.dates[t] as string
  }

  factor(key: string, code: string, t: number): number {
    if (key === 'dblow') return this.value('close', code, t) + 100 * this.value('conv_prem', code, t)
    if (key === 'formula: close/ref(close,5)-1') return this.value('close', code, t) / this.value('close', code, t - 5) - 1
    if (key === 'volatility_60') {
      const price = (at: number) => this.value('close', code, at) * (this.panel.kind === 'stk' ? this.value('adj_factor', code, at) : 1)
      const changes = Array.from({ length: 60 }, (_, k) => Math.log(price(t - k) / price(t - k - 1)))
      const average = mean(changes)
      return Math.sqrt(sum(changes.map((each) => (each - average) ** 2)) / 59) * Math.sqrt(242)
    }
    return this.value(key, code, t)
  }

  // ---- when a security leaves ----

  lastIndex(code: string): number {
    const last = this.security(code).lastDay
    return last === null ? Number.POSITIVE_INFINITY : this.panel.dates.indexOf(last)
  }

  isLeaving(code: string, t: number): boolean {
    const known = this.security(code).lastDayKnown
    const isKnown = this.ideal || (known !== null && known <= this.date(t))
    const early = this.market.redeemed && this.settings.call_handling === 't_minus_1_close'
    return isKnown && t >= this.lastIndex(code) - (early ? 1 : 0)
  }

  // ---- the pool ----

  isInUniverse(code: string, t: number): boolean {
    const { exclude, universe } = this.parameters
    const security = this.security(code)
    if (this.panel.listed[this.at(code, t)] === 0) return false
    if (universe.markets.length > 0 && !universe.markets.includes(security.board)) return false
    if (universe.include_codes?.length && !universe.include_codes.includes(code)) return false
    if (universe.exclude_codes.includes(code)) return false
    if (exclude.suspended && !this.isTraded(code, t)) return false
    if (this.isLeaving(code, t)) return false
    if (exclude.st && this.market.roles.st && this.value(this.market.roles.st, code, t) === 1) return false
    const age = day(this.date(t)) - day(security.listed as string) + 1
    if (exclude.list_days > 0 && age <= exclude.list_days) return false
    if (this.market.id === 'cb' && exclude.call_status?.includes('announced') && this.value('call_status', code, t) === 3) return false
    // Ratings of the random market: AAA, AA+, AA, AA-, A+ as 0 … 4.
    if (this.market.id === 'cb' && exclude.ratings_below === 'AA' && this.value('rating', code, t) > 2) return false
    return !exclude.industries.includes(security.attributes['industry_1'] ?? '')
  }

  satisfies(row: FilterFactor, code: string, t: number, universe: readonly string[]): boolean | null {
    const own = this.factor(row.factor_key, code, t)
    if (row.operation === 'is_null') return Number.isNaN(own)
    if (Number.isNaN(own)) return null
    const { value } = row
    if (row.operation === 'gt_rank' || row.operation === 'lt_rank') {
      const values = universe.map((each) => this.factor(row.factor_key, each, t)).filter((each) => !Number.isNaN(each))
      const rank = values.filter((each) => each < own).length + (values.filter((each) => each === own).length + 1) / 2
      const percentile = (rank - 1) / Math.max(1, values.length - 1)
      return row.operation === 'gt_rank' ? percentile > Number(value) : percentile < Number(value)
    }
    if (row.operation === 'between') return own >= Number((value as number[])[0]) && own <= Number((value as number[])[1])
    const bound = Number(value)
    const answers = { gt: own > bound, ge: own >= bound, lt: own < bound, le: own <= bound, eq: own === bound, ne: own !== bound }
    return answers[row.operation as keyof typeof answers]
  }

  poolOf(t: number): string[] {
    const universe = this.codes.filter((code) => this.isInUniverse(code, t))
    let pool = universe.filter((code) =>
      this.parameters.filter_factors.every((row) => {
        const satisfied = this.satisfies(row, code, t, universe)
        return row.action === 'keep' ? satisfied === true : satisfied !== true
      }),
    )
    for (const row of this.parameters.rank_factors) {
      const { size, industry } = this.freedOf(row.neutralization)
      if (size) pool = pool.filter((code) => this.factor(size, code, t) > 0)
      if (industry) pool = pool.filter((code) => this.security(code).attributes['industry_1'] !== undefined)
      if (row.missing_process === 'exclude' || row.missing_process === 'forward_fill')
        pool = pool.filter((code) => !Number.isNaN(this.known(row, code, t)))
    }
    return pool
  }

  /** Own value, or with `forward_fill` the last of 20 days. */
  known(row: Parameters['rank_factors'][number], code: string, t: number): number {
    const days = row.missing_process === 'forward_fill' ? 20 : 0
    for (let back = 0; back <= days; back++) {
      const value = this.factor(row.factor_key, code, t - back)
      if (!Number.isNaN(value)) return value
    }
    return Number.NaN
  }

  freedOf(neutralization: string | null): { size: string | null; industry: boolean } {
    const bonds = this.market.id === 'cb'
    const sized = neutralization === 'size' || neutralization === 'size_industry'
    return { size: sized ? (bonds ? 'remain_size' : 'total_mv') : null, industry: (neutralization ?? '').includes('industry') }
  }

  // ---- the order ----

  /** Code → place, best first; the map's order is the ranking. */
  ranking(t: number): Map<string, number> {
    const { rank_factors, rank_method } = this.parameters
    const pool = this.poolOf(t)
    const scores = new Map(pool.map((code) => [code, 0]))
    for (const row of rank_factors) {
      const raw = pool.map((code) => this.known(row, code, t))
      const present = raw.filter((value) => !Number.isNaN(value))
      const sorted = [...present].sort((a, b) => a - b)
      const half = sorted.length / 2
      const fills: Record<string, number> = {
        market_median:
          sorted.length % 2 === 1 ? (sorted[Math.floor(half)] as number) : ((sorted[half - 1] as number) + (sorted[half] as number)) / 2,
        market_mean: mean(present),
        market_min: sorted[0] as number,
        market_max: sorted[sorted.length - 1] as number,
      }
      const filled = raw.map((value) => (Number.isNaN(value) ? (fills[row.missing_process] ?? Number.NaN) : value))
      const signed = filled.map((value) => (row.prefer === 'small' ? value : -value))
      const values = this.freed(signed, pool, row.neutralization, t)
      const units = rank_method === 'zscore' ? zScores(values) : averageRanks(values)
      const worst = rank_method === 'zscore' ? Math.max(0, ...units.filter((unit) => !Number.isNaN(unit))) : pool.length
      pool.forEach((code, k) => {
        const unit = units[k] as number
        const told = Number.isNaN(unit) && row.missing_process === 'worst' ? worst : unit
        scores.set(code, (scores.get(code) as number) + row.weight * told)
      })
    }
    const scored = pool.filter((code) => !Number.isNaN(scores.get(code)))
    const order = scored.sort((a, b) => (scores.get(a) as number) - (scores.get(b) as number) || (a < b ? -1 : 1))
    return new Map(order.map((code, n) => [code, n + 1]))
  }

  /** Residuals on ln(size) and the means of industries: the two are fitted at once by dummies, here by repeated demeaning. */
  freed(values: readonly number[], pool: readonly string[], neutralization: string | null, t: number): number[] {
    const { size, industry } = this.freedOf(neutralization)
    if (!size && !industry) return [...values]
    const group = (k: number) => (industry ? (this.security(pool[k] as string).attributes['industry_1'] as string) : 'all')
    const whole = values.map((value, k) => (Number.isNaN(value) ? -1 : k)).filter((k) => k >= 0)
    const centred = (of: (k: number) => number) => {
      const means = new Map(whole.map((k) => [group(k), mean(whole.filter((other) => group(other) === group(k)).map(of))]))
      return whole.map((k) => of(k) - (means.get(group(k)) as number))
    }
    const y = centred((k) => values[k] as number)
    const x = size ? centred((k) => Math.log(this.factor(size, pool[k] as string, t))) : y.map(() => 0)
    const spread = sum(x.map((each) => each * each))
    const slope = spread > 1e-18 ? sum(x.map((each, k) => each * (y[k] as number))) / spread : 0
    const out = values.map(() => Number.NaN)
    // Equal but for rounding is equal.
    const step = 1e-12 * Math.max(...whole.map((k) => Math.abs(values[k] as number)))
    whole.forEach((k, n) => {
      out[k] = Math.round(((y[n] as number) - slope * (x[n] as number)) / step) * step
    })
    return out
  }

  // ---- when, how many, how much is invested ----

  isSignal(t: number, start: number): boolean {
    const { rebalance_type: type, rebalance_value: n } = this.parameters.rebalance_method
    if (type === 0) return (t - start) % n === 0
    const monday = (date: string) => Math.floor((day(date) + 3) / 7)
    const period = (date: string) => (type === 1 ? String(monday(date)) : date.slice(0, 7))
    const all = this.panel.dates.map((_, each) => each)
    const own = all.filter((each) => period(this.date(each)) === period(this.date(t)))
    const [from, to] = [own[0] as number, own[own.length - 1] as number]
    let goesOn = false
    for (
      let next = day(this.date(to)) + 1;
      period(new Date(next * 86_400_000).toISOString().slice(0, 10)) === period(this.date(t));
      next++
    ) {
      if ((next + 3) % 7 < 5) goesOn = true
    }
    const isWhole = to + 1 < all.length || !goesOn
    if (n > 0) return t === (own[n - 1] ?? (isWhole && from > 0 ? to : -1))
    if (!isWhole || (from === 0 && own.length + n < 0)) return false
    return t === (own[own.length + n] ?? from)
  }

  placesOf(size: number): { first: number; last: number } {
    const { hold_range_type: type, hold_range_start: start, hold_range_end: end } = this.parameters.hold_method
    if (type === 1) return { first: Math.max(1, start), last: end }
    const first = Math.floor(start * size + 1e-9) + 1
    return { first, last: Math.max(first, Math.floor(end * size + 1e-9)) }
  }

  /** Share of equity that the timing rules let in. */
  exposure(t: number, pool: readonly string[]): number {
    let share = 1
    for (const row of this.parameters.timing ?? []) {
      const value = row.value as number
      const average = (codes: readonly string[], at: number) => {
        const known = codes.map((code) => this.factor(row.factor_key as string, code, at)).filter((each) => !Number.isNaN(each))
        return mean(known)
      }
      const series = (at: number) => {
        if (at < 0) return Number.NaN
        if (row.factor_key === undefined) return this.panel.benchmarks.get(this.settings.benchmark)?.[at] as number
        return average(
          this.codes.filter((code) => this.isTraded(code, at)),
          at,
        )
      }
      const isIn =
        row.rule === 'none' ||
        (row.rule === 'threshold'
          ? average(pool, t) < value - 1e-12 * value
          : series(t) >= (1 - 1e-12) * mean(Array.from({ length: value }, (_, k) => series(t - k))))
      if (!isIn) share = Math.min(share, row.exposure)
    }
    return share
  }

  /** Weights of a selection, by code. */
  weights(selection: readonly string[], places: Map<string, number>, H: number, signalDay: number): Map<string, number> {
    const { hold_weight_type: type, hold_weight_factor: own, hold_max_weight: cap } = this.parameters.hold_method
    const many = Math.max(H, selection.length)
    const place = (code: string) => places.get(code) ?? Number.POSITIVE_INFINITY
    const inOrder = [...selection].sort((a, b) => (place(a) === place(b) ? (a < b ? -1 : 1) : place(a) - place(b)))
    const key = { 3: this.market.id === 'cb' ? 'remain_size' : 'total_mv', 4: own as string, 5: 'volatility_60' }[type as 3 | 4 | 5]
    const raw = selection.map((code) => {
      if (type === 1) return 1
      if (type === 2) return many - inOrder.indexOf(code)
      const value = type === 5 ? 1 / this.factor(key, code, signalDay) : this.factor(key, code, signalDay)
      return value > 0 && Number.isFinite(value) ? value : 0
    })
    const told = raw.filter((value) => value > 0)
    if (type === 3 || type === 5) {
      raw.forEach((value, k) => {
        if (value === 0) raw[k] = told.length > 0 ? sum(told) / told.length : 1
      })
    }
    const share = type === 2 ? sum(raw) / ((many * (many + 1)) / 2) : selection.length / many
    const total = sum(raw)
    const weights = raw.map((value) => (total > 0 ? (value / total) * share : 0))
    const capped = new Set<number>()
    for (;;) {
      const over = weights.flatMap((weight, k) => (!capped.has(k) && weight > cap ? [k] : []))
      if (over.length === 0) break
      const excess = sum(over.map((k) => (weights[k] as number) - cap))
      for (const k of over) {
        weights[k] = cap
        capped.add(k)
      }
      const room = sum(weights.filter((_, k) => !capped.has(k)))
      if (room === 0) break
      weights.forEach((weight, k) => {
        if (!capped.has(k)) weights[k] = weight * (1 + excess / room)
      })
    }
    return new Map(selection.map((code, k) => [code, weights[k] as number]))
  }
}

function averageRanks(values: readonly number[]): number[] {
  return values.map((value) => {
    if (Number.isNaN(value)) return Number.NaN
    return values.filter((other) => other < value).length + (values.filter((other) => other === value).length + 1) / 2
  })
}

function zScores(values: readonly number[]): number[] {
  const known = values.filter((value) => !Number.isNaN(value))
  const average = mean(known)
  const isSame = known.every((value) => Math.abs(value - (known[0] as number)) <= 1e-12 * Math.abs(value))
  const deviation = isSame ? 0 : Math.sqrt(sum(known.map((value) => (value - average) ** 2)) / (known.length - 1))
  return values.map((value) => (deviation > 0 ? (value - average) / deviation : Number.isNaN(value) ? Number.NaN : 0))
}
