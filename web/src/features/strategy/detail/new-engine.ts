import type { MarketId } from '@convexa/contract/enums/market'
import type { Tracking } from '@convexa/contract/saved-strategy'
import { ruleViews } from '../../../market/rule-views.ts'
import { same } from './followed.ts'

const rulesChanged = '站点的交易规则设置改过'
/** Ending of a notice that stands beside a rule; left out here, where the sentence around it says the same. */
const alone = /[；，](?:这里写于改动之前，)?结果可能与当时不同$/

/**
 * First day recorded by the newest engine, and why a run made now differs before it; null where all days are of one engine.
 * `kept`: notices on changed meanings in the rule (`kept_meanings`).
 */
export function newEngineText(
  kind: MarketId,
  { dates, nav, now, engines }: Pick<Tracking, 'dates' | 'nav' | 'now' | 'engines'>,
  kept: readonly string[],
): string | null {
  const [before, last] = engines.slice(-2)
  if (!last?.version) return null
  const { from, version } = last
  const sentence = `自 ${from} 起由引擎 ${version} 记录，此前各日由更早的引擎写下，保持原样。`
  const isParted = dates.some((date, i) => date < from && Math.abs((now[i] ?? Number.NaN) - (nav[i] ?? 0)) > same)
  if (!isParted) return sentence
  const isSameEngine = before?.version?.split('+')[0] === version.split('+')[0]
  const why = isSameEngine ? [rulesChanged] : [ruleViews[kind].mendedIn05, ...kept.map((sentence) => sentence.replace(alone, ''))]
  return `${sentence}现在重跑与此前不同，因为：${why.join('；')}。`
}
