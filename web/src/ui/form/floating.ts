import { type RefObject, useLayoutEffect } from 'react'

/** From the edges of the window, and from the anchor. */
const [margin, gap] = [8, 4]
/** A list of options; a panel has the room that there is. */
const most = { list: 320, panel: Number.POSITIVE_INFINITY }
/** No lower than this where the window has so much, even if it then lies over its anchor: a field is still typed in under its list. */
const least = { list: 96, panel: 200 }

/**
 * Keeps a panel under its anchor, or above it where there is no room, in the browser's top layer: no frame clips it, and it lies
 * over an open dialog too. It stands inside what is seen of the page, whatever is left of it by zoom or a keyboard on the screen.
 * `content`: what came into it since is given its room. `align`: the edge that it shares with its anchor.
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
    const view = window.visualViewport
    const place = () => {
      const at = from.getBoundingClientRect()
      const { offsetLeft: left = 0, offsetTop: top = 0, width = innerWidth, height = innerHeight } = view ?? {}
      const below = top + height - at.bottom - gap - margin
      const above = at.top - top - gap - margin
      const up = below < Math.min(box.scrollHeight, 200) && above > below
      const within = (wanted: number, start: number, room: number, size: number) =>
        `${Math.max(start + margin, Math.min(wanted, start + room - size - margin))}px`
      if (wide) box.style.minWidth = `${Math.min(at.width, width - 2 * margin)}px`
      const kind = wide ? 'list' : 'panel'
      box.style.maxHeight = `${Math.min(most[kind], height - 2 * margin, Math.max(least[kind], up ? above : below))}px`
      box.style.left = within(align === 'right' ? at.right - box.offsetWidth : at.left, left, width, box.offsetWidth)
      box.style.top = within(up ? at.top - box.offsetHeight - gap : at.bottom + gap, top, height, box.offsetHeight)
    }
    place()
    const moved = new AbortController()
    window.addEventListener('scroll', place, { capture: true, signal: moved.signal })
    for (const each of [window, view]) each?.addEventListener('resize', place, { signal: moved.signal })
    view?.addEventListener('scroll', place, { signal: moved.signal })
    return () => {
      moved.abort()
      if (box.matches(':popover-open')) box.hidePopover()
    }
  }, [open, anchor, panel, wide, content, align])
}
