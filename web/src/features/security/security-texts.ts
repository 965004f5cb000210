import { byMarket, type MarketId } from '@convexa/contract/enums/market'
import type { SecurityOption } from '@convexa/contract/market'
import { useQuery } from '@tanstack/react-query'
import { securitiesQuery } from '../../api/queries.ts'
import { textColumns } from '../../market/text-columns.ts'
import { chinese } from '../../ui/table/sort.ts'

export interface SecurityTexts {
  /** The texts of a column in Chinese order; null of what is no column of texts. */
  words(ref: string): readonly string[] | null
  /** The place of a security's text among them, which sorts and is written as an enumeration's value is. */
  place(code: string, ref: string): number | null
}

const nobody = byMarket((): readonly SecurityOption[] => [])

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
