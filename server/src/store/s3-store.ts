import { Readable } from 'node:stream'
import type { StoreSettings } from '../config/config.ts'
import type { StoreAddress } from '../config/store-url.ts'
import { checkKey, type ObjectStore, StoreError, type StoreTrouble } from './object-store.ts'

type S3Address = Extract<StoreAddress, { kind: 's3' }>

/** How long the client waits: `request` until a server answers, and then between two pieces of a body; `connection` until it is reached. Milliseconds. */
export interface S3Patience {
  readonly request: number
  readonly connection: number
  readonly attempts: number
}

const usualPatience: S3Patience = { request: 30_000, connection: 3_000, attempts: 4 }
const sockets = 16

/**
 * Objects of a bucket of S3, or of what speaks it. The SDK is loaded here alone: 23 MB, a quarter of a second.
 * @throws StoreError where it is not installed
 */
export async function s3Store(address: S3Address, keys: StoreSettings['keys'], patience: S3Patience = usualPatience): Promise<ObjectStore> {
  const sdk = await loadSdk()
  const { bucket, prefix } = address
  const agent = { maxSockets: sockets, keepAlive: true }
  const clientOf = (maxAttempts: number) =>
    new sdk.S3Client({
      // Stores of other vendors have no regions, and the SDK wants one to sign for.
      ...(address.region !== null || address.endpoint !== null ? { region: address.region ?? 'us-east-1' } : {}),
      ...(address.endpoint !== null && { endpoint: address.endpoint }),
      forcePathStyle: address.pathStyle,
      ...(keys && {
        credentials: {
          accessKeyId: keys.accessKeyId,
          secretAccessKey: keys.secretAccessKey,
          ...(keys.sessionToken !== null && { sessionToken: keys.sessionToken }),
        },
      }),
      maxAttempts,
      requestHandler: {
        requestTimeout: patience.request,
        // Without this a request that takes longer is only warned of.
        throwOnRequestTimeout: true,
        socketTimeout: patience.request,
        connectionTimeout: patience.connection,
        httpAgent: agent,
        httpsAgent: agent,
      },
      // The SDK's own defaults send trailers that several vendors refuse.
      requestChecksumCalculation: 'WHEN_REQUIRED',
      responseChecksumValidation: 'WHEN_REQUIRED',
    })
  const client = clientOf(patience.attempts)
  // A removal is sent once: a late second one could meet a new put.
  const once = clientOf(1)
  const at = (key: string) => ({ Bucket: bucket, Key: prefix + checkKey(key) })
  const head = async (key: string) => {
    try {
      const { ContentLength } = await client.send(new sdk.HeadObjectCommand(at(key)))
      return { bytes: Number(ContentLength) }
    } catch (error) {
      return noneOr(error)
    }
  }

  return {
    head,
    async put(key, bytes, sha256) {
      const body = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
      const given = { ...at(key), Body: body, ContentLength: body.byteLength, ChecksumSHA256: sha256.toString('base64') }
      await client.send(new sdk.PutObjectCommand(given)).catch(refuse)
    },
    async get(key, range) {
      if (range?.bytes === 0) return (await head(key)) && Readable.from([])
      const where = range ? { Range: `bytes=${range.at}-${range.at + range.bytes - 1}` } : {}
      try {
        const { Body } = await client.send(new sdk.GetObjectCommand({ ...at(key), ...where }))
        return watched(Body as Readable, patience.request)
      } catch (error) {
        // It ends before the place that was asked for.
        if (statusOf(error) === 416) return Readable.from([])
        return noneOr(error)
      }
    },
    async remove(key) {
      await once.send(new sdk.DeleteObjectCommand(at(key))).catch((error: unknown) => {
        noneOr(error)
      })
    },
    async *list(begin) {
      for (let token: string | undefined; ; ) {
        const asked = { Bucket: bucket, Prefix: prefix + begin, ...(token !== undefined && { ContinuationToken: token }) }
        const page = await client.send(new sdk.ListObjectsV2Command(asked)).catch(refuse)
        for (const { Key, Size } of page.Contents ?? []) if (Key) yield { key: Key.slice(prefix.length), bytes: Number(Size) }
        token = page.IsTruncated ? page.NextContinuationToken : undefined
        if (token === undefined) return
      }
    },
    close() {
      client.destroy()
      once.destroy()
    },
  }
}

