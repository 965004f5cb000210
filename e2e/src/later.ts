import type { Locator } from 'playwright-core'

/**
 * Lets the page's clock, which is installed, go on by `seconds` again and again until the words stand there: once for each try that the
 * page makes by itself, and for each pause between them.
 */
export async function untilLate(words: Locator, seconds: number): Promise<void> {
  const { clock } = words.page()
  for (let tries = 0; tries < 20; tries++) {
    await clock.fastForward(seconds * 1_000 + 100)
    // A look is enough at first; a machine that is asked for too much may need a moment for each step.
    const there = await words.waitFor({ timeout: tries < 10 ? 100 : 1_000 }).then(
      () => true,
      () => false,
    )
    if (there) return
  }
  await words.waitFor({ timeout: 1_000 })
}
