import { calls } from '@convexa/contract/calls'
import type { MarketId } from '@convexa/contract/enums/market'
import { namesVersion } from '@convexa/contract/names-version'
import type { StrategyDetail, StrategyListItem } from '@convexa/contract/saved-strategy'
import { call } from '../../api/client.ts'
import { sentenceOf } from '../../api/messages.ts'
import { enqueueMutation, isChanging } from '../../api/mutation-queue.ts'
import { queries, strategyDetailQuery, strategyListQuery } from '../../api/queries.ts'
import { useStrategies } from '../../state/drafts.ts'
import { confirm } from '../../ui/confirm.tsx'
import { toast } from '../../ui/toast.tsx'
import { forgetStrategies } from '../rule/strategy-queries.ts'

// Changes of what is said about a strategy are shown at once and taken back when the server refuses.

type Words = Partial<Pick<StrategyListItem, 'strategy_name' | 'remark' | 'tags'>>
type Named = Pick<StrategyListItem, 'id' | 'strategy_name'>

/** Writes words into all that is shown of a strategy; the workbench calls its draft by the same name. */
function show(kind: MarketId, id: string, words: Words): void {
  queries.setQueryData(
    strategyListQuery(kind).queryKey,
    (list) => list && { ...list, list_items: list.list_items.map((one) => (one.id === id ? { ...one, ...words } : one)) },
  )
  queries.setQueryData(strategyDetailQuery(kind, id).queryKey, (detail) => detail && { ...detail, ...words })
  const { strategy_name: name } = words
  if (name !== undefined) useStrategies.getState().restate(kind, (draft) => (draft.saved?.id === id ? { ...draft, name } : draft))
}

async function changed(kind: MarketId, id: string, before: Words, after: Words, send: () => Promise<unknown>): Promise<void> {
  const what = [id, ...Object.keys(after)].join(' ')
  show(kind, id, after)
  try {
    await enqueueMutation(what, send)
  } catch (error) {
    if (!isChanging(what)) show(kind, id, before)
    throw error
  } finally {
    // What is asked for while another change is on its way would be of before that.
    if (!isChanging(what)) forgetStrategies(kind)
  }
}

/** @throws CallError, once the old name is back */
export const renameStrategy = (kind: MarketId, { id, strategy_name: before }: Named, strategy_name: string): Promise<void> =>
  changed(kind, id, { strategy_name: before }, { strategy_name }, () =>
    call(calls[kind].renameStrategy, { params: { id }, body: { strategy_name } }),
  )

/** The remark or the tags: only what was changed is sent, the other may be newer on the server. @throws CallError, once the old ones are back */
export const describeStrategy = (
  kind: MarketId,
  { id, remark, tags }: Pick<StrategyListItem, 'id' | 'remark' | 'tags'>,
  words: { remark: string } | { tags: string[] },
): Promise<void> =>
  changed(kind, id, 'remark' in words ? { remark } : { tags }, words, () =>
    call(calls[kind].remarkStrategy, { params: { id }, body: words }),
  )

/** A name that is free: 双低 副本, 双低 副本 2. */
export function copyName(name: string, taken: readonly string[]): string {
  const used = new Set(taken.map((one) => one.toLowerCase()))
  const base = [...name].slice(0, 44).join('')
  for (let i = 1; ; i++) {
    const free = i === 1 ? `${base} 副本` : `${base} 副本 ${i}`
    if (!used.has(free.toLowerCase())) return free
  }
}

/** Saves a strategy once more under a free name; gives its id. @throws CallError */
export async function copyStrategy(kind: MarketId, id: string): Promise<{ id: string; name: string }> {
  const [list, original] = await Promise.all([
    queries.fetchQuery(strategyListQuery(kind)),
    queries.fetchQuery(strategyDetailQuery(kind, id)),
  ])
  const name = copyName(
    original.strategy_name,
    list.list_items.map((one) => one.strategy_name),
  )
  const { remark, tags, detail, settings } = original
  const made = await call(calls[kind].addStrategy, {
    body: { strategy_name: name, remark, tags, detail, ...(settings && { settings }) },
  })
  forgetStrategies(kind)
  return { id: made.id, name }
}

/** Deletes after a confirmation; true when deleted. A member of a group is kept, and a message gives the reason. */
export async function removeStrategy(
  kind: MarketId,
  { id, strategy_name: name, backtest_count: runs }: Named & Pick<StrategyListItem, 'backtest_count'>,
) {
  const meant = await confirm({
    title: `删除策略「${name}」？`,
    text: runs > 0 ? `删除后不可恢复。它的 ${runs} 次回测记录会保留，但不再关联策略。` : '删除后不可恢复。',
    action: '删除',
  })
  if (!meant) return false
  try {
    await call(calls[kind].removeStrategy, { params: { id } })
    drop(kind, [id])
    toast.done(`已删除「${name}」`)
    return true
  } catch (error) {
    toast.error(`删除失败：${sentenceOf(error)}`)
    return false
  }
}

/** Deletes several after one question, one after the other; what could not be deleted is named with its reason. */
export async function removeStrategies(kind: MarketId, all: readonly Named[]): Promise<string[]> {
  const names = all.map(({ strategy_name: name }) => `「${name}」`)
  const meant = await confirm({
    title: `删除 ${all.length} 个策略？`,
    text: `${names.slice(0, 5).join('')}${names.length > 5 ? ` 等 ${names.length} 个` : ''}。删除后不可恢复，回测记录会保留。`,
    action: '删除',
  })
  if (!meant) return []
  const gone: string[] = []
  const kept: string[] = []
  for (const { id, strategy_name: name } of all)
    try {
      await call(calls[kind].removeStrategy, { params: { id } })
      gone.push(id)
    } catch (error) {
      kept.push(`「${name}」${sentenceOf(error)}`)
    }
  drop(kind, gone)
  if (gone.length > 0) toast.done(`已删除 ${gone.length} 个策略`)
  if (kept.length > 0) toast.error(`${kept.length} 个没有删除：${kept.join('；')}`)
  return gone
}

function drop(kind: MarketId, ids: readonly string[]): void {
  queries.setQueryData(strategyListQuery(kind).queryKey, (list) => {
    if (!list) return list
    const list_items = list.list_items.filter(({ id }) => !ids.includes(id))
    return { list_items, total: list_items.length }
  })
  forgetStrategies(kind)
}

/** What leaves the product of a strategy: what it takes to make it again. */
export const exported = ({ strategy_name, remark, tags, detail, settings }: StrategyDetail, kind: MarketId) => ({
  kind,
  strategy_name,
  remark,
  tags,
  names: namesVersion,
  detail,
  ...(settings && { settings }),
})
