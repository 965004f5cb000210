import { plain } from '../../base/format.ts'
import { halfWidth } from '../../base/read-number.ts'

/** What an axis takes, in the units that are shown. */
export interface Bounds {
  min: number
  max: number
  whole: boolean
}

export type Values = { values: readonly number[]; message: null } | { values: null; message: string }

/** More than any plan has cells for. */
const mostValues = 200

/** `5,10,15` or `5:30:5` (from, to, step), mixed as one likes; with Chinese signs too. Sorted, each once. */
export function readValues(text: string, { min, max, whole }: Bounds): Values {
  const parts = halfWidth(text)
    .split(/[\s,，、;；]+/)
    .filter((part) => part !== '')
  if (parts.length === 0) return wrong('请填写取值，如 5,10,15 或 5:30:5')
  const values = new Set<number>()
  for (const part of parts) {
    const made = part.includes(':') ? stepsOf(part) : numberOf(part)
    if (typeof made === 'string') return wrong(made)
    for (const value of made) values.add(value)
    if (values.size > mostValues) return wrong(`取值不能超过 ${mostValues} 个`)
  }
  for (const value of values) {
    if (whole && !Number.isInteger(value)) return wrong(`取值须为整数，「${plain(value)}」不是`)
    if (value < min || value > max) return wrong(`取值须在 ${plain(min)} 到 ${plain(max)} 之间，「${plain(value)}」超出`)
  }
  return { values: [...values].sort((a, b) => a - b), message: null }
}

export const writeValues = (values: readonly number[]): string => values.map(plain).join(',')

/**
 * Two more values outwards by the step next to that end, within the bounds; the same where none fits. `values` ascending, three or more.
 */
export function widened(values: readonly number[], end: 'first' | 'last', { min, max }: Pick<Bounds, 'min' | 'max'>): readonly number[] {
  const [edge, inner] = end === 'first' ? [values[0], values[1]] : [values.at(-1), values.at(-2)]
  if (edge === undefined || inner === undefined) return values
  const more = [1, 2].map((step) => Number((edge + step * (edge - inner)).toPrecision(12))).filter((value) => value >= min && value <= max)
  return [...values, ...more].sort((a, b) => a - b)
}

const wrong = (message: string): Values => ({ values: null, message })

function numberOf(text: string): number[] | string {
  const value = Number(text)
  return Number.isFinite(value) ? [value] : `「${text}」不是数字，写成 5,10,15 或 5:30:5`
}

function stepsOf(text: string): number[] | string {
  const [from, to, step = 1, ...more] = text.split(':').map(Number)
  if (from === undefined || to === undefined || more.length > 0 || ![from, to, step].every(Number.isFinite))
    return `「${text}」读不懂，区间写成 起:止:步长，如 5:30:5`
  if (!(step > 0)) return `「${text}」的步长须大于 0`
  if (from > to) return `「${text}」的起点大于终点`
  if ((to - from) / step > mostValues) return `「${text}」的取值超过 ${mostValues} 个`
  // By counting: adding a step again and again drifts.
  const count = Math.floor((to - from) / step + 1e-9)
  return Array.from({ length: count + 1 }, (_, i) => Number((from + i * step).toPrecision(12)))
}
