import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, utimesSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { type TestDatabase, testDatabase } from '../../test/fixtures/database.ts'
import { until } from '../../test/fixtures/processes.ts'
import { testWorld } from '../../test/fixtures/world.ts'
import type { AppContext } from '../context/app-context.ts'
import { openWorkingQueue, type WorkingQueue } from '../queue/queue.ts'
import { type Deliver, DeliveryError, type Letter } from './deliver.ts'
import { lostMessages } from './lost-messages.ts'
import { outboxFolder } from './outbox.ts'
import { type Message, queueMessage } from './queue.ts'
import { messageSender, outboxNotice } from './send.ts'

let database: TestDatabase
let context: AppContext
let dataDir: string
let warned: unknown[]

beforeAll(async () => {
  database = await testDatabase()
  dataDir = mkdtempSync(join(tmpdir(), 'convexa-send-'))
  context = testWorld(database, { config: { dataDir } }).context
})
beforeEach(async () => {
  warned = []
  await database.pool.query('delete from message')
})
afterAll(async () => {
  await database.drop()
  rmSync(dataDir, { recursive: true, force: true })
})

const code: Message = { to: '13800138000', channel: 'sms', purpose: 'register', code: '482913', seconds: 300 }
const put = (message: Partial<Message> = {}) =>
  context.db.transaction().execute((transaction) => queueMessage(context, transaction, { ...code, ...message }))
const log = (event: string, details: Record<string, unknown>) => void warned.push({ event, ...details })
const senderOf = (deliver: Deliver) => messageSender({ db: context.db, config: context.config, log }, { sms: deliver, email: deliver })
const left = () => context.db.selectFrom('message').select(['attempts', 'unclear']).execute()

test('without vendors a message becomes a file for the operator alone', async () => {
  const id = await put()
  await messageSender({ db: context.db, config: context.config, log })(id)
  const folder = outboxFolder(dataDir)
  expect(readdirSync(folder)).toEqual([`${id}.json`])
  const file = join(folder, `${id}.json`)
  expect(statSync(file).mode & 0o777).toBe(0o600)
  expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({
    to: '13800138000',
    channel: 'sms',
    purpose: 'register',
    text: '【凸度量化】验证码 482913，用于注册账号，5 分钟内有效。请勿告诉任何人；如非本人操作，请忽略。',
    code: '482913',
    created_at: expect.stringMatching(/\+08:00$/),
  })
  expect(await left()).toEqual([])
  const lastWeek = new Date(Date.now() - 8 * 24 * 3_600_000)
  utimesSync(file, lastWeek, lastWeek)
  const next = await put()
  await messageSender({ db: context.db, config: context.config, log })(next)
  expect(readdirSync(folder)).toEqual([`${next}.json`])
  expect(outboxNotice(context.config)).toBe(`短信和邮件服务未配置：消息写入 ${folder}，不会发出`)
})

test('a clock that is ahead of the disk’s by weeks takes no message that is being written', async () => {
  const ahead = Date.now() + 30 * 24 * 3_600_000
  const id = await put()
  const clock = vi.spyOn(Date, 'now').mockReturnValue(ahead)
  await messageSender({ db: context.db, config: context.config, log })(id).finally(() => clock.mockRestore())
  expect(readdirSync(outboxFolder(dataDir))).toEqual([`${id}.json`])
})

test('a secret that cannot be read keeps messages waiting: it is not another one', async () => {
  const id = await put()
  const elsewhere = join(dataDir, 'elsewhere')
  mkdirSync(join(elsewhere, 'secret.key'), { recursive: true })
  const config = { ...context.config, secretKey: null, dataDir: elsewhere }
  await expect(messageSender({ db: context.db, config, log })(id)).rejects.toThrow('EISDIR')
  expect(await left()).toHaveLength(1)
})

describe('an attempt', () => {
  const throwing = (outcome: DeliveryError['outcome']) =>
    senderOf(async () => {
      throw new DeliveryError(outcome, 'vendor.CODE')
    })

  test('that succeeds leaves nothing, and a second call sends nothing', async () => {
    const sent: Letter[] = []
    const send = senderOf(async (letter) => void sent.push(letter))
    const id = await put()
    await send(id)
    await send(id)
    expect(sent).toHaveLength(1)
    expect(await left()).toEqual([])
  })

  test('that is refused is given up', async () => {
    await throwing('refused')(await put())
    expect(await left()).toEqual([])
    expect(warned).toEqual([expect.objectContaining({ event: 'message not sent', outcome: 'refused', reason: 'vendor.CODE' })])
  })

  test.each([
    ['later', false],
    ['unclear', true],
  ] as const)('that failed “%s” is tried again and knows what came before', async (outcome, maybeSent) => {
    const id = await put()
    await expect(throwing(outcome)(id)).rejects.toThrow('vendor.CODE')
    expect(await left()).toEqual([{ attempts: 1, unclear: maybeSent }])
    let seen: Letter | null = null
    await senderOf(async (letter) => {
      seen = letter
    })(id)
    expect(seen).toMatchObject({ id, maybeSent })
  })

  test('of a code that has run out is not made, and the message counts as lost unless it may have been sent', async () => {
    const before = lostMessages()
    const id = await put()
    await put()
    await sql`update message set expires_at = now(), unclear = (id <> ${id})`.execute(context.db)
    await senderOf(async () => expect.unreachable())(id)
    expect(await left()).toEqual([])
    expect(lostMessages()).toBe(before + 1)
  })

  test('with another key opens nothing', async () => {
    const before = lostMessages()
    const id = await put()
    const other = { ...context.config, secretKey: 'another secret of thirty-two letters' }
    await messageSender({ db: context.db, config: other, log })(id)
    expect(warned).toEqual([{ event: 'message sealed with another key', message: id }])
    expect(await left()).toEqual([])
    expect(lostMessages()).toBe(before + 1)
  })
})

describe('through the queue', () => {
  let queue: WorkingQueue
  beforeAll(async () => {
    queue = await openWorkingQueue(database.url, () => {})
  })
  afterAll(() => queue.close())

  test('fails, is tried again, arrives; the queue keeps neither code nor number', async () => {
    const letters: Letter[] = []
    let kept = ''
    const send = senderOf(async (letter) => {
      letters.push(letter)
      const { rows } = await database.pool.query<{ text: string }>("select string_agg(j::text, ' ') as text from pgboss.job j")
      kept = rows[0]?.text ?? ''
      if (letters.length === 1) throw Object.assign(new Error(`cannot send ${letter.code} to ${letter.to}`), { code: 'EPIPE' })
    })
    await queue.takeMessages(2, send)
    await put()
    await until(async () => letters.length === 2 && (await left()).length === 0, 'the second attempt')
    expect(letters[1]).toMatchObject({ maybeSent: true })
    for (const secret of ['482913', '13800138000']) {
      expect(kept).not.toContain(secret)
      expect(JSON.stringify(warned)).not.toContain(secret)
    }
    expect(kept).toContain('EPIPE')
  })
})
