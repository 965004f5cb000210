import { type ReactNode, useEffect, useState } from 'react'
import { whenIdle } from '../../base/when-idle.ts'
import { Card } from '../../ui/card.tsx'
import { ErrorBlock } from '../../ui/states.tsx'
import { type DeepCards, deepCards, loadDeep } from './deep.ts'
import { LazyPart } from './lazy-part.tsx'

/** A part of the report's lower half: drawn when it comes near and its code is there. */
export function DeepPart({ id, height, children }: { id?: string; height: number; children: (cards: DeepCards) => ReactNode }) {
  return (
    <LazyPart {...(id ? { id } : {})} height={height}>
      {() => <WithCode height={height}>{children}</WithCode>}
    </LazyPart>
  )
}

/** Fetches the code of the lower half as soon as nothing more urgent is to be done; a part that comes near asks again and says so. */
export const loadDeepSoon = (): void => whenIdle(() => void loadDeep().catch(() => {}))

function WithCode({ height, children }: { height: number; children: (cards: DeepCards) => ReactNode }) {
  const [cards, setCards] = useState(deepCards)
  const [error, setError] = useState<unknown>(null)
  const [round, setRound] = useState(0)
  // biome-ignore lint/correctness/useExhaustiveDependencies: another round asks again
  useEffect(() => {
    if (cards) return
    let left = false
    setError(null)
    loadDeep().then(
      (found) => left || setCards(found),
      (failure: unknown) => left || setError(failure),
    )
    return () => {
      left = true
    }
  }, [cards, round])
  if (cards) return children(cards)
  return (
    <Card plain busy={!error} style={{ minHeight: height }}>
      {error ? <ErrorBlock error={error} still="报告的其余部分不受影响。" onRetry={() => setRound(round + 1)} /> : null}
    </Card>
  )
}
