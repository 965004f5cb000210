import { CallError } from '../api/messages.ts'

const needsReAuth = 11013

/**
 * Runs what may ask who one is (11013): asks by password or code, and runs it again. Whoever does not answer gets the refusal.
 * The dialog stands in a root of its own, so that any function may ask; its code is fetched when it is first needed.
 * @example await reAuthed(() => call(calls.user.remove, undefined))
 */
export async function reAuthed<T>(act: () => Promise<T>): Promise<T> {
  try {
    return await act()
  } catch (error) {
    if (!(error instanceof CallError) || error.code !== needsReAuth || !(await ask())) throw error
    return act()
  }
}

/** One question at a time: who asks meanwhile waits for the same answer. */
let asking: Promise<boolean> | null = null
const ask = (): Promise<boolean> => (asking ??= show().finally(() => (asking = null)))

async function show(): Promise<boolean> {
  const [{ createRoot }, { createElement }, { ReAuthDialog }] = await Promise.all([
    import('react-dom/client'),
    import('react'),
    import('./re-auth-dialog.tsx'),
  ])
  const opener = document.activeElement
  const box = document.body.appendChild(document.createElement('div'))
  const root = createRoot(box)
  return new Promise((resolve) => {
    const onAnswer = (yes: boolean) => {
      root.unmount()
      box.remove()
      if (opener instanceof HTMLElement) opener.focus()
      resolve(yes)
    }
    root.render(createElement(ReAuthDialog, { onAnswer }))
  })
}
