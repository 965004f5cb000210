import { takeFocus } from './take-focus.ts'

// What is removed by a press takes the focus with it, and the next Tab, or a screen reader, would begin at the top of the page. Wherever
// that happens the focus goes to what took its place: 1 the same control of the next row, else of the one before; 2 the button that adds
// to the list; 3 the heading of the part. A part that puts the focus somewhere itself comes first, and so does a page that is gone to.

interface Step {
  parent: Element
  child: Element
  index: number
}

/** What had the focus, and where it stood. */
interface Held {
  element: HTMLElement
  label: string
  /** From its parent upwards. */
  steps: readonly Step[]
  /** What had the focus before the dialog that it is in was opened. */
  opener: Held | null
  path: string
}

/** Watches all that is removed from the document. @returns its end */
export function watchRemovals(): () => void {
  // The page may have been used before this code came.
  let focused =
    document.activeElement instanceof HTMLElement && document.activeElement !== document.body ? holdOf(document.activeElement, null) : null
  let touch = false
  let waiting = false
  const nowhere = () => !document.activeElement || document.activeElement === document.body || isPopup(document.activeElement)
  const mend = () => {
    waiting = false
    if (!focused || focused.element.isConnected || !nowhere()) return
    const place = focused.path === location.pathname ? placeAfter(focused, touch) : null
    focused = null
    if (place) takeFocus(place)
  }
  const observer = new MutationObserver(() => {
    if (waiting || !focused || focused.element.isConnected) return
    waiting = true
    // After the effects of the drawing: a part may put the focus somewhere itself.
    requestAnimationFrame(() => setTimeout(mend))
  })
  observer.observe(document.body, { childList: true, subtree: true })
  const listeners = new AbortController()
  const options = { signal: listeners.signal, capture: true }
  document.addEventListener(
    'focusin',
    ({ target }) => {
      if (focused && !focused.element.isConnected && target instanceof HTMLElement && isPopup(target)) return
      focused = target instanceof HTMLElement ? holdOf(target, focused) : null
    },
    options,
  )
  document.addEventListener(
    'focusout',
    ({ target, relatedTarget }) => {
      // A press on nothing gives up the focus; what is removed is not in the document any more by then.
      if (!relatedTarget) setTimeout(() => focused?.element === target && focused?.element.isConnected && nowhere() && (focused = null))
    },
    options,
  )
  document.addEventListener('pointerdown', ({ pointerType }) => (touch = pointerType === 'touch'), options)
  document.addEventListener('keydown', () => (touch = false), options)
  return () => {
    observer.disconnect()
    listeners.abort()
  }
}

function holdOf(element: HTMLElement, before: Held | null): Held {
  const steps: Step[] = []
  for (let child: Element = element; child.parentElement && child !== document.body; child = child.parentElement)
    steps.push({ parent: child.parentElement, child, index: [...child.parentElement.children].indexOf(child) })
  const dialog = element.closest('[data-modal]')
  const opener = dialog && before && (dialog.contains(before.element) ? before.opener : before)
  return { element, label: labelOf(element), steps, opener, path: location.pathname }
}

function placeAfter(removed: Held, touch: boolean): HTMLElement | null {
  const dialog = removed.steps.find(({ child }) => child.matches('[data-modal]'))?.child
  if (dialog && !dialog.isConnected && removed.opener)
    return removed.opener.element.isConnected ? removed.opener.element : placeAfter(removed.opener, touch)
  const at = removed.steps.findIndex(({ parent }) => parent.isConnected)
  const step = removed.steps[at]
  if (!step) return null
  // A grid keeps its own stop.
  if (step.parent.closest('[role=grid]')) return null
  const usable = (one: Element | null | undefined) => one instanceof HTMLElement && canTake(one, touch)
  const way = removed.steps
    .slice(0, at)
    .map(({ index }) => index)
    .reverse()
  const { parent, child, index } = step
  for (const next of [parent.children[index], parent.children[index - 1]]) {
    if (!next) continue
    const same = way.reduce<Element | undefined>((found, place) => found?.children[place], next)
    const isRow = next.tagName === child.tagName && (/^(TR|LI)$/.test(next.tagName) || next.className === child.className)
    if (same && usable(same) && same.tagName === removed.element.tagName && (isRow || isKin(labelOf(same), removed.label)))
      return same as HTMLElement
    const first = isRow ? [...next.querySelectorAll(controls)].find(usable) : undefined
    if (first) return first as HTMLElement
  }
  for (let part = parent.closest(parts); part; part = part.parentElement?.closest(parts) ?? null) {
    const place = [...part.querySelectorAll('[data-adds], [data-adds] button')].find(usable) ?? part.querySelector('h1, h2, h3')
    if (place instanceof HTMLElement && isShown(place)) return place
  }
  return document.querySelector<HTMLElement>('main h1, h1, main')
}

/** What has the focus itself while nothing inside has it: the library gives it the focus of what was removed. */
const isPopup = (element: Element): boolean => element.matches('[data-modal], .menu')

const parts = '[data-modal], section, form, fieldset, article, main'
const controls = 'a[href], button, input, select, textarea, [tabindex="0"]'

const isShown = (one: Element): boolean => one.getClientRects().length > 0

/** On a phone a field would open the keyboard. */
const canTake = (one: HTMLElement, touch: boolean): boolean =>
  one.matches(controls) && !one.matches(touch ? ':disabled, input, textarea' : ':disabled') && isShown(one)

const labelOf = (one: Element): string => (one.getAttribute('aria-label') ?? one.textContent ?? '').trim()

/** Whether two labels say the same of two things: `移除 甲`, `移除 乙`; `甲：更多操作`, `乙：更多操作`. */
const isKin = (a: string, b: string): boolean => a.slice(0, 2) === b.slice(0, 2) || a.slice(-2) === b.slice(-2)
