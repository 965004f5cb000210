import { type KeyboardEvent, type PointerEvent, type ReactNode, useEffect, useRef, useState } from 'react'
import { usePreferences } from '../state/preferences.ts'
import { finite } from '../state/shapes.ts'
import { local } from '../state/storage.ts'
import { Icon } from './icon.tsx'
import { bounded, resized } from './split.ts'
import './split-panel.css'

/** What the second panel keeps at least. */
const rest = 240

/**
 * Two panels with a separator that is dragged or moved by keys (ARIA APG, window splitter); Enter or a double click folds the
 * first. Size and fold outlive the page.
 */
export function SplitPanel({
  name,
  label,
  first,
  second,
  size: sizeAtFirst,
  min = 240,
  max = 640,
  upright = false,
}: {
  /** Its key in the preferences. */
  name: string
  /** What the first panel is: the separator's name. */
  label: string
  first: ReactNode
  second: ReactNode
  size: number
  min?: number
  max?: number
  /** One above the other. */
  upright?: boolean
}) {
  const { collapsedSettings, collapse } = usePreferences()
  const folded = collapsedSettings[name] ?? false
  const key = `preference:split:${name}`
  const [size, setSize] = useState(() => local.read(key, finite) ?? sizeAtFirst)
  const box = useRef<HTMLDivElement>(null)
  const [room, setRoom] = useState(max)
  useEffect(() => {
    const element = box.current
    if (!element) return
    const observer = new ResizeObserver(([entry]) => {
      if (entry) setRoom(Math.max(min, (upright ? entry.contentRect.height : entry.contentRect.width) - rest))
    })
    observer.observe(element)
    return () => observer.disconnect()
  }, [min, upright])
  const bounds = { min, max: Math.min(max, room) }
  const shown = bounded(size, bounds)

  const keep = (next: number) => {
    setSize(next)
    local.write(key, next)
  }
  const press = (event: KeyboardEvent) => {
    if (event.key === 'Enter') {
      event.preventDefault()
      return collapse(name, !folded)
    }
    const next = folded ? null : resized({ size: shown, ...bounds }, event.key, { upright, far: event.shiftKey })
    if (next === null) return
    event.preventDefault()
    keep(next)
  }
  const drag = (event: PointerEvent) => {
    if (folded || event.button !== 0) return
    const separator = event.currentTarget as HTMLElement
    separator.setPointerCapture(event.pointerId)
    const from = (upright ? event.clientY : event.clientX) - shown
    const move = (moved: globalThis.PointerEvent) => setSize(bounded((upright ? moved.clientY : moved.clientX) - from, bounds))
    const end = (ended: globalThis.PointerEvent) => {
      separator.removeEventListener('pointermove', move)
      separator.removeEventListener('pointerup', end)
      separator.removeEventListener('pointercancel', end)
      if (ended.type === 'pointerup') keep(bounded((upright ? ended.clientY : ended.clientX) - from, bounds))
    }
    separator.addEventListener('pointermove', move)
    separator.addEventListener('pointerup', end)
    separator.addEventListener('pointercancel', end)
  }
  const id = `split-${name}`
  return (
    <div ref={box} className={upright ? 'split upright' : 'split'}>
      <div className="split-first" id={id} hidden={folded} style={upright ? { height: shown } : { width: shown }}>
        {first}
      </div>
      {/* biome-ignore lint/a11y/useSemanticElements: a separator that is moved is a control, an <hr> is not */}
      <div
        className="separator"
        role="separator"
        tabIndex={0}
        aria-label={`${label}宽度`}
        aria-orientation={upright ? 'horizontal' : 'vertical'}
        aria-controls={id}
        aria-valuemin={0}
        aria-valuemax={bounds.max}
        aria-valuenow={folded ? 0 : shown}
        aria-valuetext={folded ? '已收起' : `${shown} 像素`}
        onKeyDown={press}
        onPointerDown={drag}
        onDoubleClick={() => collapse(name, !folded)}
      >
        {/* biome-ignore lint/a11y/noStaticElementInteractions: for the mouse; the keyboard has Enter on the separator */}
        {/* biome-ignore lint/a11y/useKeyWithClickEvents: as above */}
        <span
          className="separator-fold"
          title={folded ? `展开${label}` : `收起${label}`}
          onPointerDown={(event) => event.stopPropagation()}
          onClick={() => collapse(name, !folded)}
        >
          <Icon name={folded ? 'right' : 'left'} size="small" />
        </span>
      </div>
      <div className="split-second">{second}</div>
    </div>
  )
}
