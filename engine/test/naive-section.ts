/** Functions of the securities listed on a day, as their definitions say. */
import { deviation, mean, percentile } from './naive-statistics.ts'

const valid = (values: readonly number[]) => values.filter((value) => !Number.isNaN(value))

/** Columns of the listed securities of a day, in the order of codes; one result for each. */
type Section = (columns: number[][], numbers: readonly number[], texts: readonly string[]) => number[]

const each =
  (of: (own: number, all: number[], numbers: readonly number[]) => number): Section =>
  ([x], numbers) =>
    x.map((own) => of(own, valid(x), numbers))

export const sectionDefinitions: Record<string, Section> = {
  cs_rank: each((own, all) => percentile(all, own)),
  cs_zscore: each((own, all) => (own - mean(all)) / deviation(all)),
}

/** Values of the members of a group; one result for each. */
export const groupDefinitions: Record<string, (values: number[]) => number[]> = {}
