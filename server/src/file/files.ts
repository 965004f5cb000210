import { avatarBytes, messageOf, uploadTypes } from '@convexa/contract'
import { errorCodes } from '@convexa/contract/enums/error-code'
import { type Kysely, sql } from 'kysely'
import { v4 as randomId, v7 as uuid } from 'uuid'
import { ApiError, throwApiError } from '../base/api-error.ts'
import type { Database } from '../db/tables.ts'
import { avatarOf, avatarType } from './image.ts'
import { type FileStore, newName } from './store.ts'

interface FileDeps {
  readonly db: Kysely<Database>
  readonly store: FileStore
}

const uploadMinutes = 10
/** 20 uploads of 2 MiB at most: the 50 MiB that a user may bring a day are never reached. */
const mostADay = 20
/** A file that nothing names within this time is thrown away. */
const orphanMinutes = 60

/** Where a file of ours is read. */
export const urlOf = (name: string): string => `/files/${name}`

/**
 * Lets a user upload one file within ten minutes.
 * @throws ApiError 40029 more than 20 in 24 hours
 */
export async function grantUpload(db: Kysely<Database>, userId: string) {
  const id = randomId()
  await db.transaction().execute(async (transaction) => {
    await sql`select from app_user where id = ${userId} for update`.execute(transaction)
    const { rows } = await sql<{ made: number; seconds: number | null }>`
      select count(*) as made, ceil(extract(epoch from min(created_at) + interval '1 day' - now()))::float8 as seconds
      from upload where user_id = ${userId} and created_at > now() - interval '1 day'`.execute(transaction)
    const { made = 0, seconds = null } = rows[0] ?? {}
    if (Number(made) >= mostADay) {
      const wait = Math.max(1, seconds ?? 1)
      throw new ApiError(errorCodes.rateLimited, messageOf(errorCodes.rateLimited, wait), { retryAfterSeconds: wait })
    }
    await transaction
      .insertInto('upload')
      .values({ id, user_id: userId, expires_at: sql<Date>`now() + make_interval(mins => ${uploadMinutes})` })
      .execute()
  })
  return { upload_id: id, max_bytes: avatarBytes, types: [...uploadTypes] }
}

/**
 * Takes the one upload that an id allows. The id is used up before a byte is read, whatever becomes of the bytes.
 * @throws ApiError 11032 the id is unknown, another's, used or out of time; 11030, 11031 the file
 */
export async function receive({ db, store }: FileDeps, userId: string, uploadId: string, read: () => Promise<Buffer>) {
  const granted = await db
    .updateTable('upload')
    .set({ used_at: sql<Date>`now()` })
    .where('id', '=', uploadId)
    .where('user_id', '=', userId)
    .where('used_at', 'is', null)
    .where('expires_at', '>', sql<Date>`now()`)
    .returning('id')
    .executeTakeFirst()
  if (!granted) throwApiError(errorCodes.uploadTicketExpired)
  const made = await avatarOf(await read())
  const file = { id: uuid(), name: newName('webp'), mime: avatarType, size: made.length }
  await store.add(db, { ...file, user_id: userId, upload_id: uploadId }, made)
  return { file_id: file.id, url: urlOf(file.name), size: file.size, mime: file.mime }
}

/**
 * Makes a file of the user's their avatar and throws the former one away.
 * @throws ApiError 11032 no such file of theirs
 */
export async function setAvatar(
  { db, store }: FileDeps,
  userId: string,
  which: { upload_id: string } | { file_id: string },
): Promise<string> {
  const { name, former } = await db.transaction().execute(async (transaction) => {
    const { rows } = await sql<{ avatar_file_id: string | null }>`
      select avatar_file_id from app_user where id = ${userId} for update`.execute(transaction)
    const before = rows[0]?.avatar_file_id ?? null
    let files = transaction.selectFrom('file').select(['id', 'name']).where('user_id', '=', userId)
    files = 'file_id' in which ? files.where('id', '=', which.file_id) : files.where('upload_id', '=', which.upload_id)
    // What is about to be swept is not taken any more.
    const wanted = await files
      .where((row) =>
        row.or([row('created_at', '>', sql<Date>`now() - make_interval(mins => ${orphanMinutes - 5})`), row('id', '=', before)]),
      )
      .executeTakeFirst()
    if (!wanted) throwApiError(errorCodes.uploadTicketExpired)
    await transaction.updateTable('app_user').set({ avatar_file_id: wanted.id }).where('id', '=', userId).execute()
    if (!before || before === wanted.id) return { name: wanted.name, former: null }
    const gone = await transaction.deleteFrom('file').where('id', '=', before).returning('name').executeTakeFirst()
    return { name: wanted.name, former: gone?.name ?? null }
  })
  if (former) await store.remove(former)
  return urlOf(name)
}

/** Throws away what nothing names: files that became no avatar, bytes without a row (their user was deleted), old permissions. */
export async function sweepFiles({ db, store }: FileDeps): Promise<number> {
  const orphans = await sql<{ name: string }>`
    delete from file f where created_at < now() - make_interval(mins => ${orphanMinutes})
      and not exists (select from app_user u where u.avatar_file_id = f.id) returning name`.execute(db)
  for (const { name } of orphans.rows) await store.remove(name)
  let swept = orphans.rows.length
  for await (const name of store.olderThan(orphanMinutes * 60_000)) {
    const known = await db.selectFrom('file').select('id').where('name', '=', name).executeTakeFirst()
    if (known) continue
    await store.remove(name)
    swept++
  }
  await sql`delete from upload where created_at < now() - interval '2 days'`.execute(db)
  return swept
}
