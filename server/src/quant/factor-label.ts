import type { MarketId } from '@convexa/contract'
import { markets } from '@convexa/engine'

const longest = 40

/** What a factor that a request names is called: `双低`, `20日乖离率` (`bias_20`), an own factor's name, the beginning of a formula. */
export function factorLabel(kind: MarketId, own: readonly { readonly key: string; readonly label: string }[], ref: string): string {
  const { fields, factors } = markets[kind]
  const known = [...fields, ...factors, ...own].find(({ key }) => key === ref)
  if (known) return known.label
  const window = /_(\d+)(?=_|$)/.exec(ref)
  const family = window && factors.find(({ key }) => key === ref.replace(window[0], '_N'))
  if (family) return family.label.replace('N', window[1]!)
  const formula = ref.replace(/^formula:\s*/, '')
  return formula.length > longest ? `${formula.slice(0, longest)}…` : formula
}
