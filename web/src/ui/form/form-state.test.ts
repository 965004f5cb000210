import { describe, expect, it } from 'vitest'
import { type FormAction, messageAt, mistakesOf, newForm, type Rules, reduceForm } from './form-state.ts'
import { first, rules } from './rules.ts'

type Register = { account: string; password: string; password2: string; agree: boolean }
const blank: Register = { account: '', password: '', password2: '', agree: false }
const checks: Rules<Register> = {
  account: first(rules.required('手机号/邮箱'), rules.account),
  password: (text, all) => rules.required('密码')(text, all) ?? rules.password(all.account)(text, all),
  password2: (text, all) => rules.required('确认密码')(text, all) ?? rules.password2(all.password)(text, all),
  agree: rules.agree,
}
const stateOf = (...actions: FormAction<Register>[]) => actions.reduce(reduceForm<Register>, newForm(blank))
const said = (...actions: FormAction<Register>[]) => {
  const state = stateOf(...actions)
  return (['account', 'password', 'password2', 'agree'] as const).map((field) => messageAt(state, checks, field))
}
const type = (values: Partial<Register>): FormAction<Register> => ({ type: 'change', values })
const leave = (field: keyof Register): FormAction<Register> => ({ type: 'leave', field })

describe('a form says what is wrong when it helps', () => {
  it('says nothing while the first letters are typed', () => expect(said(type({ account: '138' }))).toEqual([null, null, null, null]))

  it('says nothing of a field that is only walked through', () => expect(said(leave('account'))).toEqual([null, null, null, null]))

  it('speaks when a field that was typed in is left', () =>
    expect(said(type({ account: '138' }), leave('account'))).toEqual(['请输入正确的手机号或邮箱', null, null, null]))

  it('takes it back as soon as it is right', () =>
    expect(said(type({ account: '138' }), leave('account'), type({ account: '13800001234' }))).toEqual([null, null, null, null]))

  it('says everything after a submit was tried', () =>
    expect(said({ type: 'try' })).toEqual([
      '请填写手机号/邮箱',
      '请填写密码',
      '请填写确认密码',
      '请先阅读并同意《用户协议》《隐私政策》《风险揭示书》',
    ]))

  it('looks at other fields', () =>
    expect(said(type({ password: 'abcd-1234', password2: 'abcd-123' }), leave('password2'))).toEqual([
      null,
      null,
      '两次输入的密码不一致',
      null,
    ]))

  it('keeps the word of the server until the field changes', () => {
    const refuse = { type: 'refuse', error: null, field: 'account', message: '该账号已注册' } as const
    const filled = type({ account: '13800001234' })
    expect(said(filled, { type: 'submit' }, refuse)[0]).toBe('该账号已注册')
    expect(said(filled, { type: 'submit' }, refuse, type({ password: 'x' }))[0]).toBe('该账号已注册')
    expect(said(filled, { type: 'submit' }, refuse, type({ account: '13900001234' }))[0]).toBe(null)
  })

  it('is busy from submit to answer', () => {
    const failure = new Error('x')
    const refused = { type: 'refuse', error: failure, field: null, message: '' } as const
    expect([stateOf().busy, stateOf({ type: 'submit' }).busy, stateOf({ type: 'submit' }, { type: 'done' }).busy]).toEqual([
      false,
      true,
      false,
    ])
    expect(stateOf({ type: 'submit' }, refused)).toMatchObject({ busy: false, refusal: failure })
    expect(stateOf({ type: 'submit' }, refused, { type: 'submit' }).refusal).toBe(null)
  })

  it('names what is wrong in the order of the rules, so that the first is focused', () =>
    expect(mistakesOf({ ...blank, password: 'short' }, checks).map(([field]) => field)).toEqual([
      'account',
      'password',
      'password2',
      'agree',
    ]))
})
