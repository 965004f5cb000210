import type { Locator, Page } from 'playwright-core'
import { silence, watchRequests } from './quiet.ts'

/**
 * Lets the clock of a page's context, which is installed, jump by so many milliseconds, and then go on by itself. What is under way
 * (documents, code, style sheets, calls) is waited for before, or its time limit would pass in the jump; only what a journey holds on
 * purpose (`hold`) stays. The clock stands meanwhile: no timer of the page asks for more. `elsewhere` is what happens to the world
 * outside the page in that time.
 */
export async function jump(page: Page, milliseconds: number, elsewhere = async () => {}): Promise<void> {
  await stopClock(page)
  await allArrived(page)
  await elsewhere()
  await page.clock.fastForward(milliseconds)
  await page.clock.resume()
}

/**
 * Stops the clocks of all frames at the same moment. Playwright pauses a clock only at a future time; where a frame is past it, the call
 * throws with all clocks stopped at different times, so a second call aims at a time later than all of them.
 */
async function stopClock(page: Page): Promise<void> {
  const stopIn = async (milliseconds: number) => page.clock.pauseAt((await page.evaluate(() => Date.now())) + milliseconds)
  try {
    await stopIn(50)
  } catch (error) {
    if (!/past/.test(String(error))) throw error
    await stopIn(1_000)
  }
}

/** What has arrived is evaluated too: a task of the lowest priority has its turn after all others. */
async function allArrived(page: Page): Promise<void> {
  const watch = watchRequests(page.context())
  for (;;) {
    await silence(watch, 100)
    const before = watch.last
    await page.evaluate(() => scheduler.postTask(() => {}, { priority: 'background' }))
    if (watch.last === before) return
  }
}

/**
 * Lets the page's clock, which is installed, go on by `seconds` again and again until the words stand there: once for each try that the
 * page makes by itself, and for each pause between them.
 */
export async function untilLate(words: Locator, seconds: number): Promise<void> {
  for (let tries = 0; tries < 20; tries++) {
    await jump(words.page(), seconds * 1_000 + 100)
    // A look is enough at first; a machine that is asked for too much may need a moment for each step.
    const there = await words.waitFor({ timeout: tries < 10 ? 100 : 1_000 }).then(
      () => true,
      () => false,
    )
    if (there) return
  }
  await words.waitFor({ timeout: 1_000 })
}
