import { errorCodes } from '@convexa/contract/enums/error-code'
import type { Kysely } from 'kysely'
import { ApiError } from '../base/api-error.ts'
import { sealFor, unsealFor } from '../base/secret.ts'
import type { Config } from '../config/config.ts'
import type { Database } from '../db/tables.ts'
import { secretUses } from '../user/sealed-columns.ts'
import { openidOf } from '../user/wechat-api.ts'

const use = secretUses.wechatPayer

/** The page brings no code of WeChat that says who pays. */
const authorizeFirst = '微信还没有确认付款人，请重新打开本页面后再支付'
const notOffered = '本站未开通微信内支付，请在电脑上打开本页面扫码支付'

interface PayerDeps {
  readonly db: Kysely<Database>
  readonly config: Config
  log(event: string, details: Record<string, unknown>): void
}

/** Where WeChat's own browser goes to learn who pays; it adds `redirect_uri`, `state` and `#wechat_redirect`. null: this site cannot learn it. */
export function payerAddress({ wechatPay, wechat }: Config): { app_id: string; authorize_url: string } | null {
  if (!wechatPay?.appSecret) return null
  const openUrl = wechat?.openUrl ?? 'https://open.weixin.qq.com'
  const query = new URLSearchParams({ appid: wechatPay.appId, response_type: 'code', scope: 'snsapi_base' })
  return { app_id: wechatPay.appId, authorize_url: `${openUrl}/connect/oauth2/authorize?${query}` }
}

/**
 * The openid of the caller at the paying application: by the code that the page brought, which is kept, or the one kept before.
 * @throws ApiError 31010 unknown, 11020 the code is used up, 11024 WeChat does not answer
 */
export async function payerOf({ db, config, log }: PayerDeps, userId: string, code: string | undefined): Promise<string> {
  const { wechatPay, wechat } = config
  if (code !== undefined && wechatPay?.appSecret) {
    const apiUrl = wechat?.apiUrl ?? 'https://api.weixin.qq.com'
    const openid = await openidOf({ appId: wechatPay.appId, appSecret: wechatPay.appSecret, apiUrl }, code, log)
    const sealed = sealFor(config, use, openid)
    await db
      .insertInto('wechat_payer')
      .values({ user_id: userId, sealed, app_id: wechatPay.appId })
      .onConflict((conflict) => conflict.column('user_id').doUpdateSet({ sealed, app_id: wechatPay.appId, updated_at: new Date() }))
      .execute()
    return openid
  }
  // An openid of another application is refused when the order is placed; one of an unknown one is learnt anew where that can be done.
  const isOfOurs = (appId: string | null) => (appId === null ? !wechatPay?.appSecret : appId === wechatPay?.appId)
  const kept = await db.selectFrom('wechat_payer').select(['sealed', 'app_id']).where('user_id', '=', userId).executeTakeFirst()
  const own = kept && isOfOurs(kept.app_id) ? unsealFor(config, use, kept.sealed) : null
  if (own) return own
  // The login's WeChat is known by an openid of the login's application.
  if (wechat && wechat.appId === wechatPay?.appId) {
    const bound = await db.selectFrom('wechat_credential').select(['sealed', 'app_id']).where('user_id', '=', userId).executeTakeFirst()
    const opened = bound && isOfOurs(bound.app_id) ? unsealFor(config, secretUses.wechatIdentity, bound.sealed) : null
    if (opened) return (JSON.parse(opened) as { openid: string }).openid
  }
  // The caller is inside WeChat already: 请在手机微信中打开 would send him where he is.
  throw new ApiError(errorCodes.payInWechat, wechatPay?.appSecret ? authorizeFirst : notOffered)
}
