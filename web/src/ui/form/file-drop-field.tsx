import { useState } from 'react'
import { ErrorCode, type FileError, useDropzone } from 'react-dropzone'
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
  const [refused, setRefused] = useState<string | null>(null)
  const disabled = control.disabled === true
  const { getRootProps, getInputProps, isDragActive, open } = useDropzone({
    ...{ disabled, multiple: false, maxSize: most, noClick: true, noKeyboard: true },
    // By the name alone: systems give one kind of file different types, or none.
    validator: ({ name }) =>
      endings.some((ending) => name.toLowerCase().endsWith(ending)) ? null : { code: ErrorCode.FileInvalidType, message: words.kind },
    onDrop: ([taken], [rejection]) => {
      setRefused(rejection ? sentenceOf(rejection.errors, words) : null)
      if (taken && !rejection) onChange(taken)
    },
  })
  return (
    <div className="file-drop-frame">
      <div
        {...getRootProps({
          className: ['file-drop', isDragActive && 'over', (refused || control.invalid) && 'invalid'].filter(Boolean).join(' '),
        })}
      >
        <input {...getInputProps({ ...wired(control), accept: endings.join(','), className: 'hidden-text', style: {} })} />
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
              <button type="button" className="link" disabled={control.disabled} onClick={open}>
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

/** Several files at once are refused as such, whatever each of them is. */
function sentenceOf(errors: readonly FileError[], { kind, size }: { kind: string; size: string }): string {
  const codes = errors.map(({ code }) => code)
  if (codes.includes(ErrorCode.TooManyFiles)) return '一次只能选择一个文件'
  return codes.includes(ErrorCode.FileInvalidType) ? kind : size
}
