/** Flags as files write them. */
import { isEmpty, plainText } from './text.ts'

/** What a flag says: whether a security is listed or trades that day, or whether it is under special treatment. */
export type FlagKind = 'state' | 'st' | 'flag'

const yes = ['1', '1.0', 'true', 't', 'y', 'yes', '是'] as const
const no = ['0', '0.0', 'false', 'f', 'n', 'no', '否'] as const

const words = (given: Readonly<Record<'1' | '0', readonly string[]>>): ReadonlyMap<string, 0 | 1> =>
  new Map([...given[1].map((word) => [word, 1] as const), ...given[0].map((word) => [word, 0] as const)])

/** In lower case. The same word says "trades" of a day and "no ST" of a company. */
const tables: Readonly<Record<FlagKind, ReadonlyMap<string, 0 | 1>>> = {
  state: words({ 1: [...yes, '交易', '正常', '上市', 'l'], 0: [...no, '停牌', '暂停', '退市', 'd', 'p'] }),
  st: words({ 1: [...yes, 'st', '*st', 's*st', 'sst'], 0: [...no, '正常'] }),
  flag: words({ 1: yes, 0: no }),
}

/** 1 or 0; NaN = nothing there, null = a word that is neither. */
export function readFlag(cell: string | number | null, kind: FlagKind): number | null {
  if (cell === null || cell !== cell) return Number.NaN
  const word = plainText(String(cell)).toLowerCase()
  return tables[kind].get(word) ?? (isEmpty(word) ? Number.NaN : null)
}
