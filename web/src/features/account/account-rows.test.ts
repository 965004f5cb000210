import { expect, it } from 'vitest'
import { accountRule, channelOf } from './account-rows.tsx'

it.each([
  ['', null],
  ['1', null],
  ['138', 'sms'],
  [' 13800001234 ', 'sms'],
  ['138@', 'email'],
  ['reader', null],
  ['reader@example.cn', 'email'],
])('what is typed, %j, is sent to by %s', (typed, channel) => expect(channelOf(typed)).toBe(channel))

it.each([
  ['', 'sms', '请填写手机号或邮箱'],
  ['13800001234', 'sms', null],
  ['13800001234', 'email', '邮箱格式不正确'],
  ['reader@example.cn', 'sms', '手机号应为 11 位数字'],
  ['reader@example.cn', 'email', null],
] as const)('%j by %s: %s', (account, channel, message) => expect(accountRule(account, { channel })).toBe(message))
