import { promisify } from 'node:util'
import { constants, zstdCompress, zstdDecompress } from 'node:zlib'
import type { SecretSettings } from '../base/secret.ts'
import { StartError } from '../base/start-error.ts'
import { type ObjectStore, StoreError } from '../store/object-store.ts'
import { readObject, sha256Of } from '../store/read-object.ts'
import { openPiece, PieceError, sealPiece } from './sealed-piece.ts'

/** Where backups lie, and what their pieces are under. */
export interface BackupPlace {
  readonly objects: ObjectStore
  readonly secrets: SecretSettings
}

/** What a backup knows of a piece: its key, and length and SHA-256 (hex) of its sealed bytes. */
export interface Piece {
  readonly key: string
  readonly bytes: number
  readonly sha256: string
}

const packed = { params: { [constants.ZSTD_c_compressionLevel]: 1, [constants.ZSTD_c_checksumFlag]: 1 } }
const mostBytes = 512 * 1024 * 1024
const pack = promisify(zstdCompress)
const unpack = promisify(zstdDecompress)

/** Compresses, seals, puts and reads back. @throws StoreError */
export async function putPiece({ objects, secrets }: BackupPlace, key: string, bytes: Uint8Array): Promise<Piece> {
  const sealed = sealPiece(secrets, key, await pack(bytes, packed))
  const sha256 = sha256Of(sealed)
  await objects.put(key, sealed, sha256)
  const back = await readObject(objects, key)
  if (back === null || !sha256Of(back).equals(sha256)) throw new StoreError('different', `read back otherwise: ${key}`)
  return { key, bytes: sealed.length, sha256: sha256.toString('hex') }
}

/** Reads a piece without opening it. @throws StartError that names it where it is missing or not the one that was put */
export async function checkPiece({ objects }: Pick<BackupPlace, 'objects'>, { key, bytes, sha256 }: Piece): Promise<Buffer> {
  const sealed = await readObject(objects, key)
  if (sealed === null) throw damagedPiece(key, '不存在')
  if (sealed.length !== bytes) throw damagedPiece(key, `应有 ${bytes} 字节，实际 ${sealed.length}`)
  if (sha256Of(sealed).toString('hex') !== sha256) throw damagedPiece(key, '内容不符')
  return sealed
}

/** The bytes of a piece; null: it is not there. @throws StartError that names it where it is damaged, or under another secret */
export async function getPiece({ objects, secrets }: BackupPlace, key: string): Promise<Buffer | null> {
  const sealed = await readObject(objects, key)
  return sealed && unpackPiece(secrets, key, sealed)
}

/** @throws StartError that names it */
export async function unpackPiece(secrets: SecretSettings, key: string, sealed: Buffer): Promise<Buffer> {
  try {
    return await unpack(openPiece(secrets, key, sealed), { maxOutputLength: mostBytes })
  } catch (error) {
    if (error instanceof PieceError && error.kind === 'foreign') throw foreignKey(error.keyId)
    if (error instanceof PieceError && error.kind === 'newer') throw new StartError(`备份的 ${key} 由更新的版本写成：请升级程序`)
    throw damagedPiece(key, '内容不符', error)
  }
}

/** Of what does not open because the secret is another one. */
export const foreignKey = (keyId: string): StartError =>
  new StartError(`备份用的是另一个密钥（编号 ${keyId}）：请把 SECRET_KEY 或 SECRET_KEY_OLD 设为备份时的密钥`)

export class DamagedPiece extends StartError {
  readonly key: string

  constructor(key: string, why: string, cause?: unknown) {
    super(`备份已损坏：${key} ${why}`, { cause })
    this.key = key
  }
}

const damagedPiece = (key: string, why: string, cause?: unknown) => new DamagedPiece(key, why, cause)
