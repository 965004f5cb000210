/** Users who were erased stay so: a mark beside the backups, which a restore obeys. */
import { type Kysely, sql } from 'kysely'
import type { Database } from '../db/tables.ts'
import { readObject, sha256Of } from '../store/read-object.ts'
import { keptDays } from './keep-backups.ts'
import type { BackupPlace } from './pieces.ts'

const prefix = 'erased/'
type Place = Pick<BackupPlace, 'objects'>

/**
 * Puts a mark for each user who was erased in the time that backups are kept; it holds the moment, nothing else. A user whose mark was not put
 * before the loss is still due in what is restored, and swept again.
 */
export async function markErased(place: Place, db: Kysely<Database>): Promise<void> {
  const { rows } = await sql<{ id: string; at: Date }>`
    select user_id::text as id, at from audit where action = 'user.erase' and at > now() - make_interval(days => ${keptDays})`.execute(db)
  if (rows.length === 0) return
  const there = new Set(await erasedUsers(place))
  for (const { id, at } of rows) {
    if (there.has(id)) continue
    const bytes = Buffer.from(at.toISOString())
    await place.objects.put(prefix + id, bytes, sha256Of(bytes))
  }
}

export async function erasedUsers({ objects }: Place): Promise<readonly string[]> {
  const ids: string[] = []
  for await (const { key } of objects.list(prefix)) ids.push(key.slice(prefix.length))
  return ids
}

/** Marks outlive every backup that could have the user. */
export async function removeOldMarks({ objects }: Place, now = new Date()): Promise<void> {
  for (const id of await erasedUsers({ objects })) {
    const at = Date.parse((await readObject(objects, prefix + id))?.toString('utf8') ?? '')
    if (now.getTime() - at > (keptDays + 1) * 86_400_000) await objects.remove(prefix + id)
  }
}
