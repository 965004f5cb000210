import { expect } from 'vitest'
import { type Locator, userEvent } from 'vitest/browser'

/** That it stands inside the window with all of itself, which is the phone's when the test has made it so. */
export async function expectInsideWindow(part: Locator): Promise<void> {
  await expect
    .poll(() => {
      const { left, right, top, bottom } = part.element().getBoundingClientRect()
      return { left: left >= 0, right: right <= innerWidth, top: top >= 0, bottom: bottom <= innerHeight }
    })
    .toEqual({ left: true, right: true, top: true, bottom: true })
}

/** Buttons of a part that a finger cannot hit: lower than 44 px. */
export const lowButtons = (part: Locator): string[] =>
  [...part.element().querySelectorAll('button')]
    .filter((button) => button.getBoundingClientRect().height < 44)
    .map((button) => button.textContent || (button.getAttribute('aria-label') ?? ''))

/** A press beside everything, near the corner of the window, whatever lies there: the backdrop of what is open. */
export const pressBeside = (): Promise<void> => userEvent.click(document.documentElement, { position: { x: 5, y: 5 }, force: true })
