import type { Row } from './table.ts'

export interface StopFieldRow extends Row {
  readonly short: string
  /** Name of a grid's axis, where no stop type stands before it. */
  readonly axisLabel: string
  readonly max: number
}

/** Numbers of a stop, as fractions of the base; `max` is inclusive. `short` stands before a field that is named by its place. */
export const stopFields = {
  take_profit: { label: '止盈比例', short: '止盈', axisLabel: '止盈比例', max: 10 },
  stop_loss: { label: '止损比例', short: '止损', axisLabel: '止损比例', max: 1 },
  activate: { label: '激活涨幅', short: '激活', axisLabel: '移动止盈：涨到', max: 10 },
  drawdown: { label: '回撤比例', short: '回撤', axisLabel: '移动止盈：回落', max: 1 },
} as const satisfies Record<string, StopFieldRow>
export type StopField = keyof typeof stopFields

export interface StopTypeRow extends Row {
  /** What it needs. */
  readonly fields: readonly StopField[]
}

/** `stop_type` (api.md 0.1). */
export const stopTypes = {
  0: { label: '不启用', fields: [] },
  1: { label: '盘中止盈', fields: ['take_profit'] },
  2: { label: '盘中止损', fields: ['stop_loss'] },
  3: { label: '盘中止盈止损', fields: ['take_profit', 'stop_loss'] },
  4: { label: '收盘止盈止损', fields: ['take_profit', 'stop_loss'] },
  5: { label: '移动止盈', fields: ['activate', 'drawdown'] },
} as const satisfies Record<number, StopTypeRow>
export type StopType = keyof typeof stopTypes

/** Whether positions are watched at all. */
export const hasStop = (type: StopType): boolean => stopTypes[type].fields.length > 0

/** What the stops of a rule are called together. */
export const stopsLabel = '止盈止损'
