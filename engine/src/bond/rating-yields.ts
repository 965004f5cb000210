/**
 * Yields of corporate bonds by rating and tenor, as fractions. The table that is built in has a curve for each end of a year, in force
 * from that day on until the next: nothing is known before its day. Sources and how far each figure was checked: decisions/0115.
 */
import { type Rating, ratings as ratingRows } from '@convexa/contract/enums/rating'
import { valuesOf } from '@convexa/contract/enums/table'

const ratings: readonly Rating[] = valuesOf(ratingRows)

/** A market series that is a rate, not a price: no benchmark, and the day before's while a day is not over. */
export const isRate = (code: string): boolean => code === 'risk_free' || yieldSeries.test(code)

/** `yield_aa+_3`: of bonds rated AA+ with three years left. The operator's series stand in for the built-in curve of their rating. */
const yieldSeries = /^yield_([abc]{1,3}[+-]?)_([1-9]|10)$/

/** Years of the built-in curves. */
export const tenors = [1, 3, 5, 7]

type Curve = readonly [one: number, three: number, five: number, seven: number]

/** Per cent at the end of the years, AAA, AA+, AA, AA-. */
// biome-ignore format: a table reads best with a year a line
const anchors: readonly (readonly [from: string, aaa: Curve, aaPlus: Curve, aa: Curve, aaMinus: Curve])[] = [
  ['2016-12-30', [3.90, 4.00, 4.15, 4.30], [4.10, 4.25, 4.45, 4.65], [4.30, 4.55, 4.80, 5.05], [5.80, 6.20, 6.60, 6.95]],
  ['2017-12-29', [5.20, 5.25, 5.40, 5.55], [5.40, 5.50, 5.70, 5.85], [5.60, 5.75, 5.95, 6.20], [7.20, 7.60, 7.95, 8.30]],
  ['2018-12-28', [3.60, 3.80, 4.05, 4.25], [3.80, 4.05, 4.40, 4.70], [4.10, 4.60, 5.10, 5.45], [6.20, 6.90, 7.40, 7.75]],
  ['2019-12-31', [3.15, 3.40, 3.70, 3.95], [3.30, 3.60, 4.00, 4.25], [3.50, 4.00, 4.55, 4.90], [5.70, 6.40, 7.00, 7.35]],
  ['2020-12-31', [3.25, 3.55, 3.80, 4.00], [3.45, 3.80, 4.15, 4.40], [3.70, 4.35, 4.75, 5.10], [6.10, 6.85, 7.30, 7.65]],
  ['2021-12-31', [2.75, 3.00, 3.35, 3.60], [2.90, 3.20, 3.60, 3.85], [3.10, 3.70, 4.25, 4.60], [5.50, 6.20, 6.75, 7.10]],
  ['2022-12-30', [2.75, 3.20, 3.40, 3.60], [2.95, 3.50, 3.85, 4.10], [3.20, 3.90, 4.30, 4.65], [5.35, 6.32, 6.70, 7.05]],
  ['2023-12-29', [2.55, 2.70, 2.95, 3.10], [2.65, 2.90, 3.15, 3.35], [2.70, 3.05, 3.40, 3.65], [4.20, 4.80, 5.20, 5.50]],
  ['2024-12-31', [1.70, 1.75, 1.95, 2.10], [1.80, 1.90, 2.10, 2.25], [1.90, 2.05, 2.35, 2.55], [2.30, 2.60, 3.00, 3.30]],
  ['2025-12-31', [1.70, 1.90, 2.05, 2.20], [1.80, 2.00, 2.25, 2.40], [1.90, 2.10, 2.45, 2.65], [2.20, 2.50, 2.80, 3.10]],
]

/** Percentage points above AA-, as of 2023-03-20 and 2023-06-30. Yields of nearly defaulted ratings fall with the time left. */
const belowAaMinus: Readonly<Record<string, Curve>> = {
  'A+': [2.43, 2.43, 2.43, 2.43],
  A: [4.73, 4.73, 4.73, 4.73],
  'A-': [6.8, 6.8, 6.8, 6.8],
  BB: [21.8, 21.8, 21.8, 21.8],
  B: [30.8, 30.8, 30.8, 30.8],
  CCC: [39.7, 39.7, 39.7, 39.7],
  CC: [92.6, 81, 81, 81],
}

