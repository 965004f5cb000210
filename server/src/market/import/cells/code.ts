/** Codes as files write them. Ours: `127056.SZ`; an index is its number alone. */

import type { MarketId } from '@convexa/contract'
import { isRate } from '@convexa/engine'
import { marketRules } from '../../market-rules.ts'
import { plainText } from './text.ts'

/** Exchanges by the words that files have for them. */
const exchanges: Readonly<Record<string, string>> = {
  SH: 'SH',
  SS: 'SH',
  XSHG: 'SH',
  SSE: 'SH',
  SHSE: 'SH',
  SZ: 'SZ',
  XSHE: 'SZ',
  SZSE: 'SZ',
  BJ: 'BJ',
  BSE: 'BJ',
  NQ: 'BJ',
  DM: 'DM',
  CSI: 'CSI',
  CNI: 'CNI',
}
/** Publishers whose suffix stands for the exchange that shows their indexes. */
export const publishers: Readonly<Record<string, string>> = { CSI: 'SH', CNI: 'SZ' }
const words = Object.keys(exchanges).join('|')

const patterns: readonly RegExp[] = [
  new RegExp(String.raw`^(?<number>\d{6})\.(?<exchange>${words})$`),
  new RegExp(String.raw`^(?<exchange>${words})[._ ]?(?<number>\d{6})$`),
  // A spreadsheet has taken it for a number: leading zeros are gone.
  /^(?<number>\d{1,6})(\.0)?$/,
]
/** Eastmoney's `1.600000`; only in columns of texts, because a number of that form has lost digits. */
const eastmoney = /^(?<market>[012])\.(?<number>\d{6})$/
const eastmoneyMarkets: Readonly<Record<string, string>> = { '1': 'SH', '2': 'CSI' }

/** What a cell says of a code. */
interface Parts {
  readonly number: string
  /** null: the cell does not say. */
  readonly exchange: string | null
}

/** The number of a code and its exchange where the cell says it, null when the cell has none. */
export function codeParts(cell: string | number): Parts | null {
  const text = plainText(String(cell)).toUpperCase()
  for (const pattern of patterns) {
    const { number, exchange } = pattern.exec(text)?.groups ?? {}
    if (number !== undefined) return { number: number.padStart(6, '0'), exchange: exchanges[exchange ?? ''] ?? null }
  }
  const found = typeof cell === 'string' ? eastmoney.exec(text)?.groups : undefined
  return found ? { number: found['number']!, exchange: eastmoneyMarkets[found['market']!] ?? null } : null
}

/** A security's code, null when the cell has none. Without an exchange it follows the number, as the exchanges allot them. */
export function readCode(cell: string | number | null | undefined, kind: MarketId): string | null {
  const parts = codeParts(cell ?? '')
  if (parts === null || (parts.exchange ?? '') in publishers) return null
  const { number } = parts
  // Lists of index members write Beijing's shares as Shanghai's, who has given the number to nobody.
  const given = parts.exchange === 'SH' && number.startsWith('92') ? 'BJ' : parts.exchange
  const exchange = given ?? marketRules[kind].exchangeOf(number) ?? (/\d{6}/.test(plainText(String(cell))) ? exchangeOfAny(number) : null)
  return exchange === null ? null : `${number}.${exchange}`
}

/** Exchange of the number of any kind of security: downloads of all codes have more kinds than the one that is imported. */
const exchangeOfAny = (number: string): string | null =>
  /^(0|3|12|131|1[5-8]|20[0-3])/.test(number) ? 'SZ' : /^(1|204|5|6|7|9)/.test(number) ? 'SH' : /^[48]/.test(number) ? 'BJ' : null

/** An index by its number; a yield by rating (`yield_aa+_3`) and a series without a number by its name. */
export function readIndex(cell: string | number | null): Parts | null {
  const text = plainText(String(cell ?? '')).toLowerCase()
  if (isRate(text)) return { number: text, exchange: null }
  const named = /^((?=[0-9]*[a-z_])[0-9a-z_]{2,12})(\.[a-z]+)?$/.exec(text)?.[1]
  const parts = codeParts(cell ?? '')
  if (parts) return { ...parts, exchange: publishers[parts.exchange ?? ''] ?? parts.exchange }
  return industryIndex(text) ?? (named === undefined ? null : { number: named, exchange: null })
}

/** The exchange of an index's number: the number alone identifies the index. */
export const homeOf = (number: string): string => (/^(39|97|98)/.test(number) ? 'SZ' : /^899/.test(number) ? 'BJ' : 'SH')

/** Series of other publishers, `801010.SI`. */
function industryIndex(text: string): Parts | null {
  const number = /^(\d{6})\.[a-z]+$/.exec(text)?.[1]
  return number === undefined ? null : { number, exchange: null }
}
