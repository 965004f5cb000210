import { createHash, createHmac } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { StoreSettings } from '../../src/config/config.ts'

/** What goes wrong with a request, once each in the order given. */
interface Fault {
  readonly on: 'PUT' | 'GET' | 'HEAD' | 'DELETE'
  readonly is:
    | 'error'
    | 'slow down'
    /** The first half of the body, then the connection ends. */
    | 'cut'
    /** One bit of the body is another. */
    | 'flip'
    /** The head and half of the body, then nothing. */
    | 'stall'
    /** No answer at all. */
    | 'silence'
    | 'death before writing'
    | 'death after writing'
  /** Only of keys that hold this text. */
  readonly of?: string
}

export interface FakeS3 {
  readonly settings: StoreSettings & { readonly address: { readonly kind: 's3' } }
  /** As `STORE_URL`. */
  readonly url: string
  readonly objects: Map<string, Buffer>
  /** Faults that are still to come. */
  readonly faults: Fault[]
  /** Method and key of all requests, those that failed too. */
  readonly requests: string[]
  /** Nobody listens any more and what was under way is cut, as after kill -9; what was acknowledged is kept. */
  kill(): Promise<void>
  /** Listens again at the same address, after `kill`. */
  restart(): Promise<void>
  close(): Promise<void>
}

export const fakeKeys = { accessKeyId: 'AKIDFAKE', secretAccessKey: 'fake-secret-access-key', sessionToken: null }
const bucket = 'convexa'
const prefix = 'test/'
const pageSize = 5

/** An S3 server in memory with one bucket: signatures and checksums are verified, faults come by plan. */
export async function fakeS3(): Promise<FakeS3> {
  const objects = new Map<string, Buffer>()
  const faults: Fault[] = []
  const requests: string[] = []
  const server = createServer((request, response) => {
    answer(request, response).catch(() => response.destroy())
  })

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', 'http://fake')
    const [, inBucket = '', ...rest] = url.pathname.split('/').map(decodeURIComponent)
    const key = rest.join('/')
    const method = request.method ?? ''
    requests.push(`${method} ${key}`)
    const body = Buffer.concat(await request.toArray())
    const place = faults.findIndex(({ on, of }) => on === method && (of === undefined || key.includes(of)))
    const fault = place < 0 ? null : faults.splice(place, 1)[0]!.is
    if (fault === 'death before writing') return void response.destroy()
    if (fault === 'silence') return
    if (fault === 'error') return refuse(response, 500, 'InternalError')
    if (fault === 'slow down') return refuse(response, 503, 'SlowDown')
    if (!isSigned(request, url, body)) return refuse(response, 403, 'SignatureDoesNotMatch')
    if (inBucket !== bucket) return refuse(response, 404, 'NoSuchBucket')
    if (method === 'PUT') {
      const claimed = request.headers['x-amz-checksum-sha256']
      if (claimed !== undefined && claimed !== createHash('sha256').update(body).digest('base64')) return refuse(response, 400, 'BadDigest')
      objects.set(key, body)
      if (fault === 'death after writing') return void response.destroy()
      return void response.writeHead(200, { etag: `"${createHash('md5').update(body).digest('hex')}"` }).end()
    }
    if (method === 'DELETE') {
      objects.delete(key)
      if (fault === 'death after writing') return void response.destroy()
      return void response.writeHead(204).end()
    }
    if (key === '') return list(response, url)
    const found = objects.get(key)
    if (!found) return method === 'HEAD' ? void response.writeHead(404).end() : refuse(response, 404, 'NoSuchKey')
    const range = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? '')
    const [from, to] = range ? [Number(range[1]), Math.min(Number(range[2]) + 1, found.length)] : [0, found.length]
    if (range && from >= found.length) return refuse(response, 416, 'InvalidRange')
    const bytes = Buffer.from(found.subarray(from, to))
    response.writeHead(range ? 206 : 200, {
      'content-length': bytes.length,
      ...(range && { 'content-range': `bytes ${from}-${to - 1}/${found.length}` }),
    })
    if (method === 'HEAD') return void response.end()
    if (fault === 'flip') bytes[bytes.length >> 1]! ^= 1
    if (fault !== 'cut' && fault !== 'stall') return void response.end(bytes)
    response.write(bytes.subarray(0, bytes.length >> 1), () => {
      if (fault === 'cut') response.destroy()
    })
  }

  function list(response: ServerResponse, url: URL): void {
    const after = url.searchParams.get('continuation-token') ?? ''
    const names = [...objects.keys()].filter((name) => name.startsWith(url.searchParams.get('prefix') ?? '') && name > after).sort()
    const page = names.slice(0, pageSize)
    const isTruncated = names.length > page.length
    const contents = page.map((name) => `<Contents><Key>${name}</Key><Size>${objects.get(name)!.length}</Size></Contents>`).join('')
    const next = isTruncated ? `<NextContinuationToken>${page.at(-1)}</NextContinuationToken>` : ''
    response.writeHead(200, { 'content-type': 'application/xml' })
    response.end(`<ListBucketResult><IsTruncated>${isTruncated}</IsTruncated>${next}${contents}</ListBucketResult>`)
  }

  const listen = (port: number) => new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  const close = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve())
      server.closeAllConnections()
    })
  await listen(0)
  const { port } = server.address() as AddressInfo
  const endpoint = `http://127.0.0.1:${port}`
  return {
    settings: { address: { kind: 's3', bucket, prefix, endpoint, region: null, pathStyle: true }, keys: fakeKeys },
    url: `s3://${bucket}/${prefix}?endpoint=${endpoint}&path_style=1`,
    ...{ objects, faults, requests },
    kill: close,
    restart: () => listen(port),
    close,
  }
}

function refuse(response: ServerResponse, status: number, code: string): void {
  response.writeHead(status, { 'content-type': 'application/xml' })
  response.end(`<Error><Code>${code}</Code><Message>${code}</Message></Error>`)
}

const hash = (bytes: Uint8Array | string): string => createHash('sha256').update(bytes).digest('hex')
const hmac = (key: Buffer | string, text: string): Buffer => createHmac('sha256', key).update(text).digest()

/** Signature version 4 in the header, over the body as well. */
function isSigned(request: IncomingMessage, url: URL, body: Buffer): boolean {
  const { headers } = request
  const given = /^AWS4-HMAC-SHA256 Credential=([^/]+)\/([^,]+), ?SignedHeaders=([^,]+), ?Signature=([0-9a-f]{64})$/.exec(
    headers.authorization ?? '',
  )
  if (!given) return false
  const [, id, scope = '', signed = '', signature] = given
  const [day = '', region = '', service = '', end = ''] = scope.split('/')
  const payload = String(headers['x-amz-content-sha256'])
  if (id !== fakeKeys.accessKeyId || (payload !== 'UNSIGNED-PAYLOAD' && payload !== hash(body))) return false
  const query = [...url.searchParams].map(([name, value]) => `${encode(name)}=${encode(value)}`).sort()
  const lines = signed.split(';').map((name) => `${name}:${String(headers[name]).trim().replace(/ +/g, ' ')}\n`)
  const canonical = [request.method, url.pathname, query.join('&'), lines.join(''), signed, payload].join('\n')
  const key = hmac(hmac(hmac(hmac(`AWS4${fakeKeys.secretAccessKey}`, day), region), service), end)
  const text = ['AWS4-HMAC-SHA256', headers['x-amz-date'], scope, hash(canonical)].join('\n')
  return createHmac('sha256', key).update(text).digest('hex') === signature
}

const encode = (text: string): string =>
  encodeURIComponent(text).replace(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`)
