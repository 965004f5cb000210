import type { Question } from './confirm-dialog.tsx'

/**
 * Asks before something that cannot be undone. The dialog's code is fetched now, and where it does not come the browser's own asks; it
 * stands in a root of its own, so that any function may ask, not only a component.
 */
export async function confirm(question: Question): Promise<boolean> {
  const code = await Promise.all([import('react-dom/client'), import('./confirm-dialog.tsx')]).catch(() => null)
  if (!code) return window.confirm(`${question.title}\n${question.text}`)
  const [{ createRoot }, { ConfirmDialog }] = code
  const box = document.body.appendChild(document.createElement('div'))
  const root = createRoot(box)
  return new Promise((resolve) => {
    const answer = (yes: boolean) => {
      root.unmount()
      box.remove()
      resolve(yes)
    }
    root.render(<ConfirmDialog {...question} onAnswer={answer} />)
  })
}
