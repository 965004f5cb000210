import { execFile } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Page } from 'playwright-core'
import { inject } from 'vitest'

const cli = fileURLToPath(new URL('../../server/src/cli/main.ts', import.meta.url))
export const password = '一个够长的密码2026'

/** An account as an operator makes it: known by its mobile or e-mail, with the password above. */
export function makeAccount(address: string, nickname: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const env = { ...process.env, NODE_ENV: '', DATA_DIR: inject('dataDir') }
    const args = [cli, 'user', 'create', address, '--nickname', nickname, '--password-stdin']
    const child = execFile(process.execPath, args, { env }, (error, _, said) =>
      error ? reject(new Error(said || error.message)) : resolve(),
    )
    child.stdin?.end(`${password}\n`)
  })
}

interface Letter {
  to: string
  purpose: string
  code: string | null
}

/** The newest code that went to an address for a purpose. */
export async function codeFor(to: string, purpose: string): Promise<string> {
  const folder = join(inject('dataDir'), 'outbox')
  for (let i = 0; i < 200; i++) {
    const names = readdirSync(folder, { withFileTypes: true }).flatMap(({ name }) => (name.endsWith('.json') ? [name] : []))
    const letters = names.sort().map((name) => JSON.parse(readFileSync(join(folder, name), 'utf8')) as Letter)
    const found = letters.findLast((letter) => letter.to === to && letter.purpose === purpose)?.code
    if (found) return found
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  throw new Error(`no ${purpose} for ${to} in the outbox`)
}

/** Logs in by the login page and waits for `path`. */
export async function logIn(page: Page, account: string, path: string, given = password): Promise<void> {
  await page.goto(`/login?redirect=${encodeURIComponent(path)}`)
  await page.getByLabel('手机号/邮箱').fill(account)
  await page.getByRole('textbox', { name: '密码' }).fill(given)
  await page.getByRole('checkbox', { name: '记住我' }).check()
  await page.getByRole('button', { name: '登录', exact: true }).click()
  await page.waitForURL((url) => url.pathname === path)
}
