import { createHash, timingSafeEqual } from 'node:crypto'
import { type BodyOf, legalVersion, messageOf, type TokenData, type wechat } from '@convexa/contract'
import { errorCodes } from '@convexa/contract/enums/error-code'
import { sentences } from '@convexa/contract/rules/sentences'
import type { Kysely } from 'kysely'
import { ApiError, throwApiError, toApiError } from '../base/api-error.ts'
import type { AppContext } from '../context/app-context.ts'
import type { Database } from '../db/tables.ts'
import type { Caller } from '../http/caller.ts'
import type { Visitor } from '../http/visitor.ts'
import { queueMessage } from '../message/queue.ts'
import type { Address } from './addresses.ts'
import { countScan } from './attempts.ts'
import { checkCode, spendCode } from './codes.ts'
import { consumeOnce } from './consume-once.ts'
import { contactsOf, createUser, userOf } from './contacts.ts'
import { passHumanCheck } from './human-check.ts'
import { recordLogin } from './logins.ts'
import { endSessions, needReAuth, openSession } from './sessions.ts'
import { profileOf } from './users.ts'
import { identityOf, type WechatIdentity } from './wechat-api.ts'
import { giveCredential, hasCredential, ownerOf, refreshCredential, removeCredential } from './wechat-credentials.ts'
import { issueTickets, openTickets, spendTickets } from './wechat-tickets.ts'

/** What a browser brings back from a scan; `cookie` is `__Host-wxs`, which it set when it began. */
export interface Scan {
  readonly code: string
  readonly state: string | undefined
  readonly cookie: string | undefined
}

/** WeChat's codes live 5 to 10 minutes; that one was here is known for longer. */
const codeSeconds = 15 * 60

/**
 * Logs in by a WeChat scan. A WeChat without an account gets sealed tickets, with which it can be bound to one.
 * @throws ApiError 11020 code or state; 11021 with the tickets; 11024 WeChat is away or not configured; 11001 the account is shut; 40030
 */
export async function loginByWechat(context: AppContext, scan: Scan, visitor: Visitor, humanCheck: string | undefined): Promise<TokenData> {
  const { db, config } = context
  const takeBack = await countScan(db, visitor.ip, () => passHumanCheck(db, config, humanCheck))
  const identity = await identityOfScan(context, scan).catch(async (error: unknown) => {
    // That WeChat is away is nobody's fault here.
    if (toApiError(error).code !== errorCodes.wechatGrantExpired) await takeBack()
    throw error
  })
  await takeBack()
  const owner = await ownerOf(context, identity)
  if (!owner)
    throw new ApiError(errorCodes.wechatUnbound, messageOf(errorCodes.wechatUnbound), { data: await issueTickets(db, config, identity) })
  await refreshCredential(context, owner, identity, logOf(context))
  return enter(context, owner, visitor)
}

type Binding = BodyOf<typeof wechat.bind>

/**
 * Binds the scanned WeChat to the account of `target`, shown to be theirs by a code, and logs in. Without an account of this target one is
 * made, without a password. Another WeChat of the account is not replaced here: that takes a login and the password (reliability.md 2.1).
 * @throws ApiError 11023 tickets; 11003 code; 11022 the WeChat opens another account; 11013 the account has another WeChat
 */
export async function bindByTicket(context: AppContext, target: Address, given: Binding, visitor: Visitor): Promise<TokenData> {
  const { db, config } = context
  const tickets = await openTickets(db, config, given)
  const right = await checkCode(context, { purpose: 'bind_wechat', target, userId: null, code: given.verification_code })
  const user = await db.transaction().execute(async (transaction) => {
    const inside = { config, db: transaction }
    await spendCode(transaction, right)
    await spendTickets(transaction, tickets)
    const existing = await userOf(inside, target.text).executeTakeFirst()
    if (existing?.is_demo) throwApiError(errorCodes.wrongCode)
    const id = existing?.id ?? (await createUser(transaction, config, { address: target, passwordHash: null, agreed: legalVersion }))
    // Somebody registered the same target this moment: asked again it is a known one.
    if (!id) throwApiError(errorCodes.wrongCode)
    const { disabled_at } = await lockUser(transaction, id)
    const owner = await ownerOf(inside, tickets.identity)
    if (owner && owner.id !== id) throwApiError(errorCodes.wechatTaken)
    // An account that was shut is bound to nothing; `enter` says so.
    if (disabled_at) return { id, is_demo: false, disabled_at }
    if (!owner && (await hasCredential(transaction, id))) {
      throw new ApiError(errorCodes.reAuthNeeded, '该账号已绑定其他微信，请用密码登录后在个人资料中换绑')
    }
    if (owner) await refreshCredential(inside, owner, tickets.identity, logOf(context))
    else if (!(await giveCredential(transaction, config, id, tickets.identity))) throwApiError(errorCodes.wechatTaken)
    return { id, is_demo: false, disabled_at }
  })
  return enter(context, user, visitor)
}

