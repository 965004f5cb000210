import type { IconName } from './icon.tsx'

export interface Question {
  /** Names the object: `删除策略「双低-10只」？` */
  title: string
  /** What follows: `删除后不可恢复。` */
  text: string
  /** The button's word: 删除. */
  action: string
  icon?: IconName
}

/**
 * Asks before something that cannot be undone. The dialog's code is fetched now; it stands in a root of its own, so that any
 * function may ask, not only a component.
 */
export async function confirm(question: Question): Promise<boolean> {
  const [{ createRoot }, { ConfirmDialog }] = await Promise.all([import('react-dom/client'), import('./confirm-dialog.tsx')])
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
