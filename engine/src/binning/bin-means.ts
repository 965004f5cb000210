import type { Bin } from '@convexa/contract'
import { orNull } from '../base/round.ts'
import { evaluateAll, namesOf } from '../expression/index.ts'
import type { Market } from '../market/market.ts'
import type { Panel } from '../panel/panel.ts'
import { resolveFactor } from '../screen/compiled-screen.ts'
import type { ResolvedFactor } from '../screen/resolved-factor.ts'
import { columnRead } from '../screen/score.ts'

/** Days evaluated at once: what is computed is read while it is near. */
const daysAtOnce = 32

/** What the market tells of a bin's members (`Market.binMeans`), of what the data can give. */
export function binMeanFactors(market: Market, available: ReadonlySet<string>): ResolvedFactor[] {
  const names = namesOf(market, available)
  return market.binMeans.flatMap((ref) => {
    const made = resolveFactor(market, names, ref)
    return made.ok ? [made.factor] : []
  })
}

/** Means of some factors over the members of each bin, all days together; a member without a value counts in none of them. */
export class BinMeans {
  readonly #panel: Panel
  readonly #factors: readonly ResolvedFactor[]
  readonly #end: number
  readonly #sums: Float64Array[]
  readonly #counts: Float64Array[]
  /** By factor: the panel's own column, or null where the values are computed. */
  readonly #own: readonly (Float64Array | null)[]
  /** By factor what is computed, of the days from `#from` on up to `#to`. */
  #computed: (Float64Array | null)[] = []
  #from = 0
  #to = 0

  /** `end`: the day after the last one that is added. */
  constructor(panel: Panel, factors: readonly ResolvedFactor[], bins: number, end: number) {
    this.#panel = panel
    this.#factors = factors
    this.#end = end
    this.#sums = factors.map(() => new Float64Array(bins))
    this.#counts = factors.map(() => new Float64Array(bins))
    this.#own = factors.map(({ expression }) => columnRead(panel, expression) ?? null)
  }

  /** Adds a day of the panel: the days come one after the other. */
  add(day: number, binOf: Int8Array): void {
    const { stride } = this.#panel
    if (this.#own.includes(null) && (day < this.#from || day >= this.#to)) this.#compute(day)
    for (let k = 0; k < this.#factors.length; k++) {
      const own = this.#own[k]
      const column = own ?? this.#computed[k]
      const row = (own ? day : day - this.#from) * stride
      const [sums, counts] = [this.#sums[k], this.#counts[k]]
      if (!column) continue
      for (let i = 0; i < binOf.length; i++) {
        const value = column[row + i]
        if (binOf[i] < 0 || value !== value) continue
        sums[binOf[i]] += value
        counts[binOf[i]]++
      }
    }
  }

  of(bin: number): Bin['means'] {
    return this.#factors.map(({ ref, label }, k) => ({
      factor_key: ref,
      label,
      mean: orNull(this.#sums[k][bin] / this.#counts[k][bin]),
    }))
  }

  #compute(day: number): void {
    const rows = Int32Array.from({ length: Math.min(daysAtOnce, this.#end - day) }, (_, k) => day + k)
    const columns = evaluateAll(
      this.#factors.filter((_, k) => this.#own[k] === null).map(({ expression }) => expression),
      this.#panel,
      rows,
    ).values()
    this.#computed = this.#own.map((own) => (own ? null : (columns.next().value ?? null)))
    this.#from = day
    this.#to = day + rows.length
  }
}
