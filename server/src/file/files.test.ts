import { mkdtempSync, readdirSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { connect as connectSocket, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Envelope, User } from '@convexa/contract'
import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import sharp from 'sharp'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type TestDatabase, testDatabase } from '../../test/fixtures/database.ts'
import { type Hostile, hostileImages, mark, picture } from '../../test/fixtures/hostile-images.ts'
import { newUser, type TestUser } from '../../test/fixtures/processes.ts'
import { testWorld } from '../../test/fixtures/world.ts'
import { buildApp } from '../app.ts'
import { routes } from '../user/avatar-routes.ts'
import { routes as account } from '../user/routes.ts'
import { sweepFiles } from './files.ts'
import { fileStore } from './store.ts'

interface Uploaded {
  file_id: string
  url: string
  size: number
  mime: string
}

let database: TestDatabase
let app: FastifyInstance
let address: string
let dataDir: string
let wang: TestUser
let li: TestUser
let photo: Buffer

beforeAll(async () => {
  database = await testDatabase()
  dataDir = mkdtempSync(join(tmpdir(), 'convexa-files-'))
  app = await buildApp(testWorld(database, { config: { dataDir } }).context, [account, routes])
  address = await app.listen({ port: 0, host: '127.0.0.1' })
  photo = await picture(300, 200).jpeg().toBuffer()
})

beforeEach(async () => {
  await sql`delete from app_user`.execute(database.db)
  ;[wang, li] = [await newUser(database.db), await newUser(database.db)]
})

afterAll(async () => {
  await app.close()
  await database.drop()
  rmSync(dataDir, { recursive: true, force: true })
})

async function ask<T>(
  method: string,
  path: string,
  user: TestUser | null,
  body?: FormData | Uint8Array<ArrayBuffer> | object,
  headers: Record<string, string> = {},
) {
  const json = body !== undefined && !(body instanceof FormData) && !(body instanceof Uint8Array) && typeof body !== 'string'
  const response = await fetch(address + path, {
    method,
    headers: { ...(user ? { 'access-token': user.token } : {}), ...(json ? { 'content-type': 'application/json' } : {}), ...headers },
    ...(body === undefined ? {} : { body: json ? JSON.stringify(body) : (body as FormData) }),
  })
  const { code, msg, data } = (await response.json()) as Envelope<T>
  return { status: response.status, code, msg, data }
}
const grant = async (user: TestUser) => (await ask<{ upload_id: string }>('GET', '/v1/user/avatar/upload', user)).data.upload_id
const form = (bytes: Uint8Array, filename = 'a.jpg', type = 'image/jpeg', field = 'file') => {
  const body = new FormData()
  body.append(field, new Blob([new Uint8Array(bytes)], { type }), filename)
  return body
}
const send = (user: TestUser, id: string, bytes: Uint8Array, filename?: string) =>
  ask<Uploaded>('POST', `/v1/file/${id}`, user, form(bytes, filename))
const upload = async (user: TestUser, bytes: Uint8Array = photo, filename?: string) => send(user, await grant(user), bytes, filename)
const avatarUrl = async (user: TestUser) => (await ask<User>('GET', '/v1/user/info', user)).data.avatar_url
const kept = (): string[] => {
  const root = join(dataDir, 'files')
  return readdirSync(root, { recursive: true })
    .map(String)
    .filter((name) => statSync(join(root, name)).isFile())
}

test('permission, bytes, use: the picture is ours, small, and stays in caches', async () => {
  const granted = await ask<{ upload_id: string }>('GET', '/v1/user/avatar/upload', wang)
  expect(granted.data).toEqual({
    upload_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
    max_bytes: 2_097_152,
    types: ['image/jpeg', 'image/png', 'image/webp'],
  })
  const sent = await send(wang, granted.data.upload_id, photo)
  expect(sent).toMatchObject({ status: 200, data: { mime: 'image/webp', url: expect.stringMatching(/^\/files\/[0-9a-f]{32}\.webp$/) } })
  expect(await avatarUrl(wang)).toBeNull()
  expect(await ask('PUT', '/v1/user/avatar', wang, { upload_id: granted.data.upload_id })).toMatchObject({
    status: 200,
    data: { avatar_url: sent.data.url },
  })
  expect(await avatarUrl(wang)).toBe(sent.data.url)
  const response = await fetch(address + sent.data.url)
  expect(Object.fromEntries(response.headers)).toMatchObject({
    'content-type': 'image/webp',
    'content-length': String(sent.data.size),
    'x-content-type-options': 'nosniff',
    'content-security-policy': "default-src 'none'; sandbox",
    'cache-control': 'public, max-age=31536000, immutable',
    'cross-origin-resource-policy': 'same-origin',
  })
  const facts = await sharp(Buffer.from(await response.arrayBuffer())).metadata()
  expect(facts).toMatchObject({ format: 'webp', width: 256, height: 256 })
})

