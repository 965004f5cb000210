import type { ResolvedFactor } from './resolved-factor.ts'

/** The factor values of one day: each factor's row begins at its offset. */
export interface DayCells {
  /** Index of the day in the panel. */
  readonly day: number
  /** Number of securities. */
  readonly count: number
  /** 1 = in the universe after the exclusions, before any condition: what percentiles are taken of. */
  readonly universe: Uint8Array
  values(factor: ResolvedFactor): { readonly column: Float64Array; readonly offset: number }
}

/** A reason to leave the pool. Rules apply in order; a security's reason is the first rule that it fails. */
export interface Rule {
  /** `universe.markets`, `exclude.st`, `filter.2` (the row's place in the request), `missing.dblow` … */
  readonly key: string
  /** What the user reads: 「上市不足 3 天」. */
  readonly label: string
  /** The same of one that it takes out, where the label names more than that one has: 「强赎状态：已公告强赎」. @param day as in `apply` */
  labelOf?(security: number, day: number): string
  /** Writes `id` for those of the still passing (0) that leave. */
  apply(fail: Uint8Array, id: number, cells: DayCells): void
}

/** What a rule is called. */
export type RuleName = Pick<Rule, 'key' | 'label' | 'labelOf'>

/** Label of a rule for one security that it excludes. */
export const labelFor = ({ label, labelOf }: RuleName, security: number, day: number): string => labelOf?.(security, day) ?? label

/**
 * All bits of a verdict that is still passing (0), none of one that has failed. `fail |= id & passing(fail) & …` marks without a branch:
 * listings follow no pattern, and a mispredicted branch costs more than the rule.
 */
export function passing(failed: number): number {
  return (failed - 1) >> 31
}

/** 127 and 128 in each byte of a word. */
const [below, high] = [0x7f7f7f7f, 0x80808080]

/**
 * Marks securities with a 0 in a row of a mask of 0 and 1, four at a time: their verdicts share a word, and as none is above 127, an addition
 * to one does not carry into the next. Rows that do not begin on words, and the rest behind the last word, are marked one by one.
 */
export function rowMarker(mask: Uint8Array): (fail: Uint8Array, id: number, from: number, count: number) => void {
  const isAligned = mask.byteOffset % 4 === 0
  const masked = new Int32Array(mask.buffer, isAligned ? mask.byteOffset : 0, isAligned ? mask.length >> 2 : 0)
  let before: Uint8Array | null = null
  let verdicts: Int32Array = new Int32Array(0)
  return (fail, id, from, count) => {
    const words = isAligned && from % 4 === 0 && fail.byteOffset % 4 === 0 && id < 128 ? count >> 2 : 0
    // A run has the same verdicts day after day.
    if (fail !== before) verdicts = new Int32Array(fail.buffer, fail.byteOffset & ~3, fail.length >> 2)
    before = fail
    const row = from >> 2
    for (let w = 0; w < words; w++) {
      const failed = verdicts[w]
      // A byte that was 0 does not reach 128.
      const left = (~((failed | masked[row + w]) + below) & high) >>> 7
      verdicts[w] = failed | Math.imul(left, id)
    }
    for (let i = 4 * words; i < count; i++) fail[i] |= id & passing(fail[i] | mask[from + i])
  }
}
