import { describe, expect, test } from 'vitest'
import { ApiError } from '../base/api-error.ts'
import { checkNewPassword } from './password-rules.ts'

const codeOf = (password: string, accounts = ['13800138000', 'wang.lei@example.cn']): Promise<number> =>
  checkNewPassword(password, accounts).then(
    () => 0,
    (error: unknown) => (error instanceof ApiError ? error.code : -1),
  )

describe('refused as common', () => {
  test.each([
    ...['12345678', '123456789', '1234567890', '87654321', '01234567', '11111111', '88888888', '12341234', 'abcabcabc', 'aaaaaaaaa'],
    ...[
      'password',
      'PassWord',
      'ｐａｓｓｗｏｒｄ',
      'password1',
      'Password123!',
      'p@ssw0rd',
      'P@ssw0rd2024',
      'passw0rd!!',
      'admin@123',
      'welcome2024',
    ],
    ...['qwertyuiop', 'asdfghjkl', '1qaz2wsx', 'zxcvbnm,./', 'poiuytrewq', '1q2w3e4r', '147258369', 'qwerty123', 'abcdefgh', 'zyxwvuts'],
    ...[
      'woaini1314',
      '5201314520',
      '5201314a',
      'wang123456',
      'a12345678',
      'qq123456',
      'zhangwei88',
      'iloveyou1',
      '19900101',
      '20081231',
      '01011990',
    ],
    ...['wang.lei', '13800138000', 'WANG.LEI@example.cn'].filter((one) => one.length >= 8),
  ])('%s', async (password) => {
    expect(await codeOf(password)).toBe(11008)
  })
})

test('every one of the 10,000 most used ones that is long enough is refused', async () => {
  const { dictionary } = await import('@zxcvbn-ts/language-common')
  const used = dictionary['passwords-common'].slice(0, 10_000).filter(({ length }) => length >= 8)
  expect(used.length).toBeGreaterThan(3_000)
  // Of its own, no pattern and no word with digits around it.
  expect(used).toContain('corvette')
  const codes = await Promise.all(used.map((password) => codeOf(password)))
  expect(new Set(codes)).toEqual(new Set([11008]))
  expect(await codeOf('CORVETTE')).toBe(11008)
})

describe('taken', () => {
  test.each([
    'correct horse battery',
    '一个谁也猜不到的密码',
    'tr0ub4dor&3x',
    'Kp7#mQ2vX',
    '下雨天去钓鱼',
    '2026我们去看海',
    'moon-lake-19',
    '        x'.padStart(12, '~'),
  ])('%s', async (password) => {
    expect(await codeOf(password.length >= 8 ? password : `${password}，好不好`)).toBe(0)
  })
})

test.each([
  ['x'.repeat(3), 11007],
  ['1234567', 11007],
  ['😀'.repeat(7), 11007],
  ['😀🎣🌊🏔️🍵📈🧮🎲', 0],
  ['长短不一的密码，'.repeat(16), 0],
  [`${'长短不一的密码，'.repeat(16)}。`, 11007],
])('%s is counted in characters', async (password, code) => {
  expect(await codeOf(password)).toBe(code)
})