test('a new avatar throws the former away; the same again changes nothing', async () => {
  const first = await upload(wang)
  await ask('PUT', '/v1/user/avatar', wang, { file_id: first.data.file_id })
  expect((await ask('PUT', '/v1/user/avatar', wang, { file_id: first.data.file_id })).status).toBe(200)
  const second = await upload(wang)
  expect(await ask<User>('PUT', '/v1/user/info', wang, { avatar_id: second.data.file_id })).toMatchObject({
    data: { avatar_url: second.data.url },
  })
  expect((await fetch(address + first.data.url)).status).toBe(404)
  expect((await fetch(address + second.data.url)).status).toBe(200)
})

test('turned as its camera was held', async () => {
  const top = await sharp({ create: { width: 200, height: 100, channels: 3, background: '#000' } })
    .composite([{ input: await picture(200, 50).raw().toBuffer(), raw: { width: 200, height: 50, channels: 3 }, left: 0, top: 0 }])
    .jpeg()
    .withMetadata({ orientation: 6 })
    .toBuffer()
  const { data } = await upload(wang, top)
  const { data: pixels } = await sharp(Buffer.from(await (await fetch(address + data.url)).arrayBuffer()))
    .raw()
    .toBuffer({ resolveWithObject: true })
  // Orientation 6: what was on top is on the right.
  const red = (x: number, y: number) => pixels[(y * 256 + x) * 3] ?? 0
  expect([red(20, 128) < 60, red(236, 128) > 140]).toEqual([true, true])
})

describe('an upload id', () => {
  test('is its owner’s, once, for ten minutes', async () => {
    const id = await grant(wang)
    expect(await send(li, id, photo)).toMatchObject({ status: 400, code: 11032, msg: '上传凭证已失效，请重试' })
    const answers = await Promise.all(Array.from({ length: 10 }, () => send(wang, id, photo)))
    expect(answers.map(({ code }) => code).sort()).toEqual([0, ...Array(9).fill(11032)])
    const late = await grant(wang)
    await sql`update upload set expires_at = now() where id = ${late}`.execute(database.db)
    expect((await send(wang, late, photo)).code).toBe(11032)
    expect((await send(wang, '0198c0de-0000-7000-8000-000000000001', photo)).code).toBe(11032)
    expect((await send(wang, 'x', photo)).code).toBe(40000)
    // A file that was refused has used it up too.
    const wasted = await grant(wang)
    expect((await send(wang, wasted, Buffer.from('x'))).code).toBe(11030)
    expect((await send(wang, wasted, photo)).code).toBe(11032)
  })

  test('is needed to use the file, and another’s file is none', async () => {
    const theirs = await upload(li)
    for (const which of [{ file_id: theirs.data.file_id }, { upload_id: await grant(wang) }, { upload_id: await grant(li) }])
      expect((await ask('PUT', '/v1/user/avatar', wang, which)).code).toBe(11032)
    expect((await ask('PUT', '/v1/user/info', wang, { avatar_id: theirs.data.file_id })).code).toBe(11032)
    expect((await ask('PUT', '/v1/user/avatar', wang, { file_id: theirs.data.file_id, upload_id: theirs.data.file_id })).code).toBe(40000)
  })

  test('twenty a day', async () => {
    for (const code of (await Promise.all(Array.from({ length: 25 }, () => ask('GET', '/v1/user/avatar/upload', wang)))).map(
      (one) => one.code,
    ))
      expect([0, 40029]).toContain(code)
    const { rows } = await sql<{ n: number }>`select count(*)::int as n from upload where user_id = ${wang.id}`.execute(database.db)
    expect(rows[0]?.n).toBe(20)
    expect((await ask('GET', '/v1/user/avatar/upload', li)).code).toBe(0)
  })

  test('is for who is logged in', async () => {
    const id = await grant(wang)
    expect((await ask('GET', '/v1/user/avatar/upload', null)).code).toBe(40100)
    expect((await ask('POST', `/v1/file/${id}`, null, form(photo))).code).toBe(40100)
    expect((await ask('PUT', '/v1/user/avatar', null, { upload_id: id })).code).toBe(40100)
    expect((await send(wang, id, photo)).code).toBe(0)
  })
})

