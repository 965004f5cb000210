import { z } from 'zod'
import { binMethods } from './enums/bin-method.ts'
import { valuesOf } from './enums/table.ts'
import { DataMode } from './market.ts'
import { Metrics } from './metrics.ts'
import { BenchmarkCode, FactorRef, IsoDate, num } from './scalars.ts'
import { Parameters } from './strategy.ts'

/** 分箱: does a factor sort what came after, where, and for how long (domain.md 6.2). */
export const BinningBody = z
  .strictObject({
    /** A factor, or a text of securities (`industry_1`, 地区 …), which goes by `category`. */
    factor: FactorRef,
    /** Of categories as many as there are. */
    bins: z.int().min(2).max(20),
    /** `quantile` equal counts by rank, `value` equal widths between the 1st and 99th percentile, `category` one bin a value. */
    method: z.enum(valuesOf(binMethods)),
    /** Of `quantile`, equal values: in the order of codes, so that counts are equal (when absent), or in one bin, by their average rank. */
    ties: z.enum(['split', 'together']).optional(),
    /** Forward horizons in trading days; `Bin` and the IC series use the first. */
    forward_days: z.array(z.int().min(1).max(250)).min(1).max(20),
    /** Trading days between two formations of the bins' curves. */
    rebalance_days: z.int().min(1).max(250),
    /** Trading days after the start on which the first is formed. */
    offset: z.int().min(0).max(249).optional(),
    weight: z.enum(['equal', 'cap']),
    neutralization: z.null(),
    /** A second factor: bins of equal counts by each, and what came after where they meet. */
    second: z.strictObject({ factor: FactorRef, bins: z.int().min(2).max(10) }).optional(),
    settings: z.strictObject({ start_date: IsoDate, end_date: IsoDate, benchmark: BenchmarkCode }),
    parameters: Parameters.optional(),
    /** `filtered`: after the exclusions and conditions of `parameters`. */
    pool_mode: z.enum(['all', 'filtered']),
  })
  .refine(({ pool_mode, parameters }) => pool_mode === 'all' || parameters !== undefined, { path: ['parameters'] })
export type BinningBody = z.output<typeof BinningBody>

const series = z.array(num)

/** Of the dates on which both are known. `t` counts dates whose windows do not overlap. */
export const InformationCoefficient = z.object({
  dates: z.array(z.string()),
  values: series,
  mean: num,
  std: num,
  icir: num,
  icir_annual: num,
  t: num,
  win_rate: num,
  abs_above_002: num,
})
export type InformationCoefficient = z.output<typeof InformationCoefficient>

/** Fractions. Forward returns are those of the first horizon; the rest is of the bin's curve. */
export const Bin = z.object({
  bin: z.int(),
  label: z.string(),
  range: z.tuple([num, num]),
  avg_count: z.number(),
  mean_factor: num,
  /** Means of further factors over the bin's members: for bonds, price and conversion premium. */
  means: z.array(z.object({ factor_key: z.string(), label: z.string(), mean: num })),
  /** Over the dates, of the mean return of the bin's members. */
  mean_forward: num,
  median_forward: num,
  win_rate: num,
  annual_return: num,
  excess_annual: num,
  volatility: num,
  sharpe: num,
  max_drawdown: num,
  /** Share of new names at a formation. */
  turnover: num,
})
export type Bin = z.output<typeof Bin>

export const BinningResult = z.object({
  bins: z.array(Bin),
  /** Net values by day, bin by bin; on days without members it stands still, that of a bin that never had any is empty. */
  curves: z.object({
    dates: z.array(z.string()),
    series: z.array(z.array(z.number())),
    benchmark: series,
    long_short: z.array(z.number()),
  }),
  /**
   * The same bins formed on other days: so many days later than `offset`. By bin the lowest and the highest net value of each day, and annual
   * return; a curve stands at 1 until it is formed. null where bins are formed every day.
   */
  band: z
    .object({
      offsets: z.array(z.int()),
      low: z.array(z.array(z.number())),
      high: z.array(z.array(z.number())),
      annual_return: z.array(z.tuple([num, num])),
    })
    .nullable(),
  /** Top bin less bottom bin in the factor's own direction, formed anew every day's return: a diagnosis, bonds cannot be sold short. */
  /** null for groups by a text, which have no order; so are the coefficients. */
  long_short: Metrics.nullable(),
  direction: z.enum(['small', 'large']),
  ic: InformationCoefficient,
  rank_ic: InformationCoefficient,
  ic_monthly: z.array(z.object({ year: z.int(), month: z.int(), value: z.number() })),
  decay: z.array(z.object({ days: z.int(), ic: num, rank_ic: num })),
  /** Share of the members whose value lies in more than one bin, mean over the dates: what such bins differ in is not the factor. */
  cut_share: z.number(),
  /** Rank correlation of bin number and mean return, of bins with members; null where more than a twentieth of the members are cut so. */
  monotonicity: num,
  inversions: z.int(),
  coverage: z.object({ dates: z.array(z.string()), values: series }),
  distribution: z.object({ edges: z.array(z.number()), counts: z.array(z.int()), skew: num, kurtosis: num }),
  /** Rank correlation of the factor with itself one formation before. */
  autocorrelation: num,
  /** Trading days after which the rank IC of an old value is half that of a new one; null when it does not fall that far. */
  half_life: num,
  /** From row to column between two formations, of those that are in the pool of both. */
  transition: z.array(z.array(num)),
  /** Rows are the bins above; means are of dates, of the mean return of a cell's members. null when no second factor was asked for. */
  two_way: z
    .object({
      factor: z.string(),
      columns: z.array(z.string()),
      cells: z.array(z.array(z.object({ dates: z.int(), avg_count: z.number(), mean_forward: num, win_rate: num }))),
    })
    .nullable(),
  verdict: z.string(),
  warnings: z.array(z.string()),
  data_mode: DataMode,
  data_version: z.string(),
})
export type BinningResult = z.output<typeof BinningResult>
