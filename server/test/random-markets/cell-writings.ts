/** How files write numbers, flags, ratings and nothing (data.md 3.1). */
import { decimalsOf, type Kind } from './truth.ts'

/** The decimal point of a text moved, without a rounding: `pointMoved('41.5266', 2)` is `4152.66`. */
export function pointMoved(text: string, by: number): string {
  const [, sign = '', whole = '', part = ''] = /^(-?)(\d+)(?:\.(\d*))?$/.exec(text)!
  const digits = `${'0'.repeat(Math.max(0, -by))}${whole}${part}${'0'.repeat(Math.max(0, by))}`
  const at = digits.length - part.length - Math.max(0, by) + by
  const moved = `${digits.slice(0, at).replace(/^0+(?=\d)/, '')}${digits.length > at ? `.${digits.slice(at)}` : ''}`
  return `${sign}${moved.replace(/(\.\d*?)0+$/, '$1').replace(/\.$/, '')}`
}

/** A unit of a column, as a mapping names it, or behind a number in a cell: what is written is the value × 10^`point`. */
export interface Unit {
  readonly unit: string | null
  readonly point: number
}

const units = (...list: readonly (readonly [unit: string | null, point: number])[]): readonly Unit[] =>
  list.map(([unit, point]) => ({ unit, point }))

const ratio = units([null, 0], ['小数', 0], ['%', 2])
const money = units(['元', 4], ['万元', 0], [null, 0], ['千元', 1], ['亿元', -4])
const size = units([null, 0], ['亿元', 0], ['元', 8], ['万元', 4])

/** Units that a mapping may give for a column, by field. */
export const columnUnits: Readonly<Record<Kind, Readonly<Record<string, readonly Unit[]>>>> = {
  stk: {
    ...{ turnover: ratio, dv_ratio: ratio, amount: money, total_mv: size, circ_mv: size },
    vol: units([null, 0], ['股', 0], ['手', -2], ['万股', -4]),
    total_share: units([null, 0], ['亿股', 0], ['万股', 4]),
  },
  cb: {
    ...{ turnover: ratio, ytm: ratio, conv_prem: ratio, amount: money, remain_size: size },
    vol: units([null, 0], ['手', 0], ['张', 1]),
  },
}

/** Units that may stand behind a number, whatever the mapping says. */
export const cellUnits: Readonly<Record<Kind, Readonly<Record<string, readonly Unit[]>>>> = {
  stk: {
    ...{ turnover: units(['%', 2]), dv_ratio: units(['%', 2]) },
    amount: units(['元', 4], ['万元', 0], ['万', 0], ['亿', -4], ['亿元', -4]),
    total_mv: units(['亿', 0], ['亿元', 0], ['元', 8], ['万元', 4], ['万', 4]),
    vol: units(['股', 0], ['手', -2], ['万股', -4]),
    close: units(['元', 0]),
  },
  cb: {
    ...{ turnover: units(['%', 2]), ytm: units(['%', 2]), conv_prem: units(['%', 2]) },
    amount: units(['元', 4], ['万元', 0], ['万', 0], ['亿', -4]),
    remain_size: units(['亿', 0], ['亿元', 0], ['万元', 4], ['元', 8]),
    vol: units(['手', 0]),
    close: units(['元', 0]),
  },
}

/** Units that no number of the field can have. */
export const foreignUnits: readonly (readonly [field: string, unit: string])[] = [
  ['close', '%'],
  ['open', '亿'],
  ['turnover', '手'],
  ['amount', '%'],
  ['vol', '%'],
]

/** The value of a field as a decimal text, in its own unit. */
export const decimal = (kind: Kind, field: string, value: number): string => value.toFixed(decimalsOf[kind][field] ?? 6)

/** `1234567.8` as `1,234,567.8`. */
export const withCommas = (text: string): string => {
  const [whole = '', part] = text.split('.')
  return `${whole.replace(/\B(?=(\d{3})+$)/g, ',')}${part === undefined ? '' : `.${part}`}`
}

/** `0.00012` as `1.2e-4`. */
export const scientific = (text: string): string => {
  const value = Number(text).toExponential()
  return Number(value) === Number(text) ? value : text
}

export const emptyTexts = ['', ' ', '-', '--', '—', 'nan', 'NaN', 'null', 'NULL', 'None', 'N/A', 'NaT']
export const unreadableNumbers = ['abc', '#REF!', '12.3.4', '停牌', '1O.5', '十二']

const capitalized = (word: string) => [word, word.toUpperCase()]
/** Words of a flag that must be read; `L`, `D` and the words of trading only where the flag is one of trading or listing. */
export const flagWords = {
  traded: {
    yes: ['1', '1.0', '是', '交易', '正常', ...['true', 't', 'y', 'yes'].flatMap(capitalized)],
    no: ['0', '0.0', '否', '停牌', '暂停', ...['false', 'f', 'n', 'no'].flatMap(capitalized)],
  },
  listed: {
    yes: ['1', '1.0', '是', '上市', '正常', 'L', ...['true', 't', 'y', 'yes'].flatMap(capitalized)],
    no: ['0', '0.0', '否', '退市', 'D', ...['false', 'f', 'n', 'no'].flatMap(capitalized)],
  },
  st: {
    yes: ['1', '1.0', '是', 'ST', '*ST', 'S*ST', 'SST', 'true', 'Y'],
    no: ['0', '0.0', '否', '正常', 'false', 'N'],
  },
} as const
export const unknownFlagWords = ['也许', '2', 'X', '开市']

const wide = (text: string) => text.replace(/[!-~]/g, (letter) => String.fromCharCode(letter.charCodeAt(0) + 0xfee0))
export const ratingWritings: readonly ((rating: string) => string)[] = [
  (rating) => rating,
  (rating) => rating.toLowerCase(),
  (rating) => rating.replace('+', '＋').replace('-', '－'),
  wide,
  (rating) => ` ${rating} `,
]
export const unknownRatings = ['A-1', 'AA(sti)', '未评级', 'Aaa1']