describe('hostile files', async () => {
  const files = await hostileImages()
  const size = (file: Buffer) => file.length

  test('are more than forty, and small', () => {
    expect(files.length).toBeGreaterThan(40)
    expect(Math.max(...files.map(({ bytes }) => size(bytes)))).toBeLessThan(2_097_152)
  })

  test.each(files.map((one) => [one.name, one] as const))('%s', async (_name, { bytes, becomes }: Hostile) => {
    const before = process.memoryUsage.rss()
    const answer = await upload(wang, bytes)
    expect(process.memoryUsage.rss() - before).toBeLessThan(150 * 1024 * 1024)
    if (becomes === 'refused' || (becomes === 'either' && answer.code !== 0)) {
      expect(answer).toMatchObject({ status: 400, code: 11030, msg: '图片格式不支持，请上传 JPG、PNG 或 WebP', data: null })
      return
    }
    expect(answer.code).toBe(0)
    const made = Buffer.from(await (await fetch(address + answer.data.url)).arrayBuffer())
    const { format, width, height, pages, exif, icc, xmp, iptc } = await sharp(made).metadata()
    expect({ format, width, height, pages, exif, icc, xmp, iptc }).toEqual({ format: 'webp', width: 256, height: 256 })
    for (const trace of [mark, '<script', 'PK\x03\x04', 'GPS', '<?php']) expect(made.includes(trace)).toBe(false)
  })

  test('left nothing but what was answered', async () => {
    const { rows } = await sql<{ name: string }>`select name from file`.execute(database.db)
    expect(rows.length).toBe(0)
    expect(kept().every((name) => /^[0-9a-f]{2}\/[0-9a-f]{32}\.webp$/.test(name))).toBe(true)
  })
})

test.each([
  '../../../../etc/passwd',
  'a.jpg\0.html',
  '..\\..\\boot.ini',
  'con',
  'x'.repeat(5_000),
  '"; filename="b.html',
  '中\r\nSet-Cookie: a=b',
])('a file’s own name is not looked at: %j', async (filename) => {
  const { code, data } = await upload(wang, photo, filename)
  // A name with line breaks or of kilobytes may break the body: then it is none.
  expect([0, 40001]).toContain(code)
  if (code === 0) expect(data.url).toMatch(/^\/files\/[0-9a-f]{32}\.webp$/)
})

