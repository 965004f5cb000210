import { calls } from '@convexa/contract/calls'
import type { MarketId } from '@convexa/contract/enums/market'
import type { GroupBody } from '@convexa/contract/strategy-group'
import { call } from '../../../api/client.ts'
import { sentenceOf } from '../../../api/messages.ts'
import { queries } from '../../../api/queries.ts'
import { confirm } from '../../../ui/confirm.tsx'
import { toast } from '../../../ui/toast.tsx'
import { forgetStrategies } from '../../rule/strategy-queries.ts'

/** Saves a new group, or the same one again; gives its id. @throws CallError */
export async function saveGroup(kind: MarketId, id: string | null, body: GroupBody): Promise<string> {
  const saved = id === null ? await call(calls[kind].addGroup, { body }) : await call(calls[kind].changeGroup, { params: { id }, body })
  forgetStrategies(kind)
  return saved.id
}

/** Asks and deletes; true when it is gone. Its members stay. */
export async function removeGroup(kind: MarketId, { id, group_name: name }: { id: string; group_name: string }): Promise<boolean> {
  const meant = await confirm({ title: `删除策略组「${name}」？`, text: '删除后不可恢复。成员策略和回测记录都会保留。', action: '删除' })
  if (!meant) return false
  try {
    await call(calls[kind].removeGroup, { params: { id } })
    queries.removeQueries({ queryKey: ['group', kind, id] })
    void queries.invalidateQueries({ queryKey: ['groups', kind] })
    toast.done(`已删除策略组「${name}」`)
    return true
  } catch (error) {
    toast.error(`删除失败：${sentenceOf(error)}`)
    return false
  }
}
