import type { FactorMeta } from '@convexa/contract/factor'
import type { Kind } from '@convexa/contract/market'
import { useEffect, useMemo, useState } from 'react'
import { formulaRef } from '../quant/factors.ts'
import { formulaMistake } from '../quant/formula-check.ts'
import type { Checked, Checker, Mistake } from './check.ts'

/** What is known of the text: decided here at once, or asked of the server where a name is not known here. */
export type Verdict =
  | { kind: 'empty' | 'waiting' | 'asking' }
  | (Checked & { kind: 'right' })
  /** Only the server knew all the names. */
  | { kind: 'accepted' }
  | { kind: 'wrong'; mistake: Mistake }

const pause = 120
const askAfter = 500

/** The formula checked while it is typed; the checker's code comes by itself. */
export function useCheck(kind: Kind, text: string, metas: readonly FactorMeta[]): Verdict {
  const [makeChecker, setMakeChecker] = useState<((metas: readonly FactorMeta[]) => Checker) | null>(null)
  useEffect(() => {
    import('./check.ts').then(
      ({ checkerOf }) => setMakeChecker(() => checkerOf),
      () => {},
    )
  }, [])
  const check = useMemo(() => (makeChecker && metas.length > 0 ? makeChecker(metas) : null), [makeChecker, metas])
  const settled = useSettled(text, pause)
  const checked = useMemo(() => check?.(settled) ?? null, [check, settled])
  const unsure = checked?.kind === 'wrong' && !checked.sure ? settled : null
  const answer = useServersWord(kind, unsure)
  if (!checked) return { kind: text.trim() === '' ? 'empty' : 'waiting' }
  if (checked.kind !== 'wrong') return checked
  if (checked.sure || unsure === null) return { kind: 'wrong', mistake: checked.mistake }
  if (answer === undefined) return { kind: 'asking' }
  return answer === null ? { kind: 'accepted' } : { kind: 'wrong', mistake: { ...checked.mistake, message: answer } }
}

function useSettled(text: string, after: number): string {
  const [settled, setSettled] = useState(text)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), after)
    return () => clearTimeout(timer)
  }, [text, after])
  return settled
}

/** Undefined until it answers. */
function useServersWord(kind: Kind, text: string | null): string | null | undefined {
  const [answer, setAnswer] = useState<{ text: string; said: string | null } | null>(null)
  useEffect(() => {
    if (text === null) return
    let wanted = true
    const timer = setTimeout(
      () => void formulaMistake(kind, formulaRef(text)).then((said) => wanted && setAnswer({ text, said: said && placed(said) })),
      askAfter,
    )
    return () => {
      wanted = false
      clearTimeout(timer)
    }
  }, [kind, text])
  return answer && answer.text === text ? answer.said : undefined
}

/** The place comes first, as in what is decided here. */
const placed = (message: string): string => {
  const place = /（第(\d+)行第(\d+)列）/.exec(message)
  return place ? `第 ${place[1]} 行第 ${place[2]} 列：${message.replace(place[0], '')}` : message
}
