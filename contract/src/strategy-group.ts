import { z } from 'zod'
import { callTable } from './call-table.ts'
import { endpoint } from './endpoint.ts'
import { type MarketId, markets } from './enums/market.ts'
import { DataNote, Id, lines, Named, num } from './scalars.ts'
import { Parameters } from './strategy.ts'

/** Back to the shares on the first trading day of a month, or never. */
const GroupRebalance = z.enum(['monthly', 'never'])
/** A security that several members list: one place with their weights together, or a place for each. */
const GroupDuplicate = z.enum(['merge', 'separate'])

const mostMembers = 20

/** Several strategies of one market, each with a share of the capital; the shares sum to 1. */
export const GroupBody = z.strictObject({
  group_name: Named,
  remark: lines(200).optional(),
  members: z
    .array(z.strictObject({ strategy_id: Id, weight: z.number().gt(0).max(1) }))
    .min(2)
    .max(mostMembers),
  rebalance: GroupRebalance,
  duplicate: GroupDuplicate,
})
export type GroupBody = z.output<typeof GroupBody>

const member = z.object({ strategy_id: z.string(), strategy_name: z.string(), weight: z.number() })

/** What the glances of the members say together; null where one of them has none. */
const GroupGlance = z.object({
  as_of: z.string(),
  /** Securities of the combined list. */
  securities: z.int(),
  /** Mean of the correlations between members. */
  correlation: num,
  ret_1y: num,
  max_drawdown_1y: num,
})

export const GroupListItem = z.object({
  id: z.string(),
  group_name: z.string(),
  remark: z.string(),
  members: z.array(member),
  rebalance: GroupRebalance,
  duplicate: GroupDuplicate,
  glance: GroupGlance.nullable(),
  created_at: z.string(),
  updated_at: z.string(),
})
export type GroupListItem = z.output<typeof GroupListItem>

export const GroupDetail = GroupListItem.omit({ members: true }).extend({
  members: z.array(
    member.extend({
      detail: Parameters,
      as_of: z.string().nullable(),
      ret_1y: num,
      max_drawdown_1y: num,
      /** Of its daily returns of the last year with those of the group. */
      correlation: num,
    }),
  ),
  /** What the members list together, the heaviest first; `from` names members by their ids. Members without a glance are not in it. */
  combined_list: z.array(z.object({ code: z.string(), name: z.string(), weight: z.number(), from: z.array(z.string()) })),
  data_note: DataNote,
  /** Of the members' daily returns of the last year, in their order. */
  correlation: z.array(z.array(num)),
})
export type GroupDetail = z.output<typeof GroupDetail>

const own = z.object({ id: Id })
const saved = z.object({ id: z.string() })

/** The calls on strategy groups of a market. */
export function groupCalls(id: MarketId) {
  const calls = callTable[id]
  const { label } = markets[id]
  return {
    groupList: endpoint(calls.groupList, {
      summary: `${label}策略组列表`,
      data: z.object({ list_items: z.array(GroupListItem), total: z.int() }),
    }),
    groupDetail: endpoint(calls.groupDetail, { summary: `${label}策略组`, params: own, data: GroupDetail }),
    addGroup: endpoint(calls.addGroup, { summary: `新建${label}策略组`, body: GroupBody, data: saved }),
    changeGroup: endpoint(calls.changeGroup, {
      summary: `修改${label}策略组`,
      params: own,
      body: GroupBody,
      data: saved,
    }),
    removeGroup: endpoint(calls.removeGroup, { summary: `删除${label}策略组`, params: own, data: z.object({}) }),
  }
}
