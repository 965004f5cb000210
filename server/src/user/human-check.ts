import { randomBytes, randomInt } from 'node:crypto'
import type { HumanCheck } from '@convexa/contract'
import { createChallenge, verifySolution } from 'altcha-lib'
import { deriveKey } from 'altcha-lib/algorithms/pbkdf2'
import { type Kysely, sql } from 'kysely'
import { z } from 'zod'
import { keyFor } from '../base/secret.ts'
import type { Config } from '../config/config.ts'
import type { Database } from '../db/tables.ts'

const goodSeconds = 600
/** Proof of work for a browser: so many key derivations of so many rounds, about a second on a phone. */
const rounds = 5_000
const keys = { least: 300, most: 600 }

type UserDeps = { readonly db: Kysely<Database>; readonly config: Config }

/** The same work where nothing is derived here: any key with the first byte asked for, one of 256 on average. */
const byChance = { rounds: 9_000 }

/**
 * A piece of work for a browser, signed; nothing of it is kept. Its time is the database's. Without `derived` it costs this process next to
 * nothing, and the browser's luck decides how long it takes.
 */
export async function newHumanCheck({ db, config }: UserDeps, derived = true, seconds = goodSeconds): Promise<HumanCheck> {
  const { rows } = await sql<{ until: number }>`select floor(extract(epoch from now()))::int + ${seconds}::int as until`.execute(db)
  const { parameters, signature = '' } = await createChallenge({
    algorithm: 'PBKDF2/SHA-256',
    ...(derived
      ? { cost: rounds, counter: randomInt(keys.least, keys.most + 1) }
      : { cost: byChance.rounds, keyPrefix: randomBytes(1).toString('hex') }),
    deriveKey,
    data: { until: rows[0]?.until ?? 0 },
    ...secretsOf(config),
  })
  return { parameters: { ...parameters }, signature }
}

const Answer = z.object({
  challenge: z.object({
    parameters: z.object({ nonce: z.string().max(64), salt: z.string().max(64), data: z.object({ until: z.int() }) }).loose(),
    signature: z.string().max(128),
  }),
  solution: z.object({ counter: z.int().min(0), derivedKey: z.string().max(128) }).loose(),
})

/** Checks the proof of work in the header X-Human-Check: solved, not expired and not used before. Marks it as used. */
export async function passHumanCheck(db: Kysely<Database>, config: Config, header: string | undefined): Promise<boolean> {
  const answer = Answer.safeParse(readHeader(header))
  if (!answer.success) return false
  const { challenge, solution } = answer.data as unknown as Pick<Parameters<typeof verifySolution>[0], 'challenge' | 'solution'>
  const { verified } = await verifySolution({ challenge, solution, deriveKey, ...secretsOf(config) })
  if (!verified) return false
  const { nonce, data } = answer.data.challenge.parameters
  const { rows } = await sql`
    insert into human_check_used (nonce, expires_at)
    select ${nonce}, to_timestamp(${data.until}) where to_timestamp(${data.until}) > now()
    on conflict do nothing returning 1`.execute(db)
  return rows.length === 1
}

/** base64 of `{challenge, solution}`, as the library's widget writes it. */
function readHeader(header: string | undefined): unknown {
  if (!header || header.length > 4_000) return null
  try {
    return JSON.parse(Buffer.from(header, 'base64').toString('utf8'))
  } catch {
    return null
  }
}

const secretsOf = (config: Config) => ({
  hmacSignatureSecret: keyFor(config, 'human check').toString('base64url'),
  hmacKeySignatureSecret: keyFor(config, 'human check key').toString('base64url'),
})
