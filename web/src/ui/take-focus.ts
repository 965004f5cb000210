/** Puts the reader's focus where they have been taken to. What is no control takes it too, and shows no ring: it cannot be pressed. */
export function takeFocus(element: HTMLElement): void {
  if (element.tabIndex < 0) {
    element.tabIndex = -1
    element.style.outline = 'none'
  }
  element.focus({ preventScroll: true })
}
