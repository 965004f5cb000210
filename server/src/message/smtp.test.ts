import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type SmtpStandIn, smtpStandIn } from '../../test/stand-ins/smtp-stand-in.ts'
import { DeliveryError, type Letter } from './deliver.ts'
import { smtpMail } from './smtp.ts'
import { wordsOf } from './texts.ts'

let server: SmtpStandIn
const from = '凸度量化 <no-reply@convexa.example>'
const words = wordsOf({ siteName: '凸度量化', siteUrl: null }, { purpose: 'activate_email', code: '482913', seconds: 300 })
const letter: Letter = {
  id: '0198c0de-0000-7000-8000-000000000001',
  to: 'wang@example.cn',
  purpose: 'activate_email',
  code: '482913',
  ...words,
  maybeSent: false,
}
const outcome = (given: Partial<Letter> = {}, url = server.url) =>
  smtpMail(
    url,
    from,
  )({ ...letter, ...given }).then(
    () => 'taken',
    (error: unknown) => (error instanceof DeliveryError ? error.outcome : error),
  )

beforeAll(async () => {
  server = await smtpStandIn()
})
beforeEach(() => {
  server.mails.length = 0
})
afterAll(() => server.close())

test('a mail with its words, its sender and an id that stays', async () => {
  expect(await outcome()).toBe('taken')
  const [mail] = server.mails
  expect(mail?.to).toBe('wang@example.cn')
  expect(mail?.raw).toContain(`Message-ID: <${letter.id}@convexa.example>`)
  expect(mail?.raw).toContain('Auto-Submitted: auto-generated')
  const body = mail?.raw.split('\n\n').slice(1).join('\n').replaceAll('\n', '') ?? ''
  expect(Buffer.from(body, 'base64').toString('utf8').trim()).toBe(
    '【凸度量化】验证码 482913，用于激活邮箱，5 分钟内有效。请勿告诉任何人；如非本人操作，请忽略。',
  )
})

describe('what the server answers', () => {
  test.each([
    ['an unknown mailbox stays unknown', { RCPT: '550 5.1.1 no such user' }, 'refused'],
    ['a full one or greylisting passes', { RCPT: '451 4.7.1 later' }, 'later'],
    ['a refused text stays refused', { DATA: '554 5.7.1 spam' }, 'refused'],
    ['wrong credentials may be mended', { AUTH: '535 5.7.8 wrong' }, 'later'],
    ['a line that breaks after the text may have taken it', { DATA: 'hang up' }, 'unclear'],
  ] as const)('%s', async (_name, script, expected) => {
    Object.assign(server.script, script)
    expect(await outcome()).toBe(expected)
    expect(server.mails).toEqual([])
  })

  test('nobody there', async () => {
    expect(await outcome({}, 'smtp://127.0.0.1:1')).toBe('later')
  })
})

test('an address cannot bring headers or further receivers', async () => {
  await outcome({ to: 'a@example.cn>\r\nBcc: <b@example.cn' })
  await outcome({ to: 'a@example.cn, b@example.cn' })
  expect(server.mails.filter(({ to, raw }) => to === 'b@example.cn' || /^bcc:/im.test(raw))).toEqual([])
})
