import { calls } from '@convexa/contract/calls'
import { beforeEach, expect, it } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { App } from '../../../test/components/app.tsx'
import { axeFaults } from '../../../test/components/axe.ts'
import { type ScriptedApi, scriptedApi } from '../../../test/components/scripted-api.ts'
import { LoginPage } from './login-page.tsx'

let api: ScriptedApi
beforeEach(async () => {
  api = scriptedApi()
  await render(
    <App at="/login">
      <LoginPage />
    </App>,
  )
})
const account = () => page.getByRole('textbox', { name: '手机号/邮箱' })
const password = () => page.getByLabelText('密码', { exact: true })
const login = () => page.getByRole('button', { name: '登录', exact: true })

it('goes from the account to the password, the button and what has forgotten it, by Tab', async () => {
  await expect.element(account()).toHaveFocus()
  for (const next of [
    password(),
    page.getByRole('button', { name: '显示密码' }),
    page.getByRole('checkbox', { name: '记住我' }),
    login(),
    page.getByRole('link', { name: '忘记密码？' }),
    page.getByRole('link', { name: '立即注册' }),
  ]) {
    await userEvent.tab()
    await expect.element(next).toHaveFocus()
  }
})

it.each([
  ['', '', ['请填写手机号或邮箱', '请填写密码']],
  ['nobody', 'x', ['请输入正确的手机号或邮箱']],
  ['1380000000', 'x', ['请输入正确的手机号或邮箱']],
])('of %j and %j it says what is missing or wrong, and asks nobody', async (name, secret, messages) => {
  await account().fill(name)
  await password().fill(secret)
  await login().click()
  await expect
    .poll(() =>
      page
        .getByRole('alert')
        .elements()
        .map((one) => one.textContent),
    )
    .toEqual(messages)
  expect(api.asked(calls.authorize.byPassword)).toEqual([])
})

it('a wrong password is said at its field until it changes, and what is typed goes to the server without the spaces around it', async () => {
  api.refuses(calls.authorize.byPassword, 11001, '账号或密码错误')
  await account().fill(' reader@example.com ')
  await password().fill('not-the-password')
  await userEvent.keyboard('{Enter}')
  await expect.element(password()).toHaveAccessibleDescription('账号或密码错误')
  await expect.element(password()).toHaveFocus()
  expect(api.asked(calls.authorize.byPassword).map(({ body }) => body)).toEqual([
    { account: 'reader@example.com', password: 'not-the-password' },
  ])
  await password().fill('x')
  await expect.element(page.getByText('账号或密码错误')).not.toBeInTheDocument()
})

it('fits a phone, and axe finds nothing with its messages said', async () => {
  await page.viewport(360, 640)
  await login().click()
  await expect.element(page.getByText('请填写密码')).toBeVisible()
  expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(360)
  expect(await axeFaults()).toEqual([])
})
