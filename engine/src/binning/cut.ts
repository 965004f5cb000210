import type { BinningBody } from '@convexa/contract'
import type { RankScratch } from '../kernels/index.ts'
import { quantile } from '../report/moments.ts'
import { type Binner, byAverageRank, byCategory, byEdges, byQuantile } from './bins.ts'

export const mostCategories = 20

export const labelsOf = (bins: number): string[] => Array.from({ length: bins }, (_, bin) => `Q${bin + 1}`)

interface Cut {
  readonly bins: number
  readonly binner: Binner
  readonly labels: readonly string[]
}

/** How the values `x` are cut, decided once for the whole range. `sample`: some of them; `label`: what the factor is called in a refusal. */
export function cutOf(
  { method, bins, ties }: BinningBody,
  label: string,
  x: Float64Array,
  sample: Float64Array,
  names: readonly string[] | null,
  scratch: RankScratch,
): Cut | { wrong: string } {
  switch (method) {
    case 'quantile':
      return { bins, binner: (ties === 'together' ? byAverageRank : byQuantile)(bins, scratch), labels: labelsOf(bins) }
    case 'category': {
      // Of more categories than there may be the sample has too many already; of few it may lack one that is rare.
      const some = new Set(sample)
      const values = [...(some.size > mostCategories ? some : valuesOf(x))].sort((a, b) => a - b)
      if (values.length > mostCategories) return { wrong: `「${label}」有 ${values.length} 种取值，按类别分箱最多 ${mostCategories} 种` }
      if (values.length < 2) return { wrong: `「${label}」只有一种取值，无法分箱` }
      return { bins: values.length, binner: byCategory(values), labels: values.map((value) => names?.[value] ?? String(value)) }
    }
    case 'value': {
      const [low, high] = [quantile(sample, 0.01), quantile(sample, 0.99)]
      if (!(high > low)) return { wrong: `「${label}」的取值几乎相同，无法按数值分箱` }
      const edges = Array.from({ length: bins + 1 }, (_, k) => low + ((high - low) * k) / bins)
      const text = (value: number) => String(Number(value.toPrecision(4)))
      return { bins, binner: byEdges(edges), labels: Array.from({ length: bins }, (_, k) => `${text(edges[k])} – ${text(edges[k + 1])}`) }
    }
    default:
      return method satisfies never
  }
}

function valuesOf(x: Float64Array): Set<number> {
  const values = new Set<number>()
  for (const value of x) if (value === value) values.add(value)
  return values
}
