import { CallError } from '../../../api/messages.ts'
import type { Bar } from './tornado.ts'
import type { Rule, Variant } from './variants.ts'

export interface Progress {
  done: number
  of: number
  bars: readonly Bar[]
  /** Annual return of the rule as it is. */
  base: number
  seconds: number
}

/**
 * Quick runs of a rule and of its small changes, one after the other: the server lets a newer run take the place of an older one.
 * A change beyond what a rule may say (a period of 300 days) is left out; the others go on.
 * @throws what `annualOf` throws of the rule itself, and of a change for any reason but that it may not be
 */
export async function runChanges(
  rule: Rule,
  variants: readonly Variant[],
  annualOf: (rule: Rule) => Promise<number | null>,
  tell: (progress: Progress) => void,
): Promise<void> {
  const from = performance.now()
  const of = variants.reduce((sum, { cases }) => sum + cases.length, 1)
  const base = await annualOf(rule)
  if (base === null) return
  const bars: Bar[] = []
  let done = 1
  const now = () => tell({ done, of, bars: [...bars], base, seconds: (performance.now() - from) / 1000 })
  now()
  for (const { key, name, cases } of variants) {
    const found: { label: string; value: number }[] = []
    for (const { label, parameters, settings } of cases) {
      const value = await annualOf({ parameters, settings }).catch(nullIfRefused)
      done++
      if (value !== null) found.push({ label, value })
      now()
    }
    if (found.length === 0) continue
    const values = found.map(({ value }) => value)
    bars.push({
      key,
      name,
      terms: found.length > 2 ? `${found.length} 次` : found.map(({ label }) => label).join(' / '),
      low: Math.min(...values),
      high: Math.max(...values),
    })
    now()
  }
}

function nullIfRefused(failure: unknown): null {
  if (failure instanceof CallError && failure.status === 400) return null
  throw failure
}
