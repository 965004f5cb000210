/** How values of arguments and options are read; each refuses in a Chinese sentence. */

import { InvalidArgumentError } from 'commander'
import { type SnapshotKind, snapshotLabels } from '../../market/manifest.ts'
import type { ArgumentRow } from './command-row.ts'

export const marketArgument = (known: readonly SnapshotKind[]): ArgumentRow => ({
  name: '市场',
  help: known.map((kind) => `${kind} ${snapshotLabels[kind]}`).join('，'),
  choices: known,
  read: (given) => {
    if (known.some((kind) => kind === given)) return given
    throw new InvalidArgumentError(`市场“${given}”不存在，可用 ${known.join('、')}`)
  },
})

export const wholeNumber = (least: number, most: number) => (given: string) => {
  const value = /^\d{1,6}$/.test(given) ? Number(given) : Number.NaN
  if (value >= least && value <= most) return value
  throw new InvalidArgumentError(`“${given}”需为 ${least} 至 ${most} 的整数`)
}

/** A positive number of a row. */
export const serial =
  (what: string) =>
  (given: string): number => {
    if (/^[1-9]\d{0,8}$/.test(given)) return Number(given)
    throw new InvalidArgumentError(`${what}“${given}”需为正整数`)
  }
