import type { Locator } from 'playwright-core'

/** As patient as a journey's other waits, in milliseconds. */
const patience = 90_000

/**
 * Waits for content of a part that comes by a call. The journeys share one server and its cores: a call may reach its time limit of a few
 * seconds any number of times on a busy machine, and the page then offers a retry. A user would press it.
 * @throws with what the part says, where the content does not come
 */
export async function untilThere(part: Locator, content: string | RegExp | Locator): Promise<void> {
  const there = typeof content === 'string' || content instanceof RegExp ? part.getByText(content).first() : content
  const retry = part.getByRole('button', { name: '重试' }).first()
  const until = Date.now() + patience
  for (;;) {
    await there
      .or(retry)
      .first()
      .waitFor()
      .catch((error) => failed(part, error))
    if (await there.isVisible()) return
    if (Date.now() > until) await failed(part, new Error('the content did not come'))
    // The button may go while it is aimed at: with the press, or by a retry of the page's own.
    await retry.click({ timeout: 1_000 }).catch(() => undefined)
    // Until the press has had its effect the button is still the one of the failure before.
    await retry.waitFor({ state: 'hidden', timeout: 1_000 }).catch(() => undefined)
  }
}

async function failed(part: Locator, error: unknown): Promise<never> {
  throw new Error(`${error}\ninstead it says: ${await part.innerText({ timeout: 1_000 }).catch(String)}`)
}
