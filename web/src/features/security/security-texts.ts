import type { MarketId } from '@convexa/contract/enums/market'
import type { SecurityOption } from '@convexa/contract/market'
import { useQuery } from '@tanstack/react-query'
import { securitiesQuery } from '../../api/queries.ts'
import { chinese } from '../../ui/table/sort.ts'

/** A column of what a security is called or belongs to, beside those of factors. */
export interface TextColumn {
  readonly key: string
  readonly label: string
  readonly title: string
  readonly width: number
  /** Shown without being asked for. */
  readonly usual?: boolean
  readonly of: (security: SecurityOption) => string | undefined
}

const industry: TextColumn = {
  ...{ key: 'industry', label: '行业', width: 88 },
  title: '一级行业，按数据最新一天',
  of: (security) => security.industry,
}

export const textColumns: Record<MarketId, readonly TextColumn[]> = {
  cb: [
    { key: 'stock_name', label: '正股', title: '正股名称', width: 88, of: (security) => security.stock_name },
    { key: 'stock_code', label: '正股代码', title: '正股代码', width: 96, of: (security) => security.stock_code },
    { ...industry, label: '正股行业', title: `正股的${industry.title}` },
  ],
  stk: [{ ...industry, usual: true }],
}

export interface SecurityTexts {
  /** The texts of a column in Chinese order; null of what is no column of texts. */
  words(ref: string): readonly string[] | null
  /** The place of a security's text among them, which sorts and is written as an enumeration's value is. */
  place(code: string, ref: string): number | null
}

const nobody: Record<MarketId, readonly SecurityOption[]> = { cb: [], stk: [] }

/** Made once for the same list of securities. */
const made = new WeakMap<readonly SecurityOption[], SecurityTexts>()

export function textsOf(kind: MarketId, securities: readonly SecurityOption[]): SecurityTexts {
  const found = made.get(securities)
  if (found) return found
  const byKey = new Map(
    textColumns[kind].map(({ key, of }) => {
      const words = [...new Set(securities.flatMap((security) => of(security) ?? []))].sort(chinese.compare)
      const placeOf = new Map(words.map((word, place) => [word, place]))
      const places = new Map(securities.map((security) => [security.code, placeOf.get(of(security) ?? '') ?? null]))
      return [key, { words, places }]
    }),
  )
  const texts: SecurityTexts = {
    words: (ref) => byKey.get(ref)?.words ?? null,
    place: (code, ref) => byKey.get(ref)?.places.get(code) ?? null,
  }
  made.set(securities, texts)
  return texts
}

/** The list of securities is asked for once one of the columns is shown. */
export function useSecurityTexts(kind: MarketId, refs: readonly string[]): SecurityTexts {
  const { data = nobody[kind] } = useQuery({
    ...securitiesQuery(kind),
    enabled: refs.some((ref) => textColumns[kind].some(({ key }) => key === ref)),
  })
  return textsOf(kind, data)
}
