import { randomInt } from 'node:crypto'
import { errorCodes } from '@convexa/contract/enums/error-code'
import { type Kysely, sql, type Transaction } from 'kysely'
import { throwApiError } from '../base/api-error.ts'
import type { Config } from '../config/config.ts'
import type { AppContext } from '../context/app-context.ts'
import type { Database } from '../db/tables.ts'
import { queueMessage } from '../message/queue.ts'
import type { CodePurpose, NoticePurpose } from '../message/texts.ts'
import { type Address, addressHash, digest, maskedAddress, sealAddress, unsealAddress } from './addresses.ts'
import { countSend, humanFrom } from './code-limits.ts'
import { passHumanCheck } from './human-check.ts'
import { sameHash } from './tokens.ts'

const codeSeconds = 300
const spacingSeconds = 60
const mostTries = 5

/** What a code is bound to: it is good for this purpose, this target and, where it was asked for while logged in, this user only. */
export interface CodeBond {
  readonly purpose: CodePurpose
  readonly target: Address
  /** null: asked for without a login. */
  readonly userId: string | null
}

export interface CodeRequest extends CodeBond {
  readonly ip: string
  /** Header X-Human-Check. */
  readonly humanCheck: string | undefined
  /** What the message says in place of the purpose's own sentence: the answer and the work are the same. */
  readonly saying?: NoticePurpose
}

type WrongCode = (typeof errorCodes)['wrongCode' | 'wrongActivationCode']

export interface SentCode {
  sent_to: string
  expire_in: number
  retry_after: number
}

/**
 * Sends a new code of six digits; it takes the place of the one before. Count, code and message are one transaction, and nobody waits
 * for a vendor. Whether the target has an account changes nothing here: the caller only chooses what the message says.
 * @throws ApiError 11004, 11005, 40030
 */
export async function issueCode(context: AppContext, request: CodeRequest): Promise<SentCode> {
  const { db, config, log } = context
  const { purpose, target, saying } = request
  const key = keyOf(config, request)
  const code = String(randomInt(1_000_000)).padStart(6, '0')
  const fresh = {
    code_hash: hashOfCode(config, key, target, code),
    sealed_target: sealAddress(config, target),
    expires_at: sql<Date>`clock_timestamp() + make_interval(secs => ${codeSeconds})`,
  }
  const site = await db.transaction().execute(async (transaction) => {
    const sent = await countSend(transaction, config, request, () => passHumanCheck(transaction, config, request.humanCheck))
    await transaction
      .insertInto('verification_code')
      .values({ key, ...fresh })
      .onConflict((conflict) => conflict.column('key').doUpdateSet({ ...fresh, tries: 0, used_at: null, created_at: sql<Date>`now()` }))
      .execute()
    const channel = target.kind === 'mobile' ? 'sms' : 'email'
    // Without an account there is nothing to reset: that code is made like any other and told to nobody.
    const codeSent = saying === 'not_registered' ? null : code
    await queueMessage(context, transaction, { to: target.text, channel, purpose: saying ?? purpose, code: codeSent, seconds: codeSeconds })
    await forgetOld(transaction)
    return sent
  })
  if (site === humanFrom.site) log.error({ perHour: site }, 'codes: the whole site is at its limit, everybody is asked for the human check')
  return { sent_to: maskedAddress(target), expire_in: codeSeconds, retry_after: spacingSeconds }
}

/** A code that was right when it was looked at. It is used up by `spendCode`, together with what it allows. */
export interface RightCode {
  readonly key: Buffer
  readonly hash: Buffer
  readonly target: Address
}

export interface Claim extends Omit<CodeBond, 'target'> {
  /** Absent: the target that the code was sent to, for a code asked for while logged in. */
  readonly target?: Address
  readonly code: string
}

/**
 * Counts a try, then compares: five tries in all, however fast they come, then the code is burnt. Everything else that can be refused is
 * refused before, so that a right code is not wasted.
 * @throws ApiError 11003: wrong, used, expired and burnt are one sentence
 */
export async function checkCode(
  { db, config }: { readonly db: Kysely<Database>; readonly config: Config },
  claim: Claim,
  refusal: WrongCode = errorCodes.wrongCode,
): Promise<RightCode> {
  const key = keyOf(config, claim)
  const { rows } = await sql<{ code_hash: Buffer; sealed_target: Buffer }>`
    update verification_code set tries = tries + 1
    where key = ${key} and used_at is null and tries < ${mostTries} and expires_at > clock_timestamp()
    returning code_hash, sealed_target`.execute(db)
  const [row] = rows
  if (!row) throwApiError(refusal)
  const target = claim.target ?? unsealAddress(config, row.sealed_target)
  const hash = hashOfCode(config, key, target, claim.code)
  if (!sameHash(hash, row.code_hash)) throwApiError(refusal)
  return { key, hash, target }
}

/**
 * Uses the code up, in the transaction of what it allows: of fifty at once one does it.
 * @throws ApiError 11003 for all others
 */
export async function spendCode(
  transaction: Transaction<Database>,
  right: RightCode,
  refusal: WrongCode = errorCodes.wrongCode,
): Promise<void> {
  const { numUpdatedRows } = await transaction
    .updateTable('verification_code')
    .set({ used_at: sql<Date>`clock_timestamp()` })
    .where('key', '=', right.key)
    .where('code_hash', '=', right.hash)
    .where('used_at', 'is', null)
    .where('expires_at', '>', sql<Date>`clock_timestamp()`)
    .executeTakeFirst()
  if (numUpdatedRows !== 1n) throwApiError(refusal)
}

/** Where the last code of a purpose that a user asked for was sent, unless it was used; null after a week too. */
export async function lastUnusedTarget(
  { db, config }: { readonly db: Kysely<Database>; readonly config: Config },
  bond: Omit<CodeBond, 'target'>,
): Promise<Address | null> {
  const row = await db
    .selectFrom('verification_code')
    .select('sealed_target')
    .where('key', '=', keyOf(config, bond))
    .where('used_at', 'is', null)
    .executeTakeFirst()
  return row ? unsealAddress(config, row.sealed_target) : null
}

/** One living code for each: those asked for while logged in are found by the user, so a code for another target takes their place. */
function keyOf(config: Config, { purpose, target, userId }: { purpose: CodePurpose; target?: Address; userId: string | null }): Buffer {
  if (userId) return digest(config, 'code key', purpose, 'user', userId)
  if (!target) throw new Error('a code asked for without a login is found by its target')
  return digest(config, 'code key', purpose, 'target', addressHash(config, target))
}

const hashOfCode = (config: Config, key: Buffer, target: Address, code: string): Buffer =>
  digest(config, 'code', key, addressHash(config, target), code)

/** Codes and counts are kept for 7 days. */
async function forgetOld(transaction: Transaction<Database>): Promise<void> {
  const week = sql<Date>`now() - interval '7 days'`
  await transaction.deleteFrom('verification_code').where('created_at', '<', week).execute()
  await transaction.deleteFrom('code_send').where('sent_at', '<', week).execute()
  await transaction.deleteFrom('human_check_used').where('expires_at', '<', sql<Date>`now()`).execute()
}
