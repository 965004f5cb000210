import { type PointerEvent, type ReactNode, useEffect, useId, useRef, useState } from 'react'
import { Row } from '../../ui/layout.tsx'
import { PopoverPanel } from '../../ui/overlay/late-parts.ts'
import { PageLink } from '../../ui/page-link.tsx'
import type { GlossaryEntry, TermKey } from './glossary.ts'
import { showHelp } from './help-store.ts'
import styles from './term.module.css'

const patience = 100
const leaving = 200

/**
 * A word of the trade with a dotted line. The mouse or the focus opens its card; a click, Enter or a tap pins it until Esc or a press
 * elsewhere. The words are fetched when one is first asked about.
 */
export function Term({ k, children }: { k: TermKey; children: ReactNode }) {
  const [open, setOpen] = useState(false)
  const [pinned, setPinned] = useState(false)
  const button = useRef<HTMLButtonElement>(null)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const id = useId()
  const { entry, failed } = useEntry(k, open)
  useEffect(() => () => clearTimeout(timer.current), [])
  const close = () => {
    // The mouse may have left a moment ago.
    clearTimeout(timer.current)
    setOpen(false)
    setPinned(false)
  }
  /** In the card, or on what leads the focus into it and out of it. */
  const isCard = (target: Node | null) => document.getElementById(id)?.parentElement?.contains(target) ?? false
  const later = (next: boolean) => (event: PointerEvent) => {
    if (event.pointerType !== 'mouse') return
    clearTimeout(timer.current)
    if (next || !pinned) timer.current = setTimeout(() => setOpen(next), next ? patience : leaving)
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: heard for the button and the card inside
    <span
      className={styles.termRoot}
      onPointerEnter={later(true)}
      onPointerLeave={later(false)}
      onBlur={({ currentTarget, relatedTarget }) => {
        if (!pinned && !currentTarget.contains(relatedTarget) && !isCard(relatedTarget)) setOpen(false)
      }}
    >
      <button
        ref={button}
        type="button"
        className="term"
        aria-expanded={open}
        aria-controls={open ? id : undefined}
        onFocus={({ currentTarget, relatedTarget }) => {
          // Esc in the card gives the focus back here, and closes it.
          if (currentTarget.matches(':focus-visible') && !isCard(relatedTarget)) setOpen(true)
        }}
        onClick={(event) => {
          // Inside a row or a label the press means the word, nothing around it.
          event.preventDefault()
          event.stopPropagation()
          clearTimeout(timer.current)
          setOpen(!pinned)
          setPinned(!pinned)
        }}
      >
        {children}
      </button>
      {open && (
        <PopoverPanel
          id={id}
          className={styles.termCard}
          label="名词解释"
          anchor={button}
          align="left"
          byKey={false}
          takesFocus={false}
          onClose={close}
        >
          {() =>
            entry ? <EntryCard k={k} entry={entry} /> : <span className="text-3">{failed ? '名词加载失败，请重试' : '加载中…'}</span>
          }
        </PopoverPanel>
      )}
    </span>
  )
}

function EntryCard({ k, entry }: { k: TermKey; entry: GlossaryEntry }) {
  return (
    <>
      <b>{entry.name}</b>
      <EntryLines entry={entry} />
      <Row as="span" gap={16} align="stretch" className={styles.termLinks}>
        <PageLink className="link" to={entry.link.to}>
          {entry.link.label}
        </PageLink>
        <button type="button" className="link" onClick={() => showHelp({ kind: 'glossary', term: k })}>
          名词表
        </button>
      </Row>
    </>
  )
}

/** What it means, how it is computed, how it is misread. */
export const EntryLines = ({ entry }: { entry: GlossaryEntry }) => (
  <span className={styles.termLines}>
    <span>{entry.meaning}</span>
    <span>
      <i>怎么算</i>
      {entry.formula}
    </span>
    <span>
      <i>常见误读</i>
      {entry.mistake}
    </span>
  </span>
)

function useEntry(k: TermKey, wanted: boolean): { entry: GlossaryEntry | null; failed: boolean } {
  const [state, setState] = useState<{ entry: GlossaryEntry | null; failed: boolean }>({ entry: null, failed: false })
  useEffect(() => {
    if (!wanted) return
    let there = true
    import('./glossary.ts').then(
      ({ entryOf }) => there && setState({ entry: entryOf(k), failed: false }),
      () => there && setState({ entry: null, failed: true }),
    )
    return () => {
      there = false
    }
  }, [k, wanted])
  return state
}
