import { type FormEvent, type KeyboardEvent, type ReactNode, useEffect, useRef, useState } from 'react'
import { isComposing } from '../../base/composing.ts'
import { Button } from '../../ui/button.tsx'
import { FieldError } from '../../ui/field-error.tsx'
import { TextField } from '../../ui/form/text-field.tsx'
import { Row } from '../../ui/layout.tsx'
import './inline-text.css'

/**
 * Text edited in place: Enter saves, Esc reverts. `save` shows the new text at once, reports a refusal itself and returns its sentence:
 * a second attempt starts from the refused text and shows that sentence.
 */
export function InlineText({
  text,
  label,
  children,
  check,
  save,
  editing,
  onEditing,
  placeholder,
}: {
  text: string
  /** 名称, 备注. */
  label: string
  /** How the text is shown while it is not edited. */
  children: ReactNode
  /** What is wrong with it, in a sentence. */
  check: (text: string) => string | null
  save: (text: string) => Promise<string | null>
  editing: boolean
  onEditing: (editing: boolean) => void
  placeholder?: string
}) {
  const [typed, setTyped] = useState(text)
  const [refused, setRefused] = useState<string | null>(null)
  const box = useRef<HTMLFormElement>(null)
  const lost = useRef<{ typed: string; why: string } | null>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: what is typed begins with what was refused, or the text of the moment
  useEffect(() => {
    if (!editing) return
    setTyped(lost.current?.typed ?? text)
    setRefused(lost.current?.why ?? null)
    box.current?.querySelector('input')?.select()
  }, [editing])

  const send = async (event?: FormEvent) => {
    event?.preventDefault()
    const next = typed.trim()
    const mistake = check(next)
    if (mistake) return setRefused(mistake)
    leave()
    if (next === text) return
    const why = await save(next)
    lost.current = why === null ? null : { typed: next, why }
  }
  const leave = () => {
    lost.current = null
    onEditing(false)
  }
  const press = (event: KeyboardEvent) => {
    event.stopPropagation()
    if (event.key === 'Escape' && !isComposing(event.nativeEvent)) leave()
  }
  if (!editing) return children
  return (
    <Row
      as="form"
      wrap
      ref={box}
      className="inline-text"
      aria-label={`修改${label}`}
      onSubmit={(event) => void send(event)}
      onKeyDown={press}
    >
      <TextField
        label={label}
        value={typed}
        onChange={setTyped}
        invalid={refused !== null}
        describedBy="inline-text-message"
        placeholder={placeholder ?? label}
        autoFocus
      />
      <Button type="submit" look={['primary', 'small']}>
        保存
      </Button>
      <Button look={['small', 'ghost']} onClick={leave}>
        取消
      </Button>
      <FieldError id="inline-text-message">{refused}</FieldError>
    </Row>
  )
}
