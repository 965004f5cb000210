import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Page } from 'playwright-core'
import { inject } from 'vitest'
import { letterTo } from './outbox.ts'

const cli = fileURLToPath(new URL('../../server/src/cli/main.ts', import.meta.url))
export const password = '一个够长的密码2026'

/** An account as an operator makes it: known by its mobile or e-mail, with the password above. */
export function makeAccount(address: string, nickname: string): Promise<void> {
  const dataDir = inject('dataDir')
  return new Promise((resolve, reject) => {
    // Compiled once for all accounts: it is half of what making one costs.
    const env = { ...process.env, NODE_ENV: '', DATA_DIR: dataDir, NODE_COMPILE_CACHE: join(dataDir, 'cache', 'code') }
    const args = [cli, 'user', 'create', address, '--nickname', nickname, '--password-stdin']
    const child = execFile(process.execPath, args, { env }, (error, _, said) =>
      error ? reject(new Error(said || error.message)) : resolve(),
    )
    child.stdin?.end(`${password}\n`)
  })
}

/** The newest code that went to an address for a purpose. */
export const codeFor = async (to: string, purpose: string): Promise<string> =>
  (await letterTo(inject('dataDir'), to, (letter) => letter.purpose === purpose)).code ?? ''

/** Logs in by the login page and waits for `path`. */
export async function logIn(page: Page, account: string, path: string, given = password): Promise<void> {
  await page.goto(`/login?redirect=${encodeURIComponent(path)}`)
  await page.getByLabel('手机号/邮箱').fill(account)
  await page.getByRole('textbox', { name: '密码' }).fill(given)
  await page.getByRole('checkbox', { name: '记住我' }).check()
  await page.getByRole('button', { name: '登录', exact: true }).click()
  await page.waitForURL((url) => url.pathname === path)
}
