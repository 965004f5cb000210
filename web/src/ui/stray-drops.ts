/**
 * A file that is dropped beside the place for it would be opened by the browser, in the place of the page and of all that was typed there:
 * it is not taken. A place that takes files says so itself (`FileDrop`). @returns its end
 */
export function watchDrops(): () => void {
  const listeners = new AbortController()
  const refuse = (event: DragEvent) => {
    const { dataTransfer, target } = event
    if (event.defaultPrevented || !dataTransfer?.types.includes('Files')) return
    if (target instanceof HTMLInputElement && target.type === 'file') return
    event.preventDefault()
    dataTransfer.dropEffect = 'none'
  }
  document.addEventListener('dragover', refuse, { signal: listeners.signal })
  document.addEventListener('drop', refuse, { signal: listeners.signal })
  return () => listeners.abort()
}
