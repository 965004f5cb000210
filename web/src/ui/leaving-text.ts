import { machineText } from './table/sheet.ts'

/**
 * What is marked on the page and copied or dragged out of it has the signs of machines, as a file of it has; a picture that is dragged
 * out has the name that it would be saved under (`data-file`). @returns its end
 */
export function watchLeaving(): () => void {
  const listeners = new AbortController()
  const leave = (event: ClipboardEvent | DragEvent) => {
    const data = event instanceof DragEvent ? event.dataTransfer : event.clipboardData
    const target = event.target
    if (!data || event.defaultPrevented) return
    if (target instanceof HTMLImageElement) {
      const { file } = target.dataset
      if (file) data.setData('DownloadURL', `image/png:${file}:${target.src}`)
      return
    }
    const place = target instanceof Element ? target : (target as Node | null)?.parentElement
    const marked = document.getSelection()
    // A field and the editor of formulas copy what is typed in them.
    if (!marked || marked.isCollapsed || place?.closest('input, textarea, [contenteditable=true], [draggable=true]')) return
    const shown = marked.toString()
    const text = machineText(shown)
    if (text === shown) return
    data.setData('text/plain', text)
    data.setData('text/html', markupOf(marked.getRangeAt(0)))
    if (event.type === 'copy') event.preventDefault()
  }
  document.addEventListener('copy', leave, { signal: listeners.signal })
  document.addEventListener('dragstart', leave, { signal: listeners.signal })
  return () => listeners.abort()
}

/** A spreadsheet reads the markup before the text: cells stay cells, also where only some of a table are marked. */
function markupOf(range: Range): string {
  const holder = document.createElement('div')
  holder.append(range.cloneContents())
  const { commonAncestorContainer: inner } = range
  for (let around = inner instanceof Element ? inner : inner.parentElement; around?.closest('table'); around = around.parentElement) {
    const shell = around.cloneNode(false) as Element
    shell.append(...holder.childNodes)
    holder.append(shell)
    if (around.tagName === 'TABLE') break
  }
  const texts = document.createTreeWalker(holder, NodeFilter.SHOW_TEXT)
  for (let node = texts.nextNode(); node; node = texts.nextNode()) node.nodeValue = machineText(node.nodeValue ?? '')
  return holder.innerHTML
}
