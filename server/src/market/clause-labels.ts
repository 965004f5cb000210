/** Which of two clauses of a bond is its call and which its put, where a source may have taken one for the other. */
import type { Clause } from '@convexa/engine'

export interface CallAndPut {
  readonly redeem: Clause | null
  readonly put: Clause | null
  /** The source gave either under the other's name. */
  readonly isSwapped: boolean
}

/** A call below the conversion price, or a put above it, is the other one; what fits neither way is unknown. */
export function byTrigger(redeem: Clause | null, put: Clause | null): CallAndPut {
  const isSwapped = (redeem !== null && redeem.trigger < 1) || (put !== null && put.trigger > 1)
  const [call, back] = isSwapped ? [put, redeem] : [redeem, put]
  return { redeem: call && call.trigger >= 1 ? call : null, put: back && back.trigger <= 1 ? back : null, isSwapped }
}
