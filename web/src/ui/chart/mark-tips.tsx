import { type MouseEvent, type PointerEvent, type ReactNode, useRef, useState } from 'react'
import { Button } from '../button.tsx'
import { Tip } from '../overlay/late-parts.ts'

interface Told {
  mark: Element
  words: string
}

/**
 * For drawn marks that say themselves in their title, which only a mouse can read: a finger's first tap shows it, and what a press of the
 * mark does comes with the second, or with the button below the words. `heard` belongs on the part that holds the marks, `bubble` into it.
 */
export function useMarkTips(act?: string): {
  handlers: { onPointerDownCapture: (event: PointerEvent) => void; onClickCapture: (event: MouseEvent) => void }
  bubble: ReactNode
} {
  const [tip, setTip] = useState<Told | null>(null)
  const touched = useRef(false)
  return {
    handlers: {
      onPointerDownCapture: ({ pointerType }) => {
        touched.current = pointerType === 'touch'
      },
      onClickCapture: (event) => {
        if (!touched.current || (event.target as Element).closest('.mark-tip')) return
        const next = toldBy(event.target as Element, event.currentTarget)
        if (next && next.mark !== tip?.mark) {
          event.stopPropagation()
          setTip(next)
        } else setTip(null)
      },
    },
    bubble: tip && (
      <Tip key={tip.words} anchor={tip.mark} role="status" className="mark-tip" onClose={() => setTip(null)}>
        {tip.words}
        {act && (
          <Button look={['small', 'wide']} onClick={() => tip.mark.dispatchEvent(new window.MouseEvent('click', { bubbles: true }))}>
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
