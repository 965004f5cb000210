/**
 * Numbers as the screen writes them, all from here: − (U+2212) for minus, a sign on returns, 万 and 亿, — for what is missing (never 0).
 * Halves go away from zero, by the shortest decimal of the number: 1.005 is written 1.01. What rounds to zero has no sign.
 */

import { isGrouping } from './digit-grouping.ts'

export const missing = '—'
export type Given = number | null | undefined

const absent = (value: Given): value is null | undefined => value === null || value === undefined || !Number.isFinite(value)

const writers = new Map<string, Intl.NumberFormat>()
/** Number formats are slow to make and quick to use. */
function writer(decimals: number, look: { style?: 'percent'; sign?: boolean; grouped?: boolean } = {}): Intl.NumberFormat {
  const grouped = look.grouped === true && isGrouping()
  const key = [decimals, look.style, look.sign, grouped].join()
  let made = writers.get(key)
  if (!made) {
    made = new Intl.NumberFormat('zh-CN', {
      style: look.style ?? 'decimal',
      minimumFractionDigits: decimals,
      maximumFractionDigits: decimals,
      useGrouping: grouped,
      signDisplay: look.sign ? 'exceptZero' : 'negative',
    })
    writers.set(key, made)
  }
  return made
}
const write = (value: Given, format: Intl.NumberFormat): string => (absent(value) ? missing : format.format(value).replace('-', '−'))

/** `119.544`, `−0.70`. */
export const fixed = (value: Given, decimals = 2): string => write(value, writer(decimals))

/** As `fixed`, with + before what is above zero. */
export const signed = (value: Given, decimals = 2): string => write(value, writer(decimals, { sign: true }))

/** A fraction as `13.34%`, `12,345.60%`. */
export const percent = (fraction: Given, decimals = 2): string => write(fraction, writer(decimals, { style: 'percent', grouped: true }))

/** A fraction as `+13.34%`: returns and changes. */
export const signedPercent = (fraction: Given, decimals = 2): string =>
  write(fraction, writer(decimals, { style: 'percent', sign: true, grouped: true }))

const scales: readonly (readonly [size: number, unit: string])[] = [
  [1e8, '亿元'],
  [1e4, '万元'],
]
/** Yuan as `8,900.00 元`, `1,111.96 万元`, `3.21 亿元`: the largest unit of which one is reached once rounded. */
export function money(yuan: Given): string {
  if (absent(yuan)) return missing
  // 9,999.995 元 would be written 10,000.00 元: that is 1.00 万元.
  const parts = (one: number) => Math.round((Math.abs(yuan) / one) * 100)
  const [size, unit] = scales.find(([one]) => parts(one / 1e4) >= 1e6) ?? [1, '元']
  return `${write(yuan / size, writer(2, { grouped: true }))} ${unit}`
}

/** A whole number: `1,336`. */
export const count = (value: Given): string => write(value, writer(0, { grouped: true }))

/** `3,630.16`: a number that may be large, beside its unit. */
export const grouped = (value: Given, decimals = 2): string => write(value, writer(decimals, { grouped: true }))

/** A whole number with its sign: `+2,966`. */
export const signedCount = (value: Given): string => write(value, writer(0, { grouped: true, sign: true }))

/** A quantity: whole numbers as `1,200`, parts of one as `12.35`. */
export const quantity = (value: Given): string =>
  absent(value) || Number.isInteger(value) ? count(value) : write(value, writer(2, { grouped: true }))

const exactWriter = { decimal: exactly('decimal'), percent: exactly('percent') }
function exactly(style: 'decimal' | 'percent') {
  return new Intl.NumberFormat('zh-CN', { style, maximumSignificantDigits: 12, signDisplay: 'negative' })
}
/** All digits that are known, for the tooltip of a shortened number; undefined of nothing. */
export const exact = (value: Given, style: 'decimal' | 'percent' = 'decimal'): string | undefined =>
  absent(value) ? undefined : write(value, exactWriter[style])

/** The shortest writing of a number the user typed: `150`, `0.5`. */
export const plain = (value: Given): string => (absent(value) ? '' : String(Number(value.toPrecision(12))))

/** The class of a return's colour; what rounds to zero at so many decimals (of the fraction) is neither up nor down. */
export function tone(value: Given, decimals = 4): 'up' | 'down' | 'flat' {
  if (absent(value)) return 'flat'
  const [sign] = writer(decimals, { sign: true }).format(value)
  return sign === '+' ? 'up' : sign === '-' ? 'down' : 'flat'
}

/** Seconds as `0.3 秒`, `1 分 12 秒`. */
export function duration(seconds: Given): string {
  if (absent(seconds)) return missing
  if (seconds < 59.95) return `${seconds.toFixed(1)} 秒`
  const whole = Math.round(seconds)
  return `${Math.floor(whole / 60)} 分 ${whole % 60} 秒`
}
