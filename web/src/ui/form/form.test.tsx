import { expect, it, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { axeFaults } from '../../../test/components/axe.ts'
import { CallError, sentenceOf } from '../../api/messages.ts'
import { Button } from '../button.tsx'
import { NumberField } from '../controls.tsx'
import { FieldError } from '../field-error.tsx'
import { Form, FormRow } from './form-row.tsx'
import { first, rules } from './rules.ts'
import { TextArea, TextField } from './text-field.tsx'
import { useForm } from './use-form.ts'

type Values = { name: string; hold: number | null; cost: number | null; remark: string }
const right: Values = { name: '双低', hold: 10, cost: 0.001, remark: '' }

/** A form with fields of each kind, as a rule is saved. */
function Strategy({
  values = right,
  look = 'beside',
  submit = async () => {},
}: {
  values?: Values
  look?: 'beside' | 'above'
  submit?: (values: Values) => Promise<void>
}) {
  const form = useForm<Values>({
    first: values,
    rules: {
      name: first<string, unknown>(rules.required('策略名称'), rules.strategyName(['高股息'])),
      hold: first<number | null, unknown>(rules.required('持有数量'), rules.holdCount(100)),
      cost: first<number | null, unknown>(rules.required('单边成本'), rules.cost),
      remark: rules.remark,
    },
    places: { 21003: 'name' },
    submit,
  })
  return (
    <Form aria-label="策略" look={look} {...form.props}>
      <FormRow label="策略名称" required message={form.message('name')} hint="列表里这样叫它">
        {(control) => <TextField {...control} {...form.bind('name')} />}
      </FormRow>
      <FormRow label="持有数量" unit="只" message={form.message('hold')}>
        {(control) => <NumberField {...control} {...form.bind('hold')} width={112} />}
      </FormRow>
      <FormRow label="单边成本" message={form.message('cost')}>
        {(control) => <NumberField {...control} {...form.bind('cost')} unit="%" scale={100} width={112} />}
      </FormRow>
      <FormRow label="备注" note="选填" message={form.message('remark')}>
        {(control) => <TextArea {...control} {...form.bind('remark')} most={200} />}
      </FormRow>
      {form.refusal !== null && <FieldError>{sentenceOf(form.refusal)}</FieldError>}
      <div className="actions">
        <Button type="submit" look={['primary']} disabled={form.busy}>
          {form.busy ? '正在保存…' : '保存'}
        </Button>
      </div>
    </Form>
  )
}
const field = (name: string | RegExp) => page.getByRole('textbox', { name })
const save = () => page.getByRole('button', { name: '保存' })
const messages = () =>
  expect.poll(() =>
    page
      .getByRole('alert')
      .elements()
      .map((one) => one.textContent),
  )

it.each([
  ['策略名称', '', '请填写策略名称'],
  ['策略名称', '高股息', '名称已存在'],
  ['策略名称', '双'.repeat(51), '名称需为1至50个字符'],
  ['持有数量', '', '请填写持有数量'],
  ['持有数量', '0', '持有数量须为 1–100 的整数'],
  ['持有数量', '2.5', '持有数量须为 1–100 的整数'],
  ['单边成本', '2.5', '单边成本须在 0–2% 之间'],
  ['备注', '字'.repeat(201), '备注最多 200 字'],
])('%s: %j is said to be wrong once it is left, and no longer once it is right', async (name, typed, message) => {
  await render(<Strategy />)
  const one = field(new RegExp(`^${name}`))
  await one.fill(typed)
  await messages().toEqual([])
  await userEvent.tab()
  await messages().toEqual([message])
  await expect.element(one).toHaveAttribute('aria-invalid', 'true')
  expect(
    one
      .element()
      .getAttribute('aria-describedby')
      ?.split(' ')
      .map((id) => document.getElementById(id)?.textContent)[0],
  ).toBe(message)
  await one.fill('1')
  await messages().toEqual([])
  await expect.element(one).not.toHaveAttribute('aria-invalid')
})

it('by keyboard: a field that was only passed says nothing; Enter tries, says everything and leads to the first wrong one', async () => {
  const saved = vi.fn(async () => {})
  await render(<Strategy values={{ name: '双低', hold: null, cost: 0.03, remark: '' }} submit={saved} />)
  for (let i = 0; i < 5; i++) await userEvent.tab()
  await messages().toEqual([])
  await expect.element(save()).toHaveFocus()
  await userEvent.keyboard('{Enter}')
  await messages().toEqual(['请填写持有数量', '单边成本须在 0–2% 之间'])
  await expect.element(field('持有数量')).toHaveFocus()
  await userEvent.keyboard('12')
  await userEvent.tab()
  await userEvent.keyboard('0.1{Enter}')
  await vi.waitFor(() => expect(saved).toHaveBeenCalledWith({ name: '双低', hold: 12, cost: 0.001, remark: '' }))
})

it('is busy while it is sent, and is sent once', async () => {
  let done = () => {}
  const saved = vi.fn(() => new Promise<void>((resolve) => (done = resolve)))
  await render(<Strategy submit={saved} />)
  await save().click()
  await expect.element(page.getByRole('button', { name: '正在保存…' })).toBeDisabled()
  await expect.element(page.getByRole('form', { name: '策略' })).toHaveAttribute('aria-busy', 'true')
  field('策略名称').element().focus()
  await userEvent.keyboard('{Enter}')
  expect(saved).toHaveBeenCalledTimes(1)
  done()
  await expect.element(save()).toBeEnabled()
})

it('what the server refuses is said at its field until that changes, what is about no field at the end', async () => {
  const refusals = [new CallError('response', '名称已存在', 21003), new CallError('response', '策略数量已达上限', 21005)]
  await render(<Strategy submit={() => Promise.reject(refusals.shift())} />)
  await save().click()
  await messages().toEqual(['名称已存在'])
  await expect.element(field('策略名称')).toHaveFocus()
  await userEvent.keyboard('双低二')
  await messages().toEqual([])
  await save().click()
  await messages().toEqual(['策略数量已达上限'])
  await expect.element(field('策略名称')).not.toHaveAttribute('aria-invalid')
})

it('a row says its hint, what went well in its place, and why it is off; each is read with its field', async () => {
  await render(
    <Form aria-label="账号">
      <FormRow label="手机号" hint="用于登录">
        {(control) => <TextField {...control} value="" onChange={() => {}} />}
      </FormRow>
      <FormRow label="验证码" hint="6 位数字" done="验证码已发送">
        {(control) => <TextField {...control} value="" onChange={() => {}} />}
      </FormRow>
      <FormRow label="邮箱" hint="用于找回密码" off="体验账号不可修改">
        {(control) => <TextField {...control} value="" onChange={() => {}} />}
      </FormRow>
    </Form>,
  )
  await expect.element(field('手机号')).toHaveAccessibleDescription('用于登录')
  await expect.element(field('验证码')).toHaveAccessibleDescription('验证码已发送')
  await expect.element(page.getByRole('status')).toHaveTextContent('验证码已发送')
  await expect.element(field('邮箱')).toHaveAccessibleDescription('体验账号不可修改')
  await expect.element(field('邮箱')).toBeDisabled()
  expect(await axeFaults()).toEqual([])
})

it.each(['beside', 'above'] as const)(
  '%s: fits a phone, as high as a finger needs, and axe finds nothing with every message said',
  async (look) => {
    await page.viewport(320, 720)
    await render(<Strategy look={look} values={{ name: '', hold: 0, cost: 1, remark: '字'.repeat(201) }} />)
    await save().click()
    await messages().toHaveLength(4)
    expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(320)
    for (const name of ['策略名称', '持有数量', '单边成本'])
      expect((field(name).element().parentElement as HTMLElement).getBoundingClientRect().height).toBeGreaterThanOrEqual(44)
    expect(save().element().getBoundingClientRect().height).toBeGreaterThanOrEqual(44)
    expect(await axeFaults()).toEqual([])
  },
)
