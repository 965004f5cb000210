import { type MouseEvent, type SyntheticEvent, useEffect, useRef } from 'react'

/**
 * For the `<dialog>` of a part that stands above the page: modal while the part is mounted, so the focus stays inside and what is
 * behind is inert. It has the focus on what the first of `focus` finds; Esc and a click beside it close it.
 */
export function useModal(onClose: () => void, ...focus: readonly string[]) {
  const ref = useRef<HTMLDialogElement>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when it opens
  useEffect(() => {
    const shown = ref.current
    const opener = document.activeElement
    shown?.showModal()
    const wanted = focus.map((what) => shown?.querySelector<HTMLElement>(what)).find(Boolean)
    wanted?.focus()
    return () => {
      shown?.close()
      // The browser gives it back only where the dialog is closed before it leaves the document.
      if (opener instanceof HTMLElement && opener.isConnected) opener.focus()
    }
  }, [])
  return {
    ref,
    onCancel: (event: SyntheticEvent) => {
      event.preventDefault()
      onClose()
    },
    onClick: (event: MouseEvent) => {
      if (event.target === ref.current) onClose()
    },
  }
}
