import { z } from 'zod'
import { num } from './scalars.ts'

/** 跑赢了吗: `short` under a year, `no` without excess, `yes` where both statistics agree, else `unclear`. */
const worthStates = ['yes', 'unclear', 'no', 'short'] as const
export const WorthState = z.enum(worthStates)
export type WorthState = z.output<typeof WorthState>

/**
 * Excess return over the reference: the benchmark or the whole market, whichever was harder to beat.
 * `excess_annual`, `interval` (5 %, 95 %) and `recent_excess` (the last 242 days) are fractions a year; `share_above` is the share of `n`
 * resampled histories with an excess; `t` is Newey–West's. Ends are multiples of the starting capital.
 */
export const Worth = z.object({
  state: WorthState,
  against: z.object({ key: z.string(), label: z.string() }),
  excess_annual: num,
  interval: z.tuple([z.number(), z.number()]).nullable(),
  share_above: num,
  t: num,
  recent_excess: num,
  end_nav: z.number(),
  end_ref: z.number(),
  block_days: z.int(),
  n: z.int(),
  seed: z.int(),
})
export type Worth = z.output<typeof Worth>

/** 靠谱吗: `pending` while a check is missing, `moot` without an excess, `short` under a year. */
const trustStates = ['high', 'middle', 'low', 'pending', 'moot', 'short'] as const
export const TrustState = z.enum(trustStates)
export type TrustState = z.output<typeof TrustState>

/** Both answers on a run, for lists. */
export const Verdict = z.object({ worth: WorthState, excess: num, trust: TrustState, judged: z.int(), passed: z.int() })
export type Verdict = z.output<typeof Verdict>