/**
 * The SDK's timeouts end with the head of an answer: a body that says nothing for so long is an error here. It is destroyed when its reader
 * leaves, since its connection is held until then.
 */
function watched(body: Readable, ms: number): Readable {
  // The iterator reports errors. Without a listener an answer that is left half read would end the process.
  body.on('error', () => {})
  const stream = Readable.from(unlessStalled(body, ms), { objectMode: false })
  return stream.once('close', () => body.destroy())
}

async function* unlessStalled(body: Readable, ms: number): AsyncGenerator<Buffer> {
  const chunks = body[Symbol.asyncIterator]()
  try {
    for (;;) {
      let timer: NodeJS.Timeout | undefined
      const late = new Promise<never>((_, reject) => {
        timer = setTimeout(() => reject(new StoreError('unreachable', 'the answer of the store stalled')), ms)
      })
      const next = chunks.next()
      try {
        const { done, value } = await Promise.race([next, late])
        if (done) return
        yield value as Buffer
      } catch (error) {
        next.catch(() => {})
        throw error instanceof StoreError ? error : new StoreError('unreachable', (error as Error).message, { cause: error })
      } finally {
        clearTimeout(timer)
      }
    }
  } finally {
    body.destroy()
  }
}

const nameOf = (error: unknown): string => (error as { name?: string }).name ?? ''
const statusOf = (error: unknown): number => (error as { $metadata?: { httpStatusCode?: number } }).$metadata?.httpStatusCode ?? 0

/** null for an object that is not there. A missing bucket answers 404 as well. */
function noneOr(error: unknown): null {
  if (statusOf(error) === 404 && nameOf(error) !== 'NoSuchBucket') return null
  return refuse(error)
}

function refuse(error: unknown): never {
  throw new StoreError(kindOf(error), `${nameOf(error)} ${statusOf(error) || ''} ${(error as Error).message}`.replace(/\s+/g, ' '), {
    cause: error,
  })
}

const differs = new Set(['BadDigest', 'InvalidDigest', 'XAmzContentChecksumMismatch', 'XAmzContentSHA256Mismatch'])

function kindOf(error: unknown): StoreTrouble {
  const [name, status] = [nameOf(error), statusOf(error)]
  if (name === 'NoSuchBucket') return 'no bucket'
  if (differs.has(name)) return 'different'
  // No credentials were found at all, or a redirect to another region that the keys were not signed for.
  if (/Credentials/.test(name) || [301, 307, 401, 403].includes(status)) return 'denied'
  return 'unreachable'
}

/** What is used of the SDK. It is an optional package: types must check where it is not installed. */
interface Sdk {
  readonly S3Client: new (options: Readonly<Record<string, unknown>>) => { send<T>(command: Command<T>): Promise<T>; destroy(): void }
  readonly PutObjectCommand: new (input: Readonly<Record<string, unknown>>) => Command<unknown>
  readonly GetObjectCommand: new (input: Readonly<Record<string, unknown>>) => Command<{ Body?: unknown }>
  readonly HeadObjectCommand: new (input: Readonly<Record<string, unknown>>) => Command<{ ContentLength?: number }>
  readonly DeleteObjectCommand: new (input: Readonly<Record<string, unknown>>) => Command<unknown>
  readonly ListObjectsV2Command: new (input: Readonly<Record<string, unknown>>) => Command<Page>
}
interface Command<T> {
  /** Only for the compiler. */
  readonly answers?: T
}
interface Page {
  readonly Contents?: readonly { readonly Key?: string; readonly Size?: number }[]
  readonly IsTruncated?: boolean
  readonly NextContinuationToken?: string
}

const packageName: string = '@aws-sdk/client-s3'

async function loadSdk(): Promise<Sdk> {
  try {
    return (await import(packageName)) as Sdk
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_MODULE_NOT_FOUND') throw error
    throw new StoreError('unreachable', `${packageName} is not installed`, { cause: error })
  }
}
