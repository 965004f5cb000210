import { describe, expect, it } from 'vitest'
import { first, rules, strengthOf } from './rules.ts'

const long = (length: number) => '字'.repeat(length)
const data = { start: '2018-01-02', end: '2026-11-19' }
const weekdays = ({ start, end }: { start: string; end: string }) =>
  Math.round(((Date.parse(end) - Date.parse(start)) / 86_400_000) * (5 / 7))
const range = rules.dateRange(data, weekdays)

describe('what a field may hold, and the sentence when it does not', () => {
  it.each([
    ['required', rules.required('策略名称')('  ', null), '请填写策略名称'],
    ['required', rules.required('资金')(null, null), '请填写资金'],
    ['required', rules.required('资金')(0, null), null],
    ['account by mobile', rules.account('13800001234', null), null],
    ['account in full-width signs', rules.account('１３８０００１２３４５ ', null), null],
    ['account as it is copied from an address book', rules.account('+86 138 0000 1234', null), null],
    ['account by mail', rules.account(' a.b@example.com ', null), null],
    ['account', rules.account('1380000123', null), '请输入正确的手机号或邮箱'],
    ['account left empty', rules.account('', null), null],
    ['mobile', rules.mobile('12800001234', null), '手机号应为 11 位数字'],
    ['mobile', rules.mobile('19900001234', null), null],
    ['mobile with hyphens', rules.mobile('138-0000-1234', null), null],
    ['email', rules.email('a@b', null), '邮箱格式不正确'],
    ['email', rules.email('a@b..com', null), '邮箱格式不正确'],
    ['email', rules.email('名字@例子.公司', null), null],
    ['password of 7', rules.password('')('aB3!xyz', null), '密码长度需为8至128位'],
    ['password of 129', rules.password('')(`ab${'c'.repeat(127)}`, null), '密码长度需为8至128位'],
    ['password of 8 Chinese letters', rules.password('')('凸度量化回测验证', null), null],
    ['common password', rules.password('')('Password1', null), '该密码过于常见，请更换'],
    ['one letter all the way', rules.password('')('哈哈哈哈哈哈哈哈', null), '该密码过于常见，请更换'],
    ['password = account', rules.password('A@Example.com')('a@example.com', null), '该密码过于常见，请更换'],
    ['password2', rules.password2('abcdefgh1')('abcdefgh2', null), '两次输入的密码不一致'],
    ['password2', rules.password2('abcdefgh1')('abcdefgh1', null), null],
    ['code', rules.code('20481', null), '请输入 6 位数字验证码'],
    ['code', rules.code('204815', null), null],
    ['agree', rules.agree(false), '请先阅读并同意《用户协议》《隐私政策》《风险揭示书》'],
    ['strategy name of 50', rules.strategyName()(long(50), null), null],
    ['strategy name of 51', rules.strategyName()(long(51), null), '名称需为1至50个字符'],
    ['strategy name taken', rules.strategyName(['双低'])(' 双低 ', null), '名称已存在'],
    ['remark of 200', rules.remark(long(200), null), null],
    ['remark of 201', rules.remark(long(201), null), '备注最多 200 字'],
    ['range', range({ start: '2022-01-04', end: '2026-11-19' }, null), null],
    ['range backwards', range({ start: '2026-11-19', end: '2022-01-04' }, null), '开始日期须早于结束日期'],
    ['range before the data', range({ start: '2017-12-29', end: '2020-01-02' }, null), '数据从 2018-01-02 开始'],
    ['range after the data', range({ start: '2020-01-02', end: '2026-11-20' }, null), '数据到 2026-11-19 为止'],
    ['short range', range({ start: '2026-09-01', end: '2026-11-19' }, null), '区间少于 60 个交易日，统计指标没有意义'],
    ['range half typed', range({ start: '2026-09', end: '2026-11-19' }, null), '请填写开始与结束日期'],
    ['weight', rules.weight(0, null), '权重须大于 0'],
    ['weight', rules.weightMost(101, null), '权重不能大于 100'],
    ['hold count', rules.holdCount(100)(0, null), '持有数量须为 1–100 的整数'],
    ['hold count', rules.holdCount(300)(2.5, null), '持有数量须为 1–300 的整数'],
    ['hold count', rules.holdCount(300)(300, null), null],
    ['rank filter', rules.rankFilter(0, null), '分位须在 0%–100% 之间'],
    ['rank filter', rules.rankFilter(1, null), '分位须在 0%–100% 之间'],
    ['rank filter', rules.rankFilter(0.03, null), null],
    ['cost', rules.cost(0.025, null), '单边成本须在 0–2% 之间'],
    ['cost', rules.cost(0, null), null],
    ['capital', rules.capital(0.05, null), '资金须在 0.1–100000 万元之间'],
    ['capital', rules.capital(Number.NaN, null), '资金须在 0.1–100000 万元之间'],
    ['capital', rules.capital(10, null), null],
  ])('%s → %s', (_, said, expected) => expect(said).toBe(expected))

  it('says the first of several sentences', () => {
    const name = first<string, unknown>(rules.required('策略名称'), rules.strategyName(['双低']))
    expect([name('', null), name('双低', null), name('小盘', null)]).toEqual(['请填写策略名称', '名称已存在', null])
  })
})

it.each([
  ['', 0],
  ['abc', 1],
  ['password1', 1],
  ['aaaaaaab', 1],
  ['convexa9', 2],
  ['Convexa-2026', 3],
  ['correct horse battery staple', 4],
] as const)('the strength of %j is %i', (password, strength) => expect(strengthOf(password)).toBe(strength))
