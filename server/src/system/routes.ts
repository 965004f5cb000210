import { type DataMode, type MarketId, system, type Website } from '@convexa/contract'
import { byMarket, marketIds } from '@convexa/contract/enums/market'
import type { FastifyInstance } from 'fastify'
import type { Kysely } from 'kysely'
import { shanghaiTime } from '../base/time.ts'
import type { AppContext } from '../context/app-context.ts'
import type { Database } from '../db/tables.ts'
import { offersQuotes } from '../feeds/chain.ts'
import { notReady } from '../http/not-ready.ts'
import { serve } from '../http/serve-endpoint.ts'
import { payerAddress } from '../payment/payer.ts'
import { demoAccount } from '../user/guests.ts'
import { scanAddress } from '../user/wechat-api.ts'
import { readMaintenance } from './maintenance.ts'
import { readinessOf } from './readiness.ts'

/** What the public pages ask, and what a supervisor or a load balancer asks. */
export function routes(app: FastifyInstance, context: AppContext): void {
  serve(app, context, system.website, async () => website(context))
  serve(app, context, system.healthz, async () => ({ ok: true as const }))

  const readiness = readinessOf(context)
  serve(app, context, system.readyz, async () => {
    const { reasons, text, workers, markets } = await readiness()
    if (reasons.length > 0) throw notReady(reasons, text)
    return { ready: true as const, workers, markets }
  })
}

async function website({ config, db }: AppContext): Promise<Website> {
  const [loaded, maintenance] = await Promise.all([newestOfEach(db), readMaintenance(db)])
  return {
    name: config.siteName,
    copyright: config.copyright,
    icp: config.icp,
    beian: config.beian,
    contact: config.contact,
    maintenance: maintenance.on ? { on: true, until: maintenance.until && shanghaiTime(maintenance.until) } : null,
    data_mode: byMarket((kind) => loaded[kind]?.data_mode ?? null),
    data_version: byMarket((kind) => loaded[kind]?.data_version ?? null),
    wechat_web: config.wechat && { app_id: config.wechat.appId, authorize_url: scanAddress(config.wechat) },
    wechat_jsapi: payerAddress(config),
    features: {
      demo_login: config.demoLogin ? demoAccount : null,
      wechat_login: config.wechat !== null,
      wechat_pay: config.wechatPay !== null,
      sms: config.sms !== null,
      email: config.smtpUrl !== null,
      ios_virtual_pay: config.iosVirtualPay,
      live_quotes: offersQuotes(config.feeds),
      share: true,
    },
  }
}

type Newest = Partial<Record<MarketId, { data_mode: DataMode; data_version: string }>>

async function newestOfEach(db: Kysely<Database>): Promise<Newest> {
  const rows = await db
    .selectFrom('market_snapshot')
    .distinctOn('kind')
    .where('kind', 'in', [...marketIds])
    .where('damaged_at', 'is', null)
    .select(['kind', 'data_mode', 'data_version'])
    .orderBy('kind')
    .orderBy('published_at', 'desc')
    .execute()
  return Object.fromEntries(rows.map(({ kind, ...rest }) => [kind, rest]))
}
