import type { Row } from './table.ts'

export interface HoldRangeRow extends Row {
  /** Bounds are fractions of the pool; else places of the ranking. */
  readonly fraction: boolean
}

/** `hold_range_type`: what the start and the end of the holding count. */
export const holdRanges = {
  1: { label: '按名次', fraction: false },
  2: { label: '持有前 %', fraction: true },
} as const satisfies Record<number, HoldRangeRow>
export type HoldRangeType = keyof typeof holdRanges

/** Whether the bounds are fractions of the pool, not places of the ranking. */
export const isFraction = ({ hold_range_type: type }: { readonly hold_range_type: HoldRangeType }): boolean => holdRanges[type].fraction

export const thresholdLabel = '缓冲名次'
