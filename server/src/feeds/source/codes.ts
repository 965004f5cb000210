/** Codes as providers write them. Ours: `113050.SH`; an index is its number alone, as in the store (`000300`). */
import { homeOf } from '../../market/import/cells/code.ts'
import { isForeign } from '../../market/import/foreign-codes.ts'
import { otherBondOf } from '../../market/other-bonds.ts'

/** Convertible bonds that are publicly traded: `other-bonds.ts` says which numbers of these prefixes are others. */
const bond = /^(?:(?:100|110|111|113|118)\d{3}\.SH|(?:123|125|126|127|128|129)\d{3}\.SZ)$/
const stock = /^(?:(?:60\d|68\d)\d{3}\.SH|(?:00\d|30\d)\d{3}\.SZ|(?:4\d|8\d|92)\d{4}\.BJ)$/

export const isBond = (code: string): boolean => bond.test(code) && otherBondOf(code) === null
export const isStock = (code: string): boolean => stock.test(code) && !isForeign('stk', code) && otherBondOf(code) === null

const parts = (code: string): readonly [number: string, exchange: string] => {
  const [number = '', exchange] = code.split('.')
  return [number, exchange ?? homeOf(number)]
}

/** `sh113050`, as Sina and Tencent write it. */
export const prefixed = (code: string): string => {
  const [number, exchange] = parts(code)
  return exchange.toLowerCase() + number
}

/** `sh.600000`, as BaoStock writes it. */
export const dotted = (code: string): string => {
  const [number, exchange] = parts(code)
  return `${exchange.toLowerCase()}.${number}`
}

/** `1.113050`, as Eastmoney writes it: 1 Shanghai, 0 Shenzhen and Beijing. */
export const secid = (code: string): string => {
  const [number, exchange] = parts(code)
  return `${exchange === 'SH' ? 1 : 0}.${number}`
}

/** An index with its exchange, `000300.SH`; every other code as it is. */
export const withExchange = (code: string): string => (code.includes('.') ? code : `${code}.${homeOf(code)}`)

/** Series that have another name at Tushare than number and exchange. */
const tushareIndices: Readonly<Record<string, string>> = { '000832': '000832.CSI', '932000': '932000.CSI' }

export const tushareIndex = (number: string): string => tushareIndices[number] ?? withExchange(number)
