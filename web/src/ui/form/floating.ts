import { type RefObject, useLayoutEffect } from 'react'

/**
 * Keeps a panel under its anchor, or above it where there is no room, in the browser's top layer: no frame clips it, and it lies
 * over an open dialog too. `content`: what came into it since is given its room. `align`: the edge that it shares with its anchor.
 */
export function useFloating(
  open: boolean,
  anchor: RefObject<Element | null>,
  panel: RefObject<HTMLElement | null>,
  wide = true,
  content?: unknown,
  align: 'left' | 'right' = 'left',
) {
  // biome-ignore lint/correctness/useExhaustiveDependencies: content is measured, not read
  useLayoutEffect(() => {
    const box = panel.current
    const from = anchor.current
    if (!open || !box || !from) return
    if (!box.matches(':popover-open')) box.showPopover()
    const place = () => {
      const at = from.getBoundingClientRect()
      const below = window.innerHeight - at.bottom - 8
      const above = at.top - 8
      const up = below < Math.min(box.scrollHeight, 200) && above > below
      if (wide) box.style.minWidth = `${at.width}px`
      box.style.maxHeight = `${Math.max(96, Math.min(320, up ? above : below))}px`
      const height = Math.min(box.offsetHeight, up ? above : below)
      const left = align === 'right' ? at.right - box.offsetWidth : at.left
      box.style.left = `${Math.max(8, Math.min(left, window.innerWidth - box.offsetWidth - 8))}px`
      box.style.top = up ? `${at.top - height - 4}px` : `${at.bottom + 4}px`
    }
    place()
    window.addEventListener('scroll', place, true)
    window.addEventListener('resize', place)
    return () => {
      window.removeEventListener('scroll', place, true)
      window.removeEventListener('resize', place)
      if (box.matches(':popover-open')) box.hidePopover()
    }
  }, [open, anchor, panel, wide, content, align])
}
