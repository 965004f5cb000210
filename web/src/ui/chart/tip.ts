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
