import { expect, it, vi } from 'vitest'
import { render } from 'vitest-browser-react'
import { useKeyboard, useKeys } from './use-keys.ts'

const went = vi.fn()
function Page() {
  useKeyboard()
  useKeys({ goStocks: went })
  return null
}
/** A key that was pressed so many milliseconds after the page began, and is handled now. */
function press(key: string, at: number): void {
  const event = new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true })
  Object.defineProperty(event, 'timeStamp', { value: at })
  document.body.dispatchEvent(event)
}

it.each([
  ['at once', 100, 300, 1],
  ['just in time', 100, 1_300, 1],
  ['too late', 100, 1_301, 0],
])('the second key of a sequence that is pressed %s', async (_, first, second, times) => {
  went.mockClear()
  await render(<Page />)
  press('g', first)
  press('s', second)
  expect(went).toHaveBeenCalledTimes(times)
})
