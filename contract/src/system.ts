import { z } from 'zod'
import { callTable } from './call-table.ts'
import { endpoint } from './endpoint.ts'
import { byMarket } from './enums/market.ts'
import { DataMode } from './market.ts'

/** What the public pages need to know of this installation. Texts are settings. */
export const Website = z.object({
  name: z.string(),
  copyright: z.string(),
  icp: z.string(),
  beian: z.string(),
  /** How users reach the operator; empty where none is set. */
  contact: z.string(),
  maintenance: z.object({ on: z.boolean(), until: z.string().nullable() }).nullable(),
  data_mode: z.object(byMarket(() => DataMode.nullable())),
  data_version: z.object(byMarket(() => z.string().nullable())),
  /** Where a browser goes to scan: `redirect_uri`, `state` and then `#wechat_redirect` are added to the address. null: not offered. */
  wechat_web: z.object({ app_id: z.string(), authorize_url: z.string() }).nullable(),
  /** Where WeChat's own browser learns who pays: `redirect_uri`, `state` and then `#wechat_redirect` are added. null: not needed or not offered. */
  wechat_jsapi: z.object({ app_id: z.string(), authorize_url: z.string() }).nullable(),
  features: z.object({
    demo_login: z.object({ account: z.string(), password: z.string() }).nullable(),
    wechat_login: z.boolean(),
    wechat_pay: z.boolean(),
    sms: z.boolean(),
    email: z.boolean(),
    ios_virtual_pay: z.boolean(),
    /** A source of quotes is on: imported data go on with the day that is not over. */
    live_quotes: z.boolean(),
    share: z.boolean(),
  }),
})
export type Website = z.output<typeof Website>

const calls = callTable.system

export const system = {
  website: endpoint(calls.website, { summary: '站点信息', data: Website }),
  healthz: endpoint(calls.healthz, { summary: '进程存活', data: z.object({ ok: z.literal(true) }) }),
  readyz: endpoint(calls.readyz, {
    summary: '可以服务',
    data: z.object({
      ready: z.literal(true),
      workers: z.int(),
      markets: z.object(byMarket(() => z.string().nullable())),
    }),
  }),
}
