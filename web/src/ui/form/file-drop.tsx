import { type DragEvent, useRef, useState } from 'react'
import { Button } from '../button.tsx'
import { FieldError } from '../field-error.tsx'
import { Icon } from '../icon.tsx'
import { type Control, wired } from './control.ts'
import './file-drop.css'

const megabytes = (bytes: number) => (bytes < 1e6 ? `${Math.max(1, Math.round(bytes / 1000))} KB` : `${(bytes / 1e6).toFixed(1)} MB`)

/** One file, dropped or chosen. What is too large or of another kind is refused before it is sent. */
export function FileDrop({
  file,
  onChange,
  endings,
  most,
  words = { kind: `只接受 ${endings.join('、')} 文件`, size: `文件不能大于 ${megabytes(most)}` },
  wrong = null,
  ...control
}: Control & {
  file: File | null
  onChange: (file: File | null) => void
  /** `.csv`, `.xlsx` */
  endings: readonly string[]
  /** Bytes. */
  most: number
  /** What is said of a file of another kind, and of one that is too large. */
  words?: { kind: string; size: string }
  /** What turned out to be wrong with the file that was taken. */
  wrong?: string | null
}) {
  const [over, setOver] = useState(false)
  const [refused, setRefused] = useState<string | null>(null)
  const input = useRef<HTMLInputElement>(null)
  const take = (given: File | undefined) => {
    if (!given) return
    const known = endings.some((ending) => given.name.toLowerCase().endsWith(ending))
    if (!known) return setRefused(words.kind)
    if (given.size > most) return setRefused(words.size)
    setRefused(null)
    onChange(given)
  }
  const drop = (event: DragEvent) => {
    event.preventDefault()
    setOver(false)
    if (!control.disabled) take(event.dataTransfer.files[0])
  }
  return (
    <div className="file-drop-frame">
      {/* biome-ignore lint/a11y/noStaticElementInteractions: dropping is one way more; the button inside is the other */}
      <div
        className={['file-drop', over && 'over', (refused || control.invalid) && 'invalid'].filter(Boolean).join(' ')}
        onDragOver={(event) => {
          event.preventDefault()
          setOver(true)
        }}
        onDragLeave={() => setOver(false)}
        onDrop={drop}
      >
        <input
          {...wired(control)}
          ref={input}
          className="hidden-text"
          type="file"
          accept={endings.join(',')}
          onChange={({ currentTarget }) => {
            take(currentTarget.files?.[0])
            currentTarget.value = ''
          }}
        />
        {file ? (
          <>
            <Icon name="check" />
            <b>{file.name}</b>
            <span className="text-3">{megabytes(file.size)}</span>
            <span className="grow" />
            <Button look={['small', 'ghost']} disabled={control.disabled} onClick={() => onChange(null)}>
              移除
            </Button>
          </>
        ) : (
          <>
            <Icon name="upload" />
            <span>
              拖到这里，或{' '}
              <button type="button" className="link" disabled={control.disabled} onClick={() => input.current?.click()}>
                选择文件
              </button>
            </span>
            <span className="text-3">
              {endings.join('、')}，不超过 {megabytes(most)}
            </span>
          </>
        )}
      </div>
      <FieldError>{refused ?? wrong}</FieldError>
    </div>
  )
}
