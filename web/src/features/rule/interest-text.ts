import { signedPercent } from '../../base/format.ts'

/** `未计利息，约 +0.5%/年`, beside the figure that leaves it out; null where nothing is left out. */
export function interestWords(leftOut: number | null | undefined): string | null {
  if (leftOut === undefined) return null
  // Too little to be told, or not known.
  if (leftOut === null || leftOut < 0.0005) return '未计利息'
  return `未计利息，约 ${signedPercent(leftOut, 1)}/年`
}

export const interestMeaning = '按收盘价计算的净值不含持有期间的债券利息；约数按持有的转债在付息日应得的票息折成每年，税前'
