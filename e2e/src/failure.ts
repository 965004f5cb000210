import { mkdirSync } from 'node:fs'
import { afterEach } from 'vitest'
import { openPages } from './browser.ts'

const folder = new URL('../artefacts/', import.meta.url)

/**
 * After a test that failed: the address, the visible text and the last faults of every open page to the log, and a picture of each into `e2e/artefacts`.
 * A failure that is seen once, on another machine, must say enough the first time.
 */
afterEach(async ({ task }) => {
  if (task.result?.state !== 'fail') return
  mkdirSync(folder, { recursive: true })
  const name = `failed-${task.name.replaceAll(/[^\p{L}\p{N}]+/gu, '-').slice(0, 60)}`
  for (const [index, [page, faults]] of [...openPages].entries()) {
    const text = await page
      .locator('body')
      .innerText({ timeout: 2000 })
      .catch((error: Error) => `(${error.message.split('\n')[0]})`)
    console.log(
      `after "${task.name}": ${page.url()}\n${text.replaceAll(/\s*\n\s*/g, ' · ').slice(0, 1500)}\n${faults.slice(-5).join('\n')}`,
    )
    await page.screenshot({ path: new URL(`${name}-${index}.png`, folder).pathname, timeout: 10_000 }).catch(() => null)
  }
})
