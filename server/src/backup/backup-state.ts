import { type Kysely, sql } from 'kysely'
import type { Config } from '../config/config.ts'
import type { Database } from '../db/tables.ts'

export type BackupState = Omit<Database['backup_state'], 'only_row' | 'behind_bytes' | 'told_at'> & {
  readonly behind_bytes: number
  readonly told_at: Date
}

/** null: no launcher has written of it. */
export async function readBackupState(db: Kysely<Database>): Promise<BackupState | null> {
  const row = await db
    .selectFrom('backup_state')
    .select(['began_at', 'bytes', 'shipped_at', 'behind_bytes', 'problem', 'told_at'])
    .executeTakeFirst()
  return row ?? null
}

export async function writeBackupState(db: Kysely<Database>, state: Omit<BackupState, 'told_at'>): Promise<void> {
  await db
    .insertInto('backup_state')
    .values(state)
    .onConflict((conflict) => conflict.column('only_row').doUpdateSet({ ...state, told_at: sql<Date>`now()` }))
    .execute()
}

/** Sentences on what is backed up and what is not; `isBad`: the operator should do something. */
export function backupSentences(
  { isSingleMachine, backup, store }: Pick<Config, 'isSingleMachine' | 'backup' | 'store'>,
  state: BackupState | null,
  now: Date,
): readonly { readonly text: string; readonly isBad: boolean }[] {
  const said = (text: string, isBad = false) => ({ text, isBad })
  if (!isSingleMachine)
    return [said('使用自己的 PostgreSQL：请用它自己的工具备份数据库（pgBackRest、WAL-G、pg_dump），并另外备份 DATA_DIR 或对象存储')]
  const key = said('SECRET_KEY（或数据目录的 secret.key）不在备份里，请另行保管：没有它，备份无法打开')
  if (backup === null) return [said('没有备份：数据库与文件都没有备份，请设置 BACKUP_URL', true), key]
  const objects = store?.address.kind === 's3' ? [said('对象存储（s3）中的内容不在备份里：请开启桶的版本控制与异地复制')] : []
  const isLate = state?.began_at == null || now.getTime() - state.began_at.getTime() > lateMs
  const large = (state?.bytes ?? 0) > largeBytes
  return [
    ...(isLate ? [said(state?.began_at ? '超过 26 小时没有完整备份' : '还没有完整备份', true)] : []),
    ...(state?.problem ? [said(state.problem, true)] : []),
    ...(large ? [said('内置数据库超过 20 GB：请搬到自己的 PostgreSQL（./convexa database copy）', true)] : []),
    ...objects,
    key,
  ]
}

const lateMs = 26 * 3_600_000
const largeBytes = 20e9
