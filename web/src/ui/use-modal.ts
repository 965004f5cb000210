import { type MouseEvent, type PointerEvent, type SyntheticEvent, useEffect, useRef } from 'react'

/**
 * For the `<dialog>` of a part that stands above the page: modal while the part is mounted, so the focus stays inside and what is
 * behind is inert. It has the focus on what the first of `focus` finds; Esc and a click beside it close it.
 */
export function useModal(onClose: () => void, ...focus: readonly string[]) {
  const ref = useRef<HTMLDialogElement>(null)
  const pressed = useRef<EventTarget | null>(null)
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
    // A second Esc in a row closes it whatever is said to the first: then the part is still here, and would be seen by nobody.
    onClose: () => ref.current?.showModal(),
    onPointerDown: (event: PointerEvent) => {
      pressed.current = event.target
    },
    onClick: (event: MouseEvent) => {
      // Text marked from a field to beyond the edge ends in a click on the dialog too: what is typed in it must not go with it.
      if (event.target === ref.current && pressed.current === ref.current) onClose()
    },
  }
}
