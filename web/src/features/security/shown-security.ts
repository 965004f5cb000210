import type { ScreenResult, ScreenRow } from '@convexa/contract/screen'
import { useEffect } from 'react'
import { useSearchParams } from 'react-router'
import { toast } from '../../ui/toast.tsx'

/** The security that the address names, `?code=113050.SH`: a link or the search opens it, and it can be shared. */
export function useShownSecurity(result: ScreenResult | null, settled: boolean) {
  const [query, setQuery] = useSearchParams()
  const code = query.get('code')
  const row = code !== null && result ? rowOf(result, code) : null
  const set = (next: string | null) =>
    setQuery(
      (before) => {
        if (next === null) before.delete('code')
        else before.set('code', next)
        return before
      },
      { replace: true },
    )
  const unknown = code !== null && result !== null && settled && row === null
  // biome-ignore lint/correctness/useExhaustiveDependencies: once per code that is not there
  useEffect(() => {
    if (!unknown) return
    toast.info(`${code} 当日没有行情，无法打开`)
    set(null)
  }, [unknown, code])
  return { row, show: (chosen: ScreenRow) => set(chosen.code), showCode: set, close: () => set(null) }
}

/** Its line in the ranking; of an excluded one what is known: the rule that removed it. */
function rowOf({ list_items: list, excluded }: ScreenResult, code: string): ScreenRow | null {
  const ranked = list.find((row) => row.code === code)
  if (ranked) return ranked
  const out = excluded?.find((row) => row.code === code)
  if (!out) return null
  return { code, name: out.name, rank: null, score: null, selected: false, values: {}, reason_text: `不在打分池：${out.rule}` }
}
