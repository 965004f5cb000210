import { whenIdle } from '../base/when-idle.ts'

/** What goes on unseen beside the pages comes when nothing more urgent is to be fetched. */
export function watchLater(): () => void {
  let end: (() => void) | null = null
  let left = false
  whenIdle(() =>
    import('./watch-page.ts').then(
      ({ watchPage }) => {
        if (!left) end = watchPage()
      },
      () => {},
    ),
  )
  return () => {
    left = true
    end?.()
  }
}
