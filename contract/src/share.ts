import { z } from 'zod'
import { callTable } from './call-table.ts'
import { endpoint } from './endpoint.ts'
import { Report } from './report.ts'
import { Id, MarketId } from './scalars.ts'

/** What somebody else may read of a report: nothing of the account, no note. */
export const SharedReport = Report.omit({ backtest_id: true, strategy_id: true, group_id: true, note: true, favourite: true }).extend({
  shared: z.object({
    created_at: z.string(),
    expire_at: z.string(),
    /** Of now: computed again on other data or by another engine, the numbers may be others. */
    data_version: z.string().nullable(),
    engine_version: z.string(),
  }),
})
export type SharedReport = z.output<typeof SharedReport>

export const ShareListItem = z.object({
  id: z.string(),
  backtest_id: z.string(),
  kind: MarketId,
  name: z.string(),
  status: z.enum(['active', 'expired', 'revoked']),
  /** How often it was opened. */
  views: z.int(),
  created_at: z.string(),
  expire_at: z.string(),
})
export type ShareListItem = z.output<typeof ShareListItem>

/** Token from the creation of a share, or the id of its row in the list. */
const Token = z.object({ token: z.string().regex(/^[\w-]{20,64}$/) })

const calls = callTable.quant

/** Public links to reports. The token is returned once, at creation, because the server keeps only its hash. */
export const shareCalls = {
  addShare: endpoint(calls.addShare, {
    summary: '分享回测报告',
    body: z.strictObject({ backtest_id: Id, ttl_days: z.int().min(1).max(365) }),
    data: z.object({ id: z.string(), token: z.string(), url: z.string(), expire_at: z.string() }),
  }),
  shareList: endpoint(calls.shareList, {
    summary: '分享列表',
    data: z.object({ list_items: z.array(ShareListItem), total: z.int() }),
  }),
  removeShare: endpoint(calls.removeShare, { summary: '撤回分享', params: Token, data: z.object({}) }),
  sharedReport: endpoint(calls.sharedReport, {
    summary: '被分享的回测报告',
    params: Token,
    data: SharedReport,
  }),
}
