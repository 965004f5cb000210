import type { FactorMeta } from '@convexa/contract/factor'
import { useEffect, useMemo, useState } from 'react'
import { useDebouncedValue } from '../../ui/use-debounced-value.ts'
import type { Checked, Checker } from './check.ts'

/** Result of checking the text; `waiting` while the checker or the names are loading. */
export type CheckResult = Checked | { kind: 'waiting' }

const pause = 120

/** The formula checked while it is typed; the checker's code comes by itself. */
export function useCheck(text: string, metas: readonly FactorMeta[]): CheckResult {
  const [makeChecker, setMakeChecker] = useState<((metas: readonly FactorMeta[]) => Checker) | null>(null)
  useEffect(() => {
    import('./check.ts').then(
      ({ checkerOf }) => setMakeChecker(() => checkerOf),
      () => {},
    )
  }, [])
  const check = useMemo(() => (makeChecker && metas.length > 0 ? makeChecker(metas) : null), [makeChecker, metas])
  const settled = useDebouncedValue(text, pause)
  return useMemo(() => check?.(settled) ?? (text.trim() === '' ? { kind: 'empty' } : { kind: 'waiting' }), [check, settled, text])
}
