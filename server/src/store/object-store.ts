import { randomBytes } from 'node:crypto'
import type { Readable } from 'node:stream'

/**
 * Bytes by keys. Nothing more is assumed of a store than: a put is whole or absent; a get after an acknowledged put of a new key finds it; a
 * removal may be repeated; bytes may rot, so that every read is verified. A listing is never needed to decide anything.
 */
export interface ObjectStore {
  /**
   * Resolves when the bytes are durable. `sha256` of the bytes, for stores that check it.
   * @throws StoreError
   */
  put(key: string, bytes: Uint8Array, sha256: Buffer): Promise<void>
  /**
   * null: there is no such object. A stream has to be read to its end or destroyed. `range`: so many bytes from a place on, fewer where the
   * object ends before.
   * @throws StoreError
   */
  get(key: string, range?: { readonly at: number; readonly bytes: number }): Promise<Readable | null>
  head(key: string): Promise<{ readonly bytes: number } | null>
  /** Also of what is not there. It is sent once: a late second one could meet a new put. */
  remove(key: string): Promise<void>
  /** Keys that begin with a text, in any order: for audits, moving house and backups. */
  list(prefix: string): AsyncIterable<{ readonly key: string; readonly bytes: number }>
  /** Lets its connections go. */
  close(): void
}

export type StoreTrouble = 'unreachable' | 'denied' | 'no bucket' | 'different' | 'full'

/** Why a store cannot be used; the words for the operator are those of `troubleLabels`. */
export class StoreError extends Error {
  readonly kind: StoreTrouble

  constructor(kind: StoreTrouble, message: string, options?: ErrorOptions) {
    super(message, options)
    this.kind = kind
  }
}

export const troubleLabels: Readonly<Record<StoreTrouble, string>> = {
  unreachable: '连不上',
  denied: '拒绝访问',
  'no bucket': '桶不存在',
  different: '读回的内容不同',
  full: '空间不足',
}

/** An immutable object, named by the SHA-256 of its bytes in hex. */
export const objectKey = (sha256: string): string => `o/${sha256.slice(0, 2)}/${sha256}`

const keyShape = /^[\w-][\w.-]*(?:\/[\w-][\w.-]*)*$/

/** Keys are made by us; one of another shape could name a file outside of a store's folder. */
export function checkKey(key: string): string {
  if (!keyShape.test(key)) throw new Error(`not a key: ${key}`)
  return key
}

export const probeKey = (): string => `probe/${randomBytes(16).toString('hex')}`
