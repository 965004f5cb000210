import { operandsOf } from '@convexa/contract/enums/operator'
import type { FactorMeta } from '@convexa/contract/factor'
import type { FilterFactor } from '@convexa/contract/strategy'
import { grouped } from '../../base/format.ts'
import { isDate, shownAs } from '../rule/factors.ts'

/** A fraction beyond this was typed with a digit or a unit too many: a hundredfold. */
const mostFraction = 100

/** A value that can be compared with, but that hardly anybody means: what to look at again, in a sentence. */
export function doubtfulValue({ operation, value }: FilterFactor, factor: FactorMeta | null): string | null {
  if (factor === null || operandsOf(operation) === 'none' || operandsOf(operation) === 'share') return null
  const numbers = (Array.isArray(value) ? value : [value]).filter((one) => typeof one === 'number')
  if (isDate(factor)) return numbers.every(isDay) ? null : '日期要写满 8 位，如 20261120'
  const { percent, scale, unit } = shownAs(factor)
  const wild = percent ? numbers.find((number) => Math.abs(number) > mostFraction) : undefined
  if (wild === undefined) return null
  return `${grouped(wild * scale, 0)}${unit} 相当于 ${grouped(wild, 0)} 倍，请核对是否多输了数字`
}

/** Of `20261120`: whether there is such a day. */
function isDay(number: number): boolean {
  const text = String(number).replace(/^(\d{4})(\d{2})(\d{2})$/, '$1-$2-$3')
  const time = /^\d{4}-\d{2}-\d{2}$/.test(text) ? Date.parse(`${text}T00:00:00Z`) : Number.NaN
  return Number.isFinite(time) && new Date(time).toISOString().startsWith(text)
}
