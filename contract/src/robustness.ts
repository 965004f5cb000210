import { z } from 'zod'
import { robustnessChecks } from './enums/robustness-check.ts'
import { valuesOf } from './enums/table.ts'
import { GridAxis } from './grid.ts'
import { num } from './scalars.ts'
import { TrustState } from './verdict.ts'

/** Low, middle and high: 5 %, 50 % and 95 % of the resampled histories. */
const band = z.tuple([z.number(), z.number(), z.number()]).readonly()

/** One check of 靠谱吗: `ok` null = it could not be made, `sentence` says why or what it means, `lack` what it needs. */
export const RobustnessCheck = z.object({
  key: z.enum(valuesOf(robustnessChecks)),
  label: z.string(),
  value: num,
  threshold: num,
  ok: z.boolean().nullable(),
  sentence: z.string(),
  /** A grid of its parameters, more tries, or more days; reports made before do not say. */
  lack: z.enum(['grid', 'trials', 'days']).optional(),
})
export type RobustnessCheck = z.output<typeof RobustnessCheck>

/** Whether it may have been luck (product.md 3.8). Sharpe ratios are annual; pbo and neighbour_std come from a grid. */
export const Robustness = z.object({
  /** Runs of this family so far, grid cells counted, this one included. */
  trials: z.int(),
  /** How many independent tries they amount to; absent where that was not worked out: as many as were made. */
  trials_effective: z.number().optional(),
  family: z.string(),
  luck_threshold: num,
  psr: num,
  dsr: num,
  pbo: num,
  oos_ratio: num,
  neighbour_std: num,
  drop_best5: z.object({ annual_return: num }),
  drop_best_month: z.object({ annual_return: num }),
  worst_year_dropped: z.object({ year: z.string(), annual_return: num }).nullable(),
  bootstrap: z.object({ annual_return: band, sharpe: band, max_drawdown: band, block_days: z.int(), seed: z.int(), n: z.int() }).nullable(),
  verdict: TrustState,
  /** Checks that could be made, and of them those that hold; reports made before do not say. */
  judged: z.int().optional(),
  passed: z.int().optional(),
  checks: z.array(RobustnessCheck),
})
export type Robustness = z.output<typeof Robustness>

/** The grid around a run's own parameters that its checks need: Sharpe ratios by row and column; one axis only has one row. */
export const CheckGrid = z.object({
  axes: z.array(GridAxis),
  sharpe: z.array(z.array(num)),
  best: z.tuple([z.int(), z.int()]).nullable(),
  own: z.tuple([z.int(), z.int()]),
})
export type CheckGrid = z.output<typeof CheckGrid>

/** `POST …/backtest/{id}/checks`: a finished run judged with its own check grid. */
export const Checks = z.object({ robustness: Robustness, grid: CheckGrid, made_at: z.string(), elapsed_ms: z.number() })
export type Checks = z.output<typeof Checks>
