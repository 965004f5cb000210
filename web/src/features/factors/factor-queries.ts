import { calls } from '@convexa/contract/calls'
import type { MarketId } from '@convexa/contract/enums/market'
import type { CustomizedFactor } from '@convexa/contract/factor'
import { queryOptions } from '@tanstack/react-query'
import { call } from '../../api/client.ts'
import { factorsQuery, queries } from '../../api/queries.ts'
import type { FactorText } from '../../market/factor-examples.ts'
import { bodyOf } from './drafts.ts'

/** Functions of the formula language; they change with a release only. */
export const functionsQuery = queryOptions({
  queryKey: ['factor-functions'],
  queryFn: ({ signal }) => call(calls.reference.factorFunctions, undefined, { signal }),
  staleTime: Number.POSITIVE_INFINITY,
})

export const versionsQuery = (kind: MarketId, id: string) =>
  queryOptions({
    queryKey: ['factor-versions', kind, id],
    queryFn: ({ signal }) => call(calls[kind].factorVersions, { params: { id } }, { signal }),
    staleTime: 0,
  })

/** What is kept of a market's values and lists, by the first word of its key. */
const computed: ReadonlySet<unknown> = new Set([
  ...['screen', 'screen-preview', 'history-screen', 'rules-against', 'live'],
  ...['cross-section', 'factor-columns', 'security-factors'],
])

/** The factors are read again; what was computed while one of them was another must not be shown as if it were of now. */
async function reread(kind: MarketId): Promise<void> {
  queries.removeQueries({ type: 'inactive', predicate: ({ queryKey: [what, of] }) => of === kind && computed.has(what) })
  await queries.invalidateQueries({ queryKey: factorsQuery(kind).queryKey })
}

/** What a list says of a factor once it is saved so. */
const writtenIn = ({ name, formula, description, unit, decimals, prefer }: FactorText) => ({
  ...{ factor_name: name.trim(), formula, description, unit, decimals },
  prefer_default: prefer,
})

/** A new factor, or the next version of one. The list is read again before this is done. */
export async function saveFactor(kind: MarketId, id: string | null, text: FactorText): Promise<CustomizedFactor> {
  const body = bodyOf(text)
  const saved = await (id === null ? call(calls[kind].addFactor, { body }) : call(calls[kind].changeFactor, { params: { id }, body }))
  // Should the list not come now, the factor would stand there as it was before, and the next edit would begin from that.
  queries.setQueryData(factorsQuery(kind).queryKey, (all) =>
    all?.map((meta) => (meta.id === saved.id ? { ...meta, ...writtenIn(text), version: saved.version } : meta)),
  )
  await reread(kind)
  return saved
}

/** `force`: whatever uses it. */
export async function deleteFactor(kind: MarketId, id: string, force: boolean): Promise<void> {
  await call(calls[kind].removeFactor, { params: { id }, query: force ? { force: '1' } : {} })
  await reread(kind)
}
