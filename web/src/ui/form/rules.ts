import { accountOf, isMobile } from '@convexa/contract/account'
import { nameSentence } from '@convexa/contract/rules/names'
import { passwordLength, passwordSentence, passwordTexts } from '@convexa/contract/rules/passwords'
import { isDate } from '../../base/dates.ts'
import { isCommonPassword } from './common-passwords.ts'

// What a field may hold and what is said when it does not (product.md 2.1), as data. The server checks again.

/** The sentence for a value that is wrong, else null. `all` are the form's other values. */
export type Rule<V, All = unknown> = (value: V, all: All) => string | null

export interface DateRange {
  start: string
  end: string
}

const empty = (value: unknown) =>
  value === null || value === undefined || value === '' || value === false || (typeof value === 'string' && value.trim() === '')

/** What is empty is the business of `required` alone. */
const when =
  <V>(good: (value: V) => boolean, message: string): Rule<V> =>
  (value) =>
    empty(value) || good(value) ? null : message

const whole = (value: number, low: number, high: number) => Number.isInteger(value) && value >= low && value <= high
const within = (value: number, low: number, high: number) => value >= low && value <= high
const letters = (text: string) => [...text].length
const mobile = (text: string) => isMobile(accountOf(text))
const isEmail = (text: string) => accountOf(text).length <= 254 && /^[^\s@]+@[^\s@.]+(\.[^\s@.]+)+$/.test(accountOf(text))

export const rules = {
  required:
    (name: string): Rule<unknown> =>
    (value) =>
      empty(value) ? `请填写${name}` : null,
  account: when<string>((text) => mobile(text) || isEmail(text), '请输入正确的手机号或邮箱'),
  mobile: when<string>(mobile, '手机号应为 11 位数字'),
  email: when<string>(isEmail, '邮箱格式不正确'),
  /** Of any characters; neither a common one nor the account itself. */
  password:
    (account: string): Rule<string> =>
    (text) => {
      if (text === '') return null
      const isKnown = isCommonPassword(text) || accountOf(text) === accountOf(account)
      return passwordSentence(text) ?? (isKnown ? passwordTexts.common : null)
    },
  password2:
    (first: string): Rule<string> =>
    (text) =>
      text === '' || text === first ? null : '两次输入的密码不一致',
  code: when<string>((text) => /^\d{6}$/.test(text.trim()), '请输入 6 位数字验证码'),
  agree: ((ticked) => (ticked ? null : '请先阅读并同意《用户协议》《隐私政策》《风险揭示书》')) satisfies Rule<boolean>,
  strategyName:
    (taken: readonly string[] = []): Rule<string> =>
    (text) =>
      empty(text) ? null : nameSentence(text, taken),
  remark: when<string>((text) => letters(text) <= 200, '备注最多 200 字'),
  /** `data` is what the market has, `days` counts the trading days of a range. */
  dateRange:
    (data: DateRange, days: (range: DateRange) => number): Rule<DateRange> =>
    (range) => {
      const { start, end } = range
      if (!isDate(start) || !isDate(end)) return '请填写开始与结束日期'
      if (start >= end) return '开始日期须早于结束日期'
      if (start < data.start) return `数据从 ${data.start} 开始`
      if (end > data.end) return `数据到 ${data.end} 为止`
      return days(range) < leastTradingDays ? `区间少于 ${leastTradingDays} 个交易日，统计指标没有意义` : null
    },
  weight: when<number | null>((value) => value !== null && value > 0, '权重须大于 0'),
  weightMost: when<number | null>((value) => value !== null && value <= 100, '权重不能大于 100'),
  holdCount: (most: number) => when<number | null>((value) => value !== null && whole(value, 1, most), `持有数量须为 1–${most} 的整数`),
  /** A fraction of one. */
  rankFilter: when<number | null>((value) => value !== null && value > 0 && value < 1, '分位须在 0%–100% 之间'),
  /** A fraction of one, per side. */
  cost: when<number | null>((value) => value !== null && within(value, 0, 0.02), '单边成本须在 0–2% 之间'),
  /** In 万元. */
  capital: when<number | null>((value) => value !== null && within(value, 0.1, 100_000), '资金须在 0.1–100000 万元之间'),
} as const

const leastTradingDays = 60

/** The first sentence of several rules. */
export const first =
  <V, All>(...each: readonly Rule<V, All>[]): Rule<V, All> =>
  (value, all) => {
    for (const rule of each) {
      const message = rule(value, all)
      if (message) return message
    }
    return null
  }

export const strengthWords = ['', '弱', '中', '较强', '强'] as const

/** 0 (nothing, or too short) to 4. Length counts most: a long phrase of one kind of letters is strong too. */
export function strengthOf(password: string): 0 | 1 | 2 | 3 | 4 {
  const length = letters(password)
  if (length === 0) return 0
  if (length < passwordLength.min || isCommonPassword(password)) return 1
  const kinds = [/[a-z]/, /[A-Z]/, /\d/, /[^a-zA-Z\d]/].filter((kind) => kind.test(password)).length
  const different = new Set(password).size
  const points = Math.min(length, different * 2) + kinds * 2
  return points >= 22 ? 4 : points >= 17 ? 3 : points >= 12 ? 2 : 1
}
