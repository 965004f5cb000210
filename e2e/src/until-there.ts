import type { Locator } from 'playwright-core'

/**
 * Waits for content of a part that comes by a call. The journeys share one server and its cores: a call may reach its time limit, and the page
 * then offers a retry. A user would press it.
 * @throws with what the part says, where the content does not come
 */
export async function untilThere(part: Locator, content: string | RegExp | Locator): Promise<void> {
  const there = typeof content === 'string' || content instanceof RegExp ? part.getByText(content).first() : content
  const retry = part.getByRole('button', { name: '重试' }).first()
  for (let tries = 0; tries < 5 && !(await there.isVisible()); tries++) {
    await there
      .or(retry)
      .first()
      .waitFor()
      .catch(async (error) => {
        throw new Error(`${error}\ninstead it says: ${await part.innerText({ timeout: 1_000 }).catch(String)}`)
      })
    // The button of the try before may go while it is aimed at.
    if (!(await there.isVisible())) await retry.click({ timeout: 1_000 }).catch(() => undefined)
  }
  await there.waitFor()
}
