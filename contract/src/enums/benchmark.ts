export interface BenchmarkRow {
  /** As the vendors write it; `_ew` series are computed here. */
  readonly code: string
  readonly label: string
  /** An index of prices alone, without what its members pay out. */
  readonly priceOnly: boolean
}

/**
 * `benchmark`. A list: a record would sort its codes by number.
 * @public read by `check:enums`
 */
export const benchmarks = [
  { code: 'cb_ew', label: '可转债等权', priceOnly: false },
  { code: 'stk_ew', label: '股票等权', priceOnly: false },
  { code: '000300', label: '沪深300', priceOnly: true },
  { code: '000905', label: '中证500', priceOnly: true },
  { code: '000852', label: '中证1000', priceOnly: true },
  { code: '000906', label: '中证800', priceOnly: true },
  { code: '000832', label: '中证转债', priceOnly: false },
  { code: '932000', label: '中证2000', priceOnly: true },
  { code: 'H00300', label: '沪深300全收益', priceOnly: false },
  { code: 'H00905', label: '中证500全收益', priceOnly: false },
  { code: 'H00852', label: '中证1000全收益', priceOnly: false },
  { code: 'H00906', label: '中证800全收益', priceOnly: false },
] as const satisfies readonly BenchmarkRow[]
export type NamedBenchmark = (typeof benchmarks)[number]['code']

const byCode: ReadonlyMap<string, BenchmarkRow> = new Map(benchmarks.map((row) => [row.code, row]))

/** A series' name; undefined for one that has none here. */
export function benchmarkLabel(code: NamedBenchmark): string
export function benchmarkLabel(code: string): string | undefined
export function benchmarkLabel(code: string): string | undefined {
  return byCode.get(code)?.label
}

/** Whether a series is an index of prices alone: what its members pay out is not in it. Unnamed codes of six digits are such indices. */
export const isPriceIndex = (code: string): boolean => byCode.get(code)?.priceOnly ?? /^\d{6}$/.test(code)
