import type { Report } from '@convexa/contract/report'
import { shownMarkets } from '../../market/market-context.tsx'
import { shareWords } from './rule-words.ts'

/** What a report is called: a run that was never saved has only its market's name, which says nothing of its rule. */
export function reportName({ name, kind, parameters, robustness }: Pick<Report, 'name' | 'kind' | 'parameters' | 'robustness'>): string {
  if (name !== shownMarkets[kind].title || !parameters || !robustness.family) return name
  const { hold_range_type: type, hold_range_start: from, hold_range_end: to } = parameters.hold_method
  const places = type === 1 ? `${to - from + 1} 只` : `前 ${shareWords(parameters.hold_method)}`
  return `${robustness.family.replaceAll('、', ' + ')} · ${places}`
}