/**
 * Binds the scanned WeChat to the caller's account. In place of another one only after re-authentication; all other logins then end and the
 * owner gets a notice.
 * @returns the WeChat's name
 * @throws ApiError 11013, 11020, 11022, 11024
 */
export async function bindOwn(context: AppContext, caller: Caller, scan: Scan): Promise<string> {
  const { db, config } = context
  // Before the code is used up: it is good once.
  if (await hasCredential(db, caller.id)) needReAuth(caller)
  const identity = await identityOfScan(context, scan)
  await db.transaction().execute(async (transaction) => {
    await lockUser(transaction, caller.id)
    const inside = { config, db: transaction }
    const owner = await ownerOf(inside, identity)
    if (owner && owner.id !== caller.id) throwApiError(errorCodes.wechatTaken)
    const replaces = !owner && (await hasCredential(transaction, caller.id))
    if (replaces) needReAuth(caller)
    if (owner) await refreshCredential(inside, owner, identity, logOf(context))
    else if (!(await giveCredential(transaction, config, caller.id, identity))) throwApiError(errorCodes.wechatTaken)
    if (replaces) await endSessions(transaction, caller.id, 'wechat', caller.sessionId)
    if (!owner) await tell(context, transaction, caller.id)
  })
  const [own] = await db.selectFrom('wechat_credential').select('nickname').where('user_id', '=', caller.id).execute()
  return own?.nickname ?? ''
}

/**
 * Takes the WeChat off the caller's account. As binding another one it asks for re-authentication, or it would be the way round it.
 * @throws ApiError 40004, 11013
 */
export async function unbind(context: AppContext, caller: Caller, id: string): Promise<void> {
  const { db } = context
  needReAuth(caller)
  await db.transaction().execute(async (transaction) => {
    if (!(await removeCredential(transaction, caller.id, id))) throwApiError(errorCodes.notFound)
    await endSessions(transaction, caller.id, 'wechat', caller.sessionId)
  })
}

const logOf =
  ({ log }: AppContext) =>
  (event: string, details: Record<string, unknown>) =>
    log.warn(details, event)

async function identityOfScan(context: AppContext, { code, state, cookie }: Scan): Promise<WechatIdentity> {
  const { db, config } = context
  if (!config.wechat) throw new ApiError(errorCodes.wechatAway, sentences.noWechatLogin)
  if (!isOwnState(state, cookie, config.wechat.requireState)) throwApiError(errorCodes.wechatGrantExpired)
  // Before WeChat is asked: of two that bring the same code at once, one asks.
  if (!(await consumeOnce(db, createHash('sha256').update(`wechat code ${code}`).digest(), codeSeconds)))
    throwApiError(errorCodes.wechatGrantExpired)
  return identityOf(config.wechat, code, logOf(context))
}

/** Login CSRF guard: an attacker who lures a browser here with their own code cannot set its cookie. */
function isOwnState(state: string | undefined, cookie: string | undefined, required: boolean): boolean {
  if (state === undefined || cookie === undefined) return !required
  const [own, brought] = [Buffer.from(cookie), Buffer.from(state)]
  return own.length === brought.length && timingSafeEqual(own, brought)
}

async function enter(
  context: AppContext,
  user: { id: string; is_demo: boolean; disabled_at: Date | null },
  visitor: Visitor,
): Promise<TokenData> {
  if (user.disabled_at) {
    await recordLogin(context.db, { userId: user.id, sessionId: null, method: 'wechat', success: false, visitor })
    throw new ApiError(errorCodes.wrongCredentials, '该账号已停用，如有疑问请联系客服')
  }
  const tokens = await openSession(context.db, user, { method: 'wechat', visitor })
  return { ...tokens, user: await profileOf(context, user.id) }
}

/** Two bindings of one account wait for each other. @throws ApiError 11003: it was deleted this moment */
const lockUser = async (db: Kysely<Database>, id: string) =>
  (await db.selectFrom('app_user').select('disabled_at').where('id', '=', id).forUpdate().executeTakeFirst()) ??
  throwApiError(errorCodes.wrongCode)

async function tell(context: AppContext, transaction: Parameters<typeof queueMessage>[1], userId: string): Promise<void> {
  const { email, mobile } = await contactsOf({ ...context, db: transaction }, userId)
  const recipient = email ?? mobile
  if (!recipient) return
  const channel = recipient.kind === 'mobile' ? 'sms' : 'email'
  await queueMessage(context, transaction, { to: recipient.text, channel, purpose: 'wechat_bound', code: null, seconds: 3_600 })
}
