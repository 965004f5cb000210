import { type Kysely, type RawBuilder, sql } from 'kysely'
import { type SecretSettings, sealFor, unsealFor } from '../base/secret.ts'
import { StartError } from '../base/start-error.ts'
import { tryAdvisoryLock } from '../db/advisory-lock.ts'
import { locks } from '../db/locks.ts'
import type { Database } from '../db/tables.ts'
import { messageUse } from '../message/queue.ts'
import { addressHash, addressOf } from '../user/addresses.ts'
import { accountIndexes, secretUses, wechatIndexes } from '../user/sealed-columns.ts'
import { requireSecret, secretProof } from '../user/secret-check.ts'

interface SealedTable {
  readonly table: string
  /** Columns of the primary key. */
  readonly key: readonly string[]
  readonly use: string
  /** Columns by which a row is found, made of the opened text. */
  readonly indexes?: {
    readonly columns: readonly string[]
    /** null: the text is none of ours. */
    readonly of: (secrets: SecretSettings, text: string, row: Row) => Readonly<Record<string, Buffer | null>> | null
  }
}

type Row = Readonly<Record<string, unknown>> & { readonly sealed: Buffer }

/** Every table with a column `sealed` that outlives an hour. Codes, tickets and human checks end within an hour and are not sealed anew. */
export const sealedTables: readonly SealedTable[] = [
  {
    table: 'user_contact',
    key: ['user_id', 'kind'],
    use: secretUses.address,
    indexes: {
      columns: ['address_hash'],
      of: (secrets, text) => {
        const address = addressOf(text)
        return address && { address_hash: addressHash(secrets, address) }
      },
    },
  },
  {
    table: 'wechat_credential',
    key: ['id'],
    use: secretUses.wechatIdentity,
    indexes: {
      columns: ['openid_index', 'unionid_index'],
      of: (secrets, text) => {
        const { openid, unionid } = wechatIndexes(secrets, JSON.parse(text) as { openid: string; unionid: string | null })
        return { openid_index: openid[0], unionid_index: unionid?.[0] ?? null }
      },
    },
  },
  { table: 'wechat_payer', key: ['user_id'], use: secretUses.wechatPayer },
  {
    table: 'qmt_account',
    key: ['id'],
    use: secretUses.qmtAccount,
    indexes: {
      columns: ['number_index', 'user_id'],
      of: (secrets, text, { user_id }) => ({ number_index: accountIndexes(secrets, String(user_id), text)[0] }),
    },
  },
  { table: 'message', key: ['id'], use: messageUse },
]

const batch = 1_000

export interface Rotation {
  /** Rows that were sealed anew. */
  readonly renewed: number
  /** Rows that open under neither key; they are left. */
  readonly unreadable: number
}

/**
 * Seals every stored secret under SECRET_KEY that is still under SECRET_KEY_OLD, with the indexes beside it, and makes the new key the current
 * one. The site runs on, as long as every process has both keys. It may be interrupted and run again.
 * @throws StartError where the keys are not those of this database, or another rotation is under way
 */
export async function rotateSecret({ db, config }: { readonly db: Kysely<Database>; readonly config: SecretSettings }): Promise<Rotation> {
  await requireSecret({ db, config })
  const total = { renewed: 0, unreadable: 0 }
  const isFree = await tryAdvisoryLock(db, locks.secretRotation, async () => {
    for (const sealed of sealedTables) {
      const { renewed, unreadable } = await rotateTable(db, config, sealed)
      total.renewed += renewed
      total.unreadable += unreadable
    }
    await makeCurrent(db, config)
  })
  if (!isFree) throw new StartError('另一个更换密钥的命令正在进行：请等它结束')
  return total
}

/** Rows in the order of their key, a batch at a time. A row that changes meanwhile is written under the new key by who changes it. */
async function rotateTable(db: Kysely<Database>, config: SecretSettings, { table, key, use, indexes }: SealedTable): Promise<Rotation> {
  const found = { renewed: 0, unreadable: 0 }
  const place = sql.join(key.map((column) => sql.ref(column)))
  const columns = sql.join([...key, 'sealed', ...(indexes?.columns ?? [])].map((column) => sql.ref(column)))
  for (let after: readonly unknown[] | null = null; ; ) {
    const beyond: RawBuilder<unknown> = after === null ? sql`true` : sql`(${place}) > (${sql.join(after)})`
    const { rows }: { rows: Row[] } = await sql<Row>`
      select ${columns} from ${sql.table(table)} where ${beyond} order by ${place} limit ${batch}`.execute(db)
    for (const row of rows) {
      const next = renewed(config, use, row, indexes)
      if (next === null) found.unreadable++
      else if (Object.keys(next).length > 0) found.renewed += await write(db, table, key, row, next)
    }
    const last = rows.at(-1)
    if (!last || rows.length < batch) return found
    after = key.map((column) => last[column])
  }
}

/** Columns to be written; none: it is under the new key already; null: it opens under neither. */
function renewed(
  config: SecretSettings,
  use: string,
  row: Row,
  indexes: SealedTable['indexes'],
): Readonly<Record<string, Buffer | null>> | null {
  const text = unsealFor(config, use, row.sealed)
  if (text === null) return null
  const isNew = unsealFor({ ...config, oldSecretKey: null }, use, row.sealed) !== null
  if (isNew) return {}
  const found = indexes ? indexes.of(config, text, row) : {}
  return found && { ...found, sealed: sealFor(config, use, text) }
}

async function write(
  db: Kysely<Database>,
  table: string,
  key: readonly string[],
  row: Row,
  next: Readonly<Record<string, Buffer | null>>,
): Promise<number> {
  const values = sql.join(Object.entries(next).map(([column, value]) => sql`${sql.ref(column)} = ${value}`))
  const isRow = sql.join(
    key.map((column) => sql`${sql.ref(column)} = ${row[column]}`),
    sql` and `,
  )
  const { numAffectedRows = 0n } = await sql`
    update ${sql.table(table)} set ${values} where ${isRow} and sealed = ${row.sealed}`.execute(db)
  return Number(numAffectedRows)
}

async function makeCurrent(db: Kysely<Database>, config: SecretSettings): Promise<void> {
  const proof = secretProof(config)
  await db.transaction().execute(async (transaction) => {
    await transaction.updateTable('secret_check').set({ current: false }).where('key_id', '<>', proof.key_id).execute()
    await transaction
      .insertInto('secret_check')
      .values({ ...proof, current: true })
      .onConflict((conflict) => conflict.column('key_id').doUpdateSet({ current: true }))
      .execute()
  })
}
