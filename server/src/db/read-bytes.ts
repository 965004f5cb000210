import type { CompiledQuery, Kysely } from 'kysely'
import { to as copyTo } from 'pg-copy-streams'
import { bytesOf } from '../base/bytes-of.ts'
import { poolOf } from './connect.ts'
import type { Database } from './tables.ts'

/** Signature and flags of COPY's binary form, then the length of what may follow them. */
const headLength = 19
const signature = Buffer.from('PGCOPY\n\xff\r\n\0', 'latin1')

/**
 * The bytea of a query's one row, as it is stored; null without a row. By COPY in its binary form: rows come to the driver as text, of bytes
 * their hexadecimal digits, which it decodes in JavaScript. The connection is free again before the bytes are sent to anybody.
 * @param query its values are literals (`sql.lit`): COPY takes no parameters
 */
export async function readBytes(db: Kysely<Database>, query: CompiledQuery): Promise<Buffer | null> {
  if (query.parameters.length > 0) throw new Error('COPY takes no parameters')
  const client = await poolOf(db).connect()
  let failed = true
  try {
    const copied = await bytesOf(client.query(copyTo(`copy (${query.sql}) to stdout (format binary)`)))
    failed = false
    return onlyValue(copied)
  } finally {
    // Where a copy broke off, more of it may be on its way.
    client.release(failed)
  }
}

/** Of each row a count of its values, before each value its length; the end is a count of -1 (PostgreSQL, COPY, File Formats). */
function onlyValue(copied: Buffer): Buffer | null {
  if (!copied.subarray(0, signature.length).equals(signature)) throw new Error('no binary COPY')
  const row = headLength + copied.readInt32BE(headLength - 4)
  if (copied.readInt16BE(row) < 0) return null
  const length = copied.readInt32BE(row + 2)
  return length < 0 ? null : copied.subarray(row + 6, row + 6 + length)
}
