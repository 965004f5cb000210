import { type MouseEvent, type PointerEvent, type ReactNode, useRef, useState } from 'react'
import { Button } from '../button.tsx'
import { Tip } from '../overlay/tip.tsx'

interface Told {
  mark: Element
  words: string
}

/**
 * For drawn marks that say themselves in their title, which only a mouse can read: a finger's first tap shows it, and what a press of the
 * mark does comes with the second, or with the button below the words. `heard` belongs on the part that holds the marks, `bubble` into it.
 */
export function useMarkTips(act?: string): {
  heard: { onPointerDownCapture: (event: PointerEvent) => void; onClickCapture: (event: MouseEvent) => void }
  bubble: ReactNode
} {
  const [told, setTold] = useState<Told | null>(null)
  const touched = useRef(false)
  return {
    heard: {
      onPointerDownCapture: ({ pointerType }) => {
        touched.current = pointerType === 'touch'
      },
      onClickCapture: (event) => {
        if (!touched.current || (event.target as Element).closest('.mark-tip')) return
        const next = toldBy(event.target as Element, event.currentTarget)
        if (next && next.mark !== told?.mark) {
          event.stopPropagation()
          setTold(next)
        } else setTold(null)
      },
    },
    bubble: told && (
      <Tip key={told.words} anchor={told.mark} role="status" className="mark-tip" onClose={() => setTold(null)}>
        {told.words}
        {act && (
          <Button look={['small', 'wide']} onClick={() => told.mark.dispatchEvent(new window.MouseEvent('click', { bubbles: true }))}>
            {act}
          </Button>
        )}
      </Tip>
    ),
  }
}

/** The innermost mark around a place that says something of itself, without how a mouse would press it. */
function toldBy(place: Element, frame: Element): Told | null {
  for (let mark: Element | null = place; mark && mark !== frame; mark = mark.parentElement) {
    const words = mark.getAttribute('title') ?? mark.querySelector(':scope > title')?.textContent
    if (words) return { mark, words: words.replace(/[，\n]点击.*$/s, '') }
  }
  return null
}
