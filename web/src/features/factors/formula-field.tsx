import { type RefObject, useEffect, useImperativeHandle, useLayoutEffect, useRef, useState } from 'react'
import type { FormulaIssue } from './check.ts'
import type { EditorHandle } from './code-mirror.ts'
import type { Remark } from './units.ts'
import type { Vocabulary } from './vocabulary.ts'
import './formula-field.css'

export type FormulaHandle = Pick<EditorHandle, 'insert' | 'select' | 'undo' | 'redo' | 'focus'>

/**
 * The formula's text in an editor whose code comes by itself; until it is here, or if it does not come, a plain field with the same
 * text stands in its place, so nothing that is typed waits or is lost.
 */
export function FormulaField({
  value,
  onChange,
  onRun,
  onCursor,
  vocabulary,
  mistake,
  remarks,
  pen: given,
}: {
  value: string
  onChange: (text: string) => void
  onRun: () => void
  onCursor: (line: number, column: number) => void
  vocabulary: Vocabulary
  mistake: FormulaIssue | null
  remarks: readonly Remark[]
  pen: RefObject<FormulaHandle | null>
}) {
  const box = useRef<HTMLDivElement>(null)
  const plain = useRef<HTMLTextAreaElement>(null)
  const [pen, setPen] = useState<EditorHandle | null>(null)
  const latest = useRef({ value, onChange, onRun, onCursor })
  latest.current = { value, onChange, onRun, onCursor }
  useEffect(() => {
    let open: EditorHandle | null = null
    let there = true
    import('./code-mirror.ts').then(
      ({ openPen }) => {
        if (!there || !box.current) return
        const typing = document.activeElement === plain.current
        open = openPen(box.current, {
          text: latest.current.value,
          onChange: (text) => latest.current.onChange(text),
          onRun: () => latest.current.onRun(),
          onCursor: (line, column) => latest.current.onCursor(line, column),
        })
        setPen(open)
        if (typing) open.focus()
      },
      () => {},
    )
    return () => {
      there = false
      open?.destroy()
    }
  }, [])
  // Before the next key can be pressed: a text of a moment ago would undo it.
  useLayoutEffect(() => pen?.setText(value), [pen, value])
  useEffect(() => pen?.setVocabulary(vocabulary), [pen, vocabulary])
  useEffect(() => pen?.setProblems(mistake, remarks), [pen, mistake, remarks])
  useImperativeHandle(
    given,
    () => ({
      insert: (text, back) => (pen ? pen.insert(text, back) : latest.current.onChange(latest.current.value + text)),
      select: (start, end) => pen?.select(start, end),
      undo: () => pen?.undo(),
      redo: () => pen?.redo(),
      focus: () => (pen ? pen.focus() : plain.current?.focus()),
    }),
    [pen],
  )
  return (
    <div className="formula-box">
      <div ref={box} />
      {!pen && (
        <textarea
          ref={plain}
          className="mono"
          aria-label="公式"
          spellCheck={false}
          rows={5}
          value={value}
          onChange={(event) => onChange(event.currentTarget.value)}
        />
      )}
    </div>
  )
}
