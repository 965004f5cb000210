/** Numbers as the screen writes them: − for minus, a sign on percentages, 万 and 亿, — for what is missing (never 0). */

export const missing = '—'
type Given = number | null | undefined

const absent = (value: Given): value is null | undefined => value === null || value === undefined || !Number.isFinite(value)
const rounded = (value: number, decimals: number) => {
  const text = value.toFixed(decimals)
  return Number(text) === 0 ? (0).toFixed(decimals) : text
}
const minus = (text: string) => text.replace('-', '−')

/** `119.544`, `−0.70`. */
export const fixed = (value: Given, decimals = 2): string => (absent(value) ? missing : minus(rounded(value, decimals)))

/** As `fixed`, with + before what is above zero and nothing before what rounds to it. */
export function signed(value: Given, decimals = 2): string {
  const text = fixed(value, decimals)
  return !absent(value) && value > 0 && Number(rounded(value, decimals)) !== 0 ? `+${text}` : text
}

/** A fraction as `13.34%`. */
export const percent = (fraction: Given, decimals = 2): string => (absent(fraction) ? missing : `${fixed(fraction * 100, decimals)}%`)

/** A fraction as `+13.34%`: returns and changes. */
export const signedPercent = (fraction: Given, decimals = 2): string =>
  absent(fraction) ? missing : `${signed(fraction * 100, decimals)}%`

const cents = new Intl.NumberFormat('zh-CN', { minimumFractionDigits: 2, maximumFractionDigits: 2 })
/** Yuan as `0.89 万元`, `1,111.96 万元`, `3.21 亿元`; below 万 with 2 decimals. */
export function money(yuan: Given): string {
  if (absent(yuan)) return missing
  const size = Math.abs(yuan)
  const [scale, unit] = size >= 1e8 ? [1e8, '亿元'] : size >= 1e4 ? [1e4, '万元'] : [1, '元']
  return `${minus(cents.format(yuan / scale).replace(/^-0\.00$/, '0.00'))} ${unit}`
}

/** A quantity: whole numbers as `1,200`, parts of one as `12.35`. */
export const quantity = (value: Given): string => (absent(value) || Number.isInteger(value) ? count(value) : minus(cents.format(value)))

const grouping = new Intl.NumberFormat('zh-CN', { maximumFractionDigits: 0 })
/** A whole number: `1,336`. */
export const count = (value: Given): string => (absent(value) ? missing : minus(grouping.format(value)))

/** A whole number with its sign: `+2,966`. */
export const signedCount = (value: Given): string => {
  const text = count(value)
  return !absent(value) && Math.round(value) > 0 ? `+${text}` : text.replace(/^−0$/, '0')
}

/** The shortest writing of a number the user typed: `150`, `0.5`. */
export const plain = (value: Given): string => (absent(value) ? '' : String(Number(value.toPrecision(12))))

/** The class of a return's colour; what rounds to zero is neither up nor down. */
export function tone(value: Given, decimals = 4): 'up' | 'down' | 'flat' {
  if (absent(value)) return 'flat'
  const shown = Number(rounded(value, decimals))
  return shown > 0 ? 'up' : shown < 0 ? 'down' : 'flat'
}

/** Seconds as `0.3 秒`, `1 分 12 秒`. */
export function duration(seconds: Given): string {
  if (absent(seconds)) return missing
  if (seconds < 60) return `${seconds.toFixed(1)} 秒`
  return `${Math.floor(seconds / 60)} 分 ${Math.round(seconds % 60)} 秒`
}
