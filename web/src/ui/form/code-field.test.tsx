import { useState } from 'react'
import { expect, it, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { axeFaults } from '../../../test/components/axe.ts'
import { useSecondsTo } from '../use-seconds-to.ts'
import { type CodeAsking, CodeField } from './code-field.tsx'
import { Form, FormRow } from './form-row.tsx'

const idle: CodeAsking = { busy: false, left: 0, again: false }

let code: string
function Code({
  asking = idle,
  ready = true,
  message = null,
  off,
  onSend = () => {},
}: {
  asking?: CodeAsking
  ready?: boolean
  message?: string | null
  off?: string
  onSend?: () => void
}) {
  const [now, setNow] = useState('')
  code = now
  return (
    <Form look="above" aria-label="绑定手机">
      <FormRow label="验证码" message={message} off={off}>
        {(control) => <CodeField {...control} value={now} onChange={setNow} asking={asking} ready={ready} onSend={onSend} />}
      </FormRow>
    </Form>
  )
}
const field = () => page.getByRole('textbox', { name: '验证码' })
const button = () => page.getByRole('button')

it.each([
  ['123456', '123456'],
  ['12 34 56', '123456'],
  ['１２３４５６', '123456'],
  ['验证码：654321，5 分钟内有效', '654321'],
  ['1234567', '123456'],
  ['abc', ''],
])('%j is taken as %j', async (typed, taken) => {
  await render(<Code />)
  await field().fill(typed)
  await expect.element(field()).toHaveValue(taken)
  expect(code).toBe(taken)
})

it.each([
  ['nobody asked yet', { ...idle }, true, '获取验证码', true],
  ['it is not known where to send it', { ...idle }, false, '获取验证码', false],
  ['it waits for the human check', { ...idle, asksHuman: true }, true, '待验证', false],
  ['it is being sent', { ...idle, busy: true }, true, '正在发送…', false],
  ['one was sent a moment ago', { ...idle, left: 42, again: true }, true, '42 秒后可重发', false],
  ['one was sent a minute ago', { ...idle, again: true }, true, '重新获取', true],
] as const)('while %s, the button says so', async (_, asking, ready, words, on) => {
  await render(<Code asking={asking} ready={ready} />)
  await expect.element(button()).toHaveTextContent(words)
  if (on) await expect.element(button()).toBeEnabled()
  else await expect.element(button()).toBeDisabled()
})

it('counts the seconds down by the clock, and then sends again', async () => {
  const sent = vi.fn()
  function Waiting() {
    const [until] = useState(() => Date.now() + 60_000)
    return <Code asking={{ ...idle, left: useSecondsTo(until), again: true }} onSend={sent} />
  }
  await render(<Waiting />)
  await expect.element(button()).toHaveTextContent('60 秒后可重发')
  vi.setSystemTime(Date.now() + 18_500)
  await expect.element(button()).toHaveTextContent('42 秒后可重发')
  // A tab that slept over the rest.
  vi.setSystemTime(Date.now() + 3_600_000)
  await expect.element(button()).toHaveTextContent('重新获取')
  await button().click()
  expect(sent).toHaveBeenCalledTimes(1)
})

it('by keyboard: the field, then its button, which Enter presses and which keeps the focus while it sends', async () => {
  const sent = vi.fn()
  function Sending() {
    const [busy, setBusy] = useState(false)
    return (
      <Code
        asking={{ ...idle, busy, again: sent.mock.calls.length > 0 }}
        onSend={() => {
          sent()
          setBusy(true)
          setTimeout(() => setBusy(false))
        }}
      />
    )
  }
  await render(<Sending />)
  await userEvent.tab()
  await expect.element(field()).toHaveFocus()
  await userEvent.tab()
  await userEvent.keyboard('{Enter}')
  await expect.element(button()).toHaveTextContent('重新获取')
  await expect.element(button()).toHaveFocus()
  expect(sent).toHaveBeenCalledTimes(1)
})

it('says what is wrong under itself; both are inside a window of 360 px, as high as a finger needs; axe finds nothing', async () => {
  await page.viewport(360, 640)
  await render(<Code asking={{ ...idle, left: 42, again: true }} message="验证码错误或已过期" />)
  await expect.element(field()).toHaveAttribute('aria-invalid', 'true')
  await expect.element(field()).toHaveAccessibleDescription('验证码错误或已过期')
  await expect.element(field()).toHaveAttribute('autocomplete', 'one-time-code')
  for (const part of [field().element().parentElement as HTMLElement, button().element()]) {
    const { height, right } = part.getBoundingClientRect()
    expect(height).toBeGreaterThanOrEqual(44)
    expect(right).toBeLessThanOrEqual(360)
  }
  expect(await axeFaults()).toEqual([])
})

it('cannot be used while it is off', async () => {
  await render(<Code off="体验账号不可修改" />)
  await expect.element(field()).toBeDisabled()
  await expect.element(button()).toBeDisabled()
  await expect.element(field()).toHaveAccessibleDescription('体验账号不可修改')
})
