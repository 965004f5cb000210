import { CallError } from '../../api/messages.ts'

const needsReAuth = 11013

/**
 * Runs an action that may require re-authentication (11013): asks for a password or code, then runs it again.
 * The dialog has a React root of its own, so that any function can ask; its code is loaded on first use.
 * @throws CallError the refusal, where the dialog was dismissed
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

/** Single flight: concurrent actions share one dialog and its answer. */
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
