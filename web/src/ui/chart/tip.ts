export interface TipRow {
  mark: '' | 'bench' | 'drawdown' | 'none'
  name: string
  value: string
}

/** How what a mark opens is had: a finger's first tap only tells. */
export const pressWords = (what: string): string => `${matchMedia('(hover: none)').matches ? '再点一次' : '点击'}${what}`

/** A tooltip's content as elements: no markup in texts, no inline styles (the page's policy forbids both). */
export function tip(title: string, rows: readonly TipRow[], foot?: string): HTMLElement {
  const box = element('div', 'tip')
  box.append(element('h4', '', title))
  for (const row of rows) {
    const line = element('div', '')
    line.append(element('i', row.mark), element('span', '', row.name), element('b', '', row.value))
    box.append(line)
  }
  if (foot) box.append(element('p', '', foot))
  return box
}

function element(name: string, className: string, text = ''): HTMLElement {
  const made = document.createElement(name)
  if (className) made.className = className
  made.textContent = text
  return made
}

/** Where a box of words stands in its parent: beside a place, on the side with more of the window, and inside the window however much of its chart is. */
export function besideIn(parent: Element | null, [x, y]: Pair, [width, height]: Pair): Pair {
  const { left = 0, top = 0 } = parent?.getBoundingClientRect() ?? {}
  const { clientWidth, clientHeight } = document.documentElement
  const within = (wanted: number, room: number, size: number) => Math.max(edge, Math.min(wanted, room - size - edge))
  const beside = left + x > clientWidth / 2 ? x - width - aside : x + aside
  return [within(left + beside, clientWidth, width) - left, within(top + y + aside, clientHeight, height) - top]
}
export type Pair = [number, number]
const [edge, aside] = [4, 16]