describe('bodies', () => {
  const boundary = 'b0undary'
  const typed = { 'content-type': `multipart/form-data; boundary=${boundary}` }
  const part = (field: string, content: string | Buffer, filename: string | null = 'a.jpg') =>
    Buffer.concat([
      Buffer.from(
        `--${boundary}\r\nContent-Disposition: form-data; name="${field}"${filename === null ? '' : `; filename="${filename}"`}\r\n\r\n`,
      ),
      Buffer.from(content),
      Buffer.from('\r\n'),
    ])
  const end = Buffer.from(`--${boundary}--\r\n`)
  const raw = async (body: Buffer | string, headers: Record<string, string> = typed) =>
    (await ask('POST', `/v1/file/${await grant(wang)}`, wang, new Uint8Array(Buffer.from(body)), headers)).code

  test('by hand, as it should be', async () => {
    expect(await raw(Buffer.concat([part('file', photo), end]))).toBe(0)
  })

  test.each<[string, () => Buffer | string, Record<string, string>, number[]]>([
    ['another field', () => Buffer.concat([part('avatar', photo), end]), typed, [40000]],
    ['a field that is no file', () => Buffer.concat([part('file', 'text', null), end]), typed, [40000, 40001]],
    ['two files', () => Buffer.concat([part('file', photo), part('file', photo), end]), typed, [40000, 40001]],
    ['a field before the file', () => Buffer.concat([part('a', 'b', null), part('file', photo), end]), typed, [40000, 40001]],
    ['a thousand fields', () => Buffer.concat([...Array(1_000).fill(part('a', 'b', null)), end]), typed, [40000, 40001]],
    ['no part at all', () => end, typed, [40000, 40001]],
    ['an empty body', () => '', typed, [40000, 40001]],
    ['no end', () => part('file', photo), typed, [40001]],
    [
      'the wrong boundary',
      () => Buffer.concat([part('file', photo), end]),
      { 'content-type': 'multipart/form-data; boundary=other' },
      [40000, 40001],
    ],
    ['no boundary', () => Buffer.concat([part('file', photo), end]), { 'content-type': 'multipart/form-data' }, [40001, 40015]],
    ['prototype as its field', () => Buffer.concat([part('__proto__', photo), end]), typed, [40000, 40001]],
    ['JSON', () => '{"file":"x"}', { 'content-type': 'application/json' }, [40015]],
    ['a form', () => 'file=x', { 'content-type': 'application/x-www-form-urlencoded' }, [40015]],
    ['the picture itself', () => photo, { 'content-type': 'image/jpeg' }, [40015]],
    ['two megabytes and one byte', () => Buffer.concat([part('file', Buffer.alloc(2_097_153, 1)), end]), typed, [11031]],
    ['five megabytes', () => Buffer.concat([part('file', Buffer.alloc(5_000_000, 1)), end]), typed, [11031]],
  ])('%s', async (_name, body, headers, codes) => {
    expect(codes).toContain(await raw(body(), headers))
  })

  test('two megabytes are taken to their last byte', async () => {
    const padded = Buffer.concat([photo, Buffer.alloc(2_097_152 - photo.length)])
    expect((await upload(wang, padded)).code).toBe(0)
  })

  test('other calls take no multipart', async () => {
    expect((await ask('PUT', '/v1/user/avatar', wang, form(photo))).code).toBe(40015)
  })

  describe('a body without an end', () => {
    const piece = `4000\r\n${'x'.repeat(0x4000)}\r\n`
    const head = part('file', '').subarray(0, -2)
    /** Sends the begin of an upload; `send` goes on with it. */
    const begun = async (send: (socket: Socket) => void) => {
      const id = await grant(wang)
      const { hostname, port } = new URL(address)
      const socket = connectSocket(Number(port), hostname)
      let answered = ''
      const closed = new Promise<void>((resolve) => socket.on('close', () => resolve()))
      // A connection that is cut off while it sends is reset.
      socket.on('error', () => {}).on('data', (bytes) => (answered += bytes))
      socket.write(
        `POST /v1/file/${id} HTTP/1.1\r\nhost: x\r\naccess-token: ${wang.token}\r\ncontent-type: ${typed['content-type']}\r\ntransfer-encoding: chunked\r\n\r\n`,
      )
      socket.write(`${head.length.toString(16)}\r\n${head.toString()}\r\n`)
      send(socket)
      await closed
      return answered
    }

    test('is refused at the limit, and the sender reads why', async () => {
      const answered = await begun((socket) => socket.write(piece.repeat(160)))
      expect(answered).toContain('HTTP/1.1 413')
      expect(answered).toContain('"code":11031')
    })

    test('is cut off though it goes on', async () => {
      let flood: NodeJS.Timeout | undefined
      await begun((socket) => {
        flood = setInterval(() => socket.writable && socket.write(piece.repeat(16)), 5)
      })
      clearInterval(flood)
    })
  })
})

describe('what is served', () => {
  test.each(['/files/x', '/files/..%2f..%2fconvexa.json', `/files/${'0'.repeat(32)}.webp`, `/files/${'0'.repeat(32)}.html`, '/files/'])(
    '%s is nothing',
    async (path) => {
      const response = await fetch(address + path)
      expect(response.status).toBe(404)
      expect(response.headers.get('cache-control')).toBe('no-store')
      expect(((await response.json()) as Envelope<null>).code).toBe(40004)
    },
  )
})

test('what nothing names is swept: files unused for an hour, bytes of deleted users, half-written ones', async () => {
  const store = fileStore(dataDir)
  const used = await upload(wang)
  await ask('PUT', '/v1/user/avatar', wang, { file_id: used.data.file_id })
  const unused = await upload(wang)
  const theirs = await upload(li)
  await ask('PUT', '/v1/user/avatar', li, { file_id: theirs.data.file_id })
  const nameOf = (url: string) => url.replace('/files/', '')
  const half = join(dataDir, 'files', nameOf(used.data.url).slice(0, 2), '.half.part')
  writeFileSync(half, 'half')
  await sql`delete from app_user where id = ${li.id}`.execute(database.db)
  await sweepFiles({ db: database.db, store })
  for (const url of [used.data.url, unused.data.url, theirs.data.url]) expect((await fetch(address + url)).status).toBe(200)
  await sql`update file set created_at = now() - interval '61 minutes'`.execute(database.db)
  const old = new Date(Date.now() - 61 * 60_000)
  for (const name of kept()) utimesSync(join(dataDir, 'files', name), old, old)
  // Too late to be taken: it may be gone the next moment.
  expect((await ask('PUT', '/v1/user/avatar', wang, { file_id: unused.data.file_id })).code).toBe(11032)
  await sweepFiles({ db: database.db, store })
  expect(kept().map((name) => name.split('/').at(-1))).toEqual([nameOf(used.data.url)])
  expect(await avatarUrl(wang)).toBe(used.data.url)
})
