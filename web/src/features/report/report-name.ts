import { isFraction } from '@convexa/contract/enums/hold-range'
import { markets } from '@convexa/contract/enums/market'
import type { Report } from '@convexa/contract/report'
import { shareWords } from '../rule/rule-text.ts'

/** What a report is called: a run that was never saved has only its market's name, which says nothing of its rule. */
export function reportName({ name, kind, parameters, robustness }: Pick<Report, 'name' | 'kind' | 'parameters' | 'robustness'>): string {
  if (name !== markets[kind].title || !parameters || !robustness.family) return name
  const { hold_method: hold } = parameters
  const places = isFraction(hold) ? `前 ${shareWords(hold)}` : `${hold.hold_range_end - hold.hold_range_start + 1} 只`
  return `${robustness.family.replaceAll('、', ' + ')} · ${places}`
}
