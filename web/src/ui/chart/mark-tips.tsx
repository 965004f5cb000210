import { type MouseEvent, type PointerEvent, type ReactNode, useEffect, useRef, useState } from 'react'
import { Button } from '../button.tsx'
import { useFloating } from '../form/floating.ts'
import '../tip.css'

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
    bubble: told && <Bubble key={told.words} told={told} act={act} onClose={() => setTold(null)} />,
  }
}

function Bubble({ told: { mark, words }, act, onClose }: { told: Told; act: string | undefined; onClose: () => void }) {
  const anchor = useRef(mark)
  const panel = useRef<HTMLDivElement>(null)
  useFloating(true, anchor, panel, false)
  const close = useRef(onClose)
  close.current = onClose
  useEffect(() => {
    const heard = new AbortController()
    const away = ({ target }: Event) => {
      if (!mark.contains(target as Node) && !panel.current?.contains(target as Node)) close.current()
    }
    const leave = ({ key }: KeyboardEvent) => key === 'Escape' && close.current()
    document.addEventListener('pointerdown', away, { signal: heard.signal })
    document.addEventListener('keydown', leave, { signal: heard.signal })
    return () => heard.abort()
  }, [mark])
  return (
    <div ref={panel} className="tip mark-tip" role="status" popover="manual">
      {words}
      {act && (
        <Button look={['small', 'wide']} onClick={() => mark.dispatchEvent(new window.MouseEvent('click', { bubbles: true }))}>
          {act}
        </Button>
      )}
    </div>
  )
}

/** The innermost mark around a place that says something of itself, without how a mouse would press it. */
function toldBy(place: Element, frame: Element): Told | null {
  for (let mark: Element | null = place; mark && mark !== frame; mark = mark.parentElement) {
    const words = mark.getAttribute('title') ?? mark.querySelector(':scope > title')?.textContent
    if (words) return { mark, words: words.replace(/[，\n]点击.*$/s, '') }
  }
  return null
}
