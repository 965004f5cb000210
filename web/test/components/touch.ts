import { cdp, type Locator } from 'vitest/browser'

interface Point {
  readonly x: number
  readonly y: number
}
type Session = { send(method: string, params: object): Promise<unknown> }
const session = () => cdp() as unknown as Session

/** The page has a touch screen from here on, or none. */
export const touchScreen = (enabled: boolean): Promise<unknown> =>
  session().send('Emulation.setTouchEmulationEnabled', { enabled, maxTouchPoints: enabled ? 5 : 1 })

/** A test runs in a frame, which may be drawn smaller than it is; a finger is put down on the page around it. */
function inWindow({ x, y }: Point): Point {
  const frame = window.frameElement?.getBoundingClientRect()
  if (!frame) return { x, y }
  const scale = frame.width / innerWidth
  return { x: frame.left + x * scale, y: frame.top + y * scale }
}

const finger = (type: 'touchStart' | 'touchMove' | 'touchEnd', at?: Point) =>
  session().send('Input.dispatchTouchEvent', { type, touchPoints: at ? [inWindow(at)] : [] })

function middleOf(part: Locator): Point {
  const { left, top, width, height } = part.element().getBoundingClientRect()
  return { x: left + width / 2, y: top + height / 2 }
}

/** A finger put down and lifted at the middle of a part, or at a point of the window, whatever lies there. */
export async function tap(at: Locator | Point): Promise<void> {
  const point = 'element' in at ? middleOf(at) : at
  await finger('touchStart', point)
  await finger('touchEnd')
}

/** A finger that moves over a part from its middle by so many pixels, and rests before it lifts: a scroll that runs on takes the next tap. */
export async function swipe(part: Locator, by: Point): Promise<void> {
  const from = middleOf(part)
  const steps = 8
  await finger('touchStart', from)
  for (let step = 1; step <= steps; step++)
    await finger('touchMove', { x: from.x + (by.x * step) / steps, y: from.y + (by.y * step) / steps })
  await new Promise((resolve) => setTimeout(resolve, 150))
  await finger('touchEnd')
}
