/**
 * What looks like a convertible bond and is none of this market: bonds that no retail investor buys in the auction, and bonds that are exchanged for
 * shares of another company (domain.md 2.1). One table for imports and feeds; all other numbers of the exchanges' prefixes are ordinary bonds.
 */
export const otherBonds = {
  directed: '定向可转债',
  private: '私募可转债',
  exchangeable: '可交换债',
  delisted: '退市板块的转债',
} as const
export type OtherBond = keyof typeof otherBonds

interface Series {
  readonly prefix: string
  readonly exchange: 'SH' | 'SZ' | 'BJ'
  readonly kind: OtherBond
  /** Numbers of it that were ordinary bonds. */
  readonly ordinary?: readonly string[]
}

const series: readonly Series[] = [
  // 创业转债 was public, from 2004 to 2007.
  { prefix: '1108', exchange: 'SH', kind: 'directed', ordinary: ['110874'] },
  { prefix: '1185', exchange: 'SH', kind: 'directed' },
  { prefix: '124', exchange: 'SZ', kind: 'directed' },
  { prefix: '810', exchange: 'BJ', kind: 'directed' },
  { prefix: '145', exchange: 'SH', kind: 'private' },
  { prefix: '117', exchange: 'SZ', kind: 'private' },
  { prefix: '121', exchange: 'SZ', kind: 'private' },
  { prefix: '132', exchange: 'SH', kind: 'exchangeable' },
  { prefix: '137', exchange: 'SH', kind: 'exchangeable' },
  { prefix: '120', exchange: 'SZ', kind: 'exchangeable' },
  { prefix: '404', exchange: 'BJ', kind: 'delisted' },
]

const seriesOf = (number: string): Series | undefined =>
  series.find(({ prefix, ordinary = [] }) => number.startsWith(prefix) && !ordinary.includes(number))

/** Why a code is no bond of the market; null: it may be one. */
export function otherBondOf(code: string): OtherBond | null {
  const [number = '', exchange] = code.split('.')
  const found = seriesOf(number)
  // Codes after a delisting are written with whatever exchange the source thinks of.
  return found && (found.exchange === exchange || found.kind === 'delisted') ? found.kind : null
}

/** The exchange of such a bond by its number alone; null: it is none. */
export const exchangeOfOther = (number: string): 'SH' | 'SZ' | 'BJ' | null => seriesOf(number)?.exchange ?? null
