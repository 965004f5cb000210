import { describe, expect, test } from 'vitest'
import { errorCodes } from '../src/enums/error-code.ts'
import { type ErrorCode, errors, messageOf } from '../src/errors.ts'

const table = Object.entries(errors).map(([code, { http, msg }]) => ({ code: Number(code), http: http as number, msg }))

describe('the table of codes', () => {
  test.each(table)('$code $http $msg', ({ code, http, msg }) => {
    expect(msg).toMatch(/[\u4e00-\u9fff]/)
    expect(msg.length).toBeLessThanOrEqual(60)
    expect(msg).not.toMatch(/[\r\n[\]]/)
    // Success is 200 and 0 together; 401 is a lost login and nothing else; 403 would log the user out.
    expect(http === 200).toBe(code === 0)
    expect(http === 401).toBe(Math.floor(code / 10) === 4010)
    expect(http).not.toBe(403)
    expect([200, 400, 401, 402, 404, 405, 409, 413, 415, 429, 500, 503]).toContain(http)
  })

  test('each code but success has one name', () => {
    expect(Object.values(errorCodes).toSorted()).toEqual(table.flatMap(({ code }) => (code === 0 ? [] : [code])).toSorted())
  })

  test('500 is a bug, and only one code says so', () => {
    expect(table.filter(({ http }) => http === 500).map(({ code }) => code)).toEqual([50000])
  })
})

test.each<[ErrorCode, (string | number)[], string]>([
  [40004, [], '内容不存在或已被删除'],
  [40000, ['parameters.hold_days'], '请求参数有误：parameters.hold_days'],
  [22002, [3, 14], '公式语法错误（第3行第14列）'],
  [21010, [2], '该因子正被2个策略使用，确认后可删除'],
  [22006, ['$&'], '未知函数：$&'],
])('%i with %j reads %s', (code, places, sentence) => {
  expect(messageOf(code, ...places)).toBe(sentence)
})

test('a sentence stays one line of at most 100 characters, whatever is put into it', () => {
  expect(messageOf(22006, 'a\u0000b\u001b[2J\nc\ud800')).toBe('未知函数：ab[2Jc')
  for (const code of table.map(({ code }) => code).filter(Boolean)) {
    const sentence = messageOf(code as ErrorCode, '名'.repeat(5_000))
    expect([code, sentence.length <= 100, /\p{C}/u.test(sentence)]).toEqual([code, true, false])
  }
})
