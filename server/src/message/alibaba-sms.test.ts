import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { freePort } from '../../../scripts/free-port.mjs'
import { type AlibabaStandIn, alibabaStandIn, type Script } from '../../test/stand-ins/alibaba-stand-in.ts'
import { signed } from './alibaba-signature.ts'
import { alibabaSms } from './alibaba-sms.ts'
import { DeliveryError, type Letter } from './deliver.ts'

test('the example of the vendor’s documentation has the signature that is printed there', () => {
  const { headers } = signed(
    {
      host: 'ecs.cn-shanghai.aliyuncs.com',
      action: 'RunInstances',
      version: '2014-05-26',
      query: { ImageId: 'win2019_1809_x64_dtc_zh-cn_40G_alibase_20230811.vhd', RegionId: 'cn-shanghai' },
      date: '2023-10-26T10:22:32Z',
      nonce: '3156853299f313e23d1673dc12e1703d',
    },
    { accessKeyId: 'YourAccessKeyId', accessKeySecret: 'YourAccessKeySecret' },
  )
  expect(headers['authorization']).toBe(
    'ACS3-HMAC-SHA256 Credential=YourAccessKeyId,SignedHeaders=host;x-acs-action;x-acs-content-sha256;x-acs-date;x-acs-signature-nonce;x-acs-version,Signature=06563a9e1b43f5dfe96b81484da74bceab24a1d853912eee15083a6f0f3283c0',
  )
})

const keys = { accessKeyId: 'key-id', accessKeySecret: 'key-secret' }
const letter: Letter = {
  id: '0198c0de-0000-7000-8000-000000000001',
  to: '13800138000',
  purpose: 'register',
  code: '482913',
  subject: '',
  text: '【凸度量化】…',
  maybeSent: false,
}

let vendor: AlibabaStandIn
/** Only silence is waited out; any other answer may take as long as the machine needs. */
const sender = (more: object = {}, timeoutMs = 20_000) =>
  alibabaSms(
    {
      endpoint: vendor.endpoint,
      ...keys,
      signName: '凸度 (量化)*!',
      codeTemplate: 'SMS_1',
      noticeTemplate: null,
      ...more,
    },
    undefined,
    timeoutMs,
  )
const outcome = (given: Partial<Letter> = {}, more: object = {}, timeoutMs?: number) =>
  sender(
    more,
    timeoutMs,
  )({ ...letter, ...given }).then(
    () => 'taken',
    (error: unknown) => (error instanceof DeliveryError ? `${error.outcome}: ${error.message}` : error),
  )

beforeAll(async () => {
  vendor = await alibabaStandIn(keys)
})
beforeEach(() => {
  vendor.taken.length = 0
  vendor.script.length = 0
})
afterAll(() => vendor.close())

test('a code goes out signed, with the template’s place and nothing else', async () => {
  expect(await outcome()).toBe('taken')
  expect(vendor.taken).toEqual([{ to: '13800138000', sign: '凸度 (量化)*!', template: 'SMS_1', params: { code: '482913' }, id: letter.id }])
})

describe('what the vendor answers', () => {
  test.each<[string, Script, string]>([
    ['a limit of one minute passes', { code: 'isv.BUSINESS_LIMIT_CONTROL' }, 'later: isv.BUSINESS_LIMIT_CONTROL'],
    ['too many calls pass', { code: 'Throttling.User', status: 429 }, 'later: Throttling.User'],
    ['its own fault passes', { code: 'isp.SYSTEM_ERROR' }, 'later: isp.SYSTEM_ERROR'],
    ['an illegal number stays illegal', { code: 'isv.MOBILE_NUMBER_ILLEGAL' }, 'refused: isv.MOBILE_NUMBER_ILLEGAL'],
    ['so does a template that is not approved', { code: 'isv.SMS_TEMPLATE_ILLEGAL' }, 'refused: isv.SMS_TEMPLATE_ILLEGAL'],
    ['a page of a proxy says nothing about us', { status: 503 }, 'unclear: HTTP 503 without a code'],
    ['a refusal without a code was not sent', { status: 413 }, 'later: HTTP 413 without a code'],
    ['silence may have been a success', 'silence', 'unclear: no answer in time'],
    ['so may a broken line', 'hang up', 'unclear: connection lost'],
  ])('%s', async (_name, script, expected) => {
    vendor.script.push(script)
    expect(await outcome({}, {}, script === 'silence' ? 300 : undefined)).toBe(expected)
  })

  test('nobody there: it was not sent', async () => {
    expect(await outcome({}, { endpoint: `http://127.0.0.1:${await freePort()}` })).toBe('later: ECONNREFUSED')
  })

  test('wrong keys are refused by the vendor', async () => {
    expect(await outcome({}, { accessKeySecret: 'another' })).toBe('refused: SignatureDoesNotMatch')
    expect(await outcome({}, { accessKeyId: 'another' })).toBe('refused: InvalidAccessKeyId.NotFound')
  })
})

test('after an attempt without an end, the limit of one a minute says that it arrived', async () => {
  vendor.script.push({ code: 'isv.BUSINESS_LIMIT_CONTROL' })
  expect(await outcome({ maybeSent: true })).toBe('taken')
})

test('a notice needs a template of its own', async () => {
  const notice = { code: null, text: '您的账号密码已修改', purpose: 'password_changed' } as const
  expect(await outcome(notice)).toBe('refused: no template for notices')
  expect(await outcome(notice, { noticeTemplate: 'SMS_2' })).toBe('taken')
  expect(vendor.taken[0]).toMatchObject({ template: 'SMS_2', params: { what: '您的账号密码已修改' } })
})