/** Yields by rating (the index into `ratings`) and tenor. */
type Table = readonly (readonly number[])[]

/** The built-in curves by the day from which they are in force. */
export const tables: readonly { readonly from: string; readonly table: Table }[] = anchors.map(([from, aaa, aaPlus, aa, aaMinus]) => {
  const below = Object.entries(belowAaMinus).map(([rating, points]) => [rating, points.map((each, k) => each + aaMinus[k])] as const)
  return {
    from,
    table: filled(new Map<string, readonly number[]>([['AAA', aaa], ['AA+', aaPlus], ['AA', aa], ['AA-', aaMinus], ...below])),
  }
})

/** Interpolates ratings without a curve of their own geometrically between their neighbours; ratings below the last curve share it. */
function filled(known: ReadonlyMap<string, readonly number[]>): Table {
  const places = ratings.flatMap((rating, place) => (known.has(rating) ? [place] : []))
  return ratings.map((_, place) => {
    const upper = places.findLast((each) => each <= place) as number
    const lower = places.find((each) => each >= place) ?? upper
    const share = lower === upper ? 0 : (place - upper) / (lower - upper)
    const [from, to] = [upper, lower].map((each) => known.get(ratings[each]) as readonly number[])
    return tenors.map((_tenor, k) => (from[k] * (to[k] / from[k]) ** share) / 100)
  })
}

/** Yield of a rating with so many years left; NaN without a rating or years. */
export type YieldOf = (rating: number, years: number) => number

/**
 * The curves of a day: the operator's series of a rating where they have a value that day, else the table's. A curve is linear between
 * its tenors and level outside.
 */
export function ratingYields(dates: readonly string[], series: ReadonlyMap<string, Float64Array>): (day: number) => YieldOf {
  const given = givenCurves(series)
  let place = 0
  return (day) => {
    const date = dates[day]
    if (tables[place].from > date) place = 0
    while (place + 1 < tables.length && tables[place + 1].from <= date) place++
    const { table } = tables[place]
    if (given.size === 0) return (rating, years) => at(tenors, table[rating], years)
    const own = new Map([...given].map(([rating, curves]) => [rating, curves.filter(({ values }) => values[day] === values[day])]))
    return (rating, years) => {
      const curve = own.get(rating) ?? []
      if (curve.length === 0) return at(tenors, table[rating], years)
      return at(
        curve.map(({ tenor }) => tenor),
        curve.map(({ values }) => values[day]),
        years,
      )
    }
  }
}

interface GivenTenor {
  readonly tenor: number
  readonly values: Float64Array
}

/** The operator's series by rating, ascending by tenor. */
function givenCurves(series: ReadonlyMap<string, Float64Array>): ReadonlyMap<number, readonly GivenTenor[]> {
  const curves = new Map<number, GivenTenor[]>()
  for (const [code, values] of series) {
    const [, rating, tenor] = yieldSeries.exec(code) ?? []
    const place = ratings.findIndex((each) => each.toLowerCase() === rating)
    if (place < 0) continue
    curves.set(
      place,
      [...(curves.get(place) ?? []), { tenor: Number(tenor), values }].sort((a, b) => a.tenor - b.tenor),
    )
  }
  return curves
}

function at(years: readonly number[], yields: readonly number[] | undefined, left: number): number {
  if (yields === undefined || left !== left) return Number.NaN
  const last = years.length - 1
  if (left <= years[0]) return yields[0]
  if (left >= years[last]) return yields[last]
  let k = 1
  while (years[k] < left) k++
  return yields[k - 1] + ((left - years[k - 1]) / (years[k] - years[k - 1])) * (yields[k] - yields[k - 1])
}

/** The highest yield of the table: of its last rating. */
export const worstRating = ratings.length - 1
