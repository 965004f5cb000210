import { z } from 'zod'
import { Settings } from './backtest.ts'
import { LeftOutInterest, num, text } from './scalars.ts'
import { Parameters } from './strategy.ts'

/** Metrics of a quick run: fractions, defined as those of a report. */
const numbers = ['annual_return', 'total_return', 'max_drawdown', 'sharpe', 'calmar', 'turnover', 'win_rate'] as const
export const ShortMetrics = z.object(Object.fromEntries(numbers.map((key) => [key, num])) as Record<(typeof numbers)[number], typeof num>)
export type ShortMetrics = z.output<typeof ShortMetrics>

/** A run for looking at, not for keeping: ideal execution, nothing stored, not counted. */
export const QuickBacktestBody = z.strictObject({ parameters: Parameters, settings: Settings })
export type QuickBacktestBody = z.output<typeof QuickBacktestBody>

const series = z.array(num)

export const QuickBacktestResult = z.object({
  metrics: ShortMetrics,
  curves: z.object({ dates: z.array(z.string()), nav: series, bench: series }),
  warnings: z.array(z.string()),
  left_out_interest: LeftOutInterest,
  data_version: z.string(),
  elapsed_ms: z.number(),
})
export type QuickBacktestResult = z.output<typeof QuickBacktestResult>

/** `path`: a number in the request, `parameters.hold_method.hold_range_end`, `parameters.rank_factors.0.weight`, `settings.cost.buy_rate`. */
export const GridAxis = z.strictObject({
  path: z
    .string()
    .max(100)
    .regex(/^(parameters|settings)(\.[a-z_]+|\.\d{1,2})+$/),
  label: text(40, 1),
  values: z.array(z.number()).min(1).max(2_000),
})
export type GridAxis = z.output<typeof GridAxis>

/** `ratio`: the last share of the range. `walk_forward`: years of each training, tested on the year after it. */
export const GridSplit = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('ratio'), value: z.number().min(0.05).max(0.5) }),
  z.strictObject({ type: z.literal('walk_forward'), value: z.int().min(1).max(5) }),
])
export type GridSplit = z.output<typeof GridSplit>

export const GridBody = z.strictObject({
  parameters: Parameters,
  settings: Settings,
  axes: z.array(GridAxis).max(3),
  oos: GridSplit.optional(),
})
export type GridBody = z.output<typeof GridBody>

const place = z.array(z.int())

export const GridResult = z.object({
  axes: z.array(GridAxis),
  /** In the order of the axes' values, the last axis fastest; of a part that was not reached nothing is listed. */
  cells: z.array(
    z.object({
      index: place,
      /** Of the part inside the sample. */
      metrics: ShortMetrics,
      oos_metrics: ShortMetrics.optional(),
      /** On `dates`. */
      nav: z.array(z.number()).optional(),
    }),
  ),
  dates: z.array(z.string()).optional(),
  /** The benchmark on `dates`: 1 on the first day of the range. */
  bench: z.array(z.number()).optional(),
  best: z.object({ index: place }).nullable(),
  /** Of the best cell, on all days. */
  left_out_interest: LeftOutInterest,
  /** Neighbouring cells that hold at least four fifths of what their neighbourhood's best has. */
  plateau: z.object({ cells: z.array(place), sentence: z.string() }),
  /** Standard deviation of the Sharpe ratio over a cell and its neighbours ÷ its own. */
  stability: z.array(z.object({ index: place, neighbour_std: num })),
  /** Rank correlation of the cells' Sharpe ratios inside and outside the sample. */
  oos_rank_correlation: num,
  /** Of walk-forward: which cell was best in each training, and how it did in the year after. */
  folds: z
    .array(
      z.object({
        train_start: z.string(),
        train_end: z.string(),
        test_start: z.string(),
        test_end: z.string(),
        best: place,
        train_sharpe: num,
        test_sharpe: num,
      }),
    )
    .optional(),
  /** `luck_threshold`: for the Sharpe ratios of `metrics`, on as many days as those are of; dsr and pbo are of all days. */
  robustness: z.object({ trials: z.int(), luck_threshold: num, dsr: num, pbo: num }),
  partial: z.boolean(),
  done: z.int(),
  total: z.int(),
  warnings: z.array(z.string()),
  elapsed_ms: z.number(),
  data_version: z.string(),
})
export type GridResult = z.output<typeof GridResult>
