import { errorCodes } from '@convexa/contract/enums/error-code'
import { ApiError, apiError, throwApiError } from '../base/api-error.ts'
import type { WechatSettings } from '../config/config.ts'

/** A person as WeChat names them to us. */
export interface WechatIdentity {
  readonly openid: string
  /** The same for all applications of an operator; null where the application has none. */
  readonly unionid: string | null
  readonly nickname: string
  /** On WeChat's own host for such pictures, or null. */
  readonly avatarUrl: string | null
}

/** Where the browser goes to scan; it adds `redirect_uri`, `state` and `#wechat_redirect`. */
export const scanAddress = ({ openUrl, appId }: WechatSettings): string =>
  `${openUrl}/connect/qrconnect?${new URLSearchParams({ appid: appId, response_type: 'code', scope: 'snsapi_login' })}`

const waitMs = 2_500
/** Codes that a new scan mends. All others are WeChat's trouble, or ours with it. */
const deadCode: ReadonlySet<unknown> = new Set([40029, 40163, 42003, 41008])
const pictures = /^https:\/\/thirdwx\.qlogo\.cn\/[\w/.?=&-]{1,400}$/

/**
 * Asks WeChat who brought this code: code → access token → person. Both calls together within 2.5 s, so that the answer still is ours.
 * @throws ApiError 11020 the code is used, expired or made up; 11024 WeChat does not answer as it should
 */
export async function identityOf({ appId, appSecret, apiUrl }: WechatSettings, code: string, log: Log): Promise<WechatIdentity> {
  const ask = asking(apiUrl, log)
  const token = await ask('/sns/oauth2/access_token', { appid: appId, secret: appSecret, code, grant_type: 'authorization_code' })
  const openid = textOf(token['openid'])
  const accessToken = textOf(token['access_token'])
  if (!openid || !accessToken) throw new ApiError(errorCodes.wechatAway, apiError(errorCodes.wechatAway).message)
  const person = await ask('/sns/userinfo', { access_token: accessToken, openid, lang: 'zh_CN' })
  const picture = textOf(person['headimgurl'])?.replace(/^http:/, 'https:') ?? ''
  return {
    openid,
    unionid: textOf(person['unionid']) ?? textOf(token['unionid']),
    nickname: String(person['nickname'] ?? ''),
    avatarUrl: pictures.test(picture) ? picture : null,
  }
}

/** The openid alone behind this code (snsapi_base: nothing else of the user is read). @throws ApiError 11020, 11024 */
export async function openidOf(
  { appId, appSecret, apiUrl }: Pick<WechatSettings, 'appId' | 'appSecret' | 'apiUrl'>,
  code: string,
  log: Log,
): Promise<string> {
  const ask = asking(apiUrl, log)
  const token = await ask('/sns/oauth2/access_token', { appid: appId, secret: appSecret, code, grant_type: 'authorization_code' })
  return textOf(token['openid']) ?? throwApiError(errorCodes.wechatAway)
}

type Log = (event: string, details: Record<string, unknown>) => void

/** Calls of the programs' side, all within one time. */
function asking(apiUrl: string, log: Log) {
  const signal = AbortSignal.timeout(waitMs)
  return async (path: string, query: Record<string, string>): Promise<Record<string, unknown>> => {
    const answer = await answerOf(`${apiUrl}${path}?${new URLSearchParams(query)}`, signal).catch((error: unknown) => {
      // The address holds the secret: only the reason is logged.
      log('wechat does not answer', { path, reason: reasonOf(error) })
      throw apiError(errorCodes.wechatAway)
    })
    if (answer['errcode'] === undefined || answer['errcode'] === 0) return answer
    if (deadCode.has(answer['errcode'])) throwApiError(errorCodes.wechatGrantExpired)
    log('wechat refuses', { path, errcode: Number(answer['errcode']) })
    throw apiError(errorCodes.wechatAway)
  }
}

async function answerOf(url: string, signal: AbortSignal): Promise<Record<string, unknown>> {
  const response = await fetch(url, { redirect: 'error', signal })
  if (!response.ok) throw new Error(`HTTP ${response.status}`)
  const answer: unknown = JSON.parse((await response.text()).slice(0, 100_000))
  if (typeof answer !== 'object' || answer === null) throw new Error('no object')
  return answer as Record<string, unknown>
}

const textOf = (value: unknown): string | null => (typeof value === 'string' && /^[\w-]{1,600}$|^https?:/.test(value) ? value : null)

function reasonOf(error: unknown): string {
  const { name, message, cause } = error as Error & { cause?: { code?: string } }
  if (name === 'TimeoutError') return 'no answer in time'
  return cause?.code ?? (/^HTTP \d+$/.test(message) ? message : name)
}
