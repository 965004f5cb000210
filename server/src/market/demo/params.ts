import { readFileSync } from 'node:fs'
import { sourceFile } from '../../base/program-files.ts'
import { fromQuantiles } from './random.ts'

/** Aggregates of the real market that the model is set to (never single prices): see MODEL.md. */
interface Params {
  cb: {
    issue_yi_quantiles: Record<string, number>
    rating_share: Record<string, Record<string, number>>
    median_premium_by_conv_value: Record<string, number>
    turnover_median_by_remain_yi_2022: Record<string, number>
  }
  stock: {
    ann_vol_q05_25_50_75_95: Record<string, number[]>
    beta_q05_25_50_75_95: Record<string, number[]>
    price_q_2022: number[]
    overnight_variance_share: number
    csi300: { pb_q: number[] }
  }
}

export const params = JSON.parse(readFileSync(sourceFile('market/demo/params.json'), 'utf8')) as Params

/** The probabilities of the five-number tables. */
const five = [0.05, 0.25, 0.5, 0.75, 0.95] as const

/** A value from one of the five-number tables, for a uniform number. */
export const fromQuantilesTable = (uniform: number, table: readonly number[]): number => fromQuantiles(uniform, five, table)
