import { statedKeys } from '../expression/attributes.ts'
import type { Field } from '../market/market.ts'
import { datedKeys } from '../panel/dated.ts'
import type { Panel, Security } from '../panel/panel.ts'

/** Fields that are facts of the securities themselves, as far as these say them. */
export function factsOf(fields: readonly Field[], securities: readonly Security[]): string[] {
  return fields.flatMap(({ key, fact }) => (fact && securities.some((security) => fact(security, noDays) !== null) ? [key] : []))
}

const noDays = new Float64Array()

// Asked for at every request, while securities are those of the snapshot.
const known = new WeakMap<readonly Security[], readonly string[]>()

/** Keys that a panel can give by itself: its columns and report items, and the facts of its securities. */
export function availableIn(panel: Panel, fields: readonly Field[]): Set<string> {
  const facts = known.get(panel.securities) ?? [...factsOf(fields, panel.securities), ...statedKeys(panel.securities)]
  known.set(panel.securities, facts)
  return new Set([...panel.columns.keys(), ...(panel.reports?.items.keys() ?? []), ...datedKeys(panel.securities), ...facts])
}
