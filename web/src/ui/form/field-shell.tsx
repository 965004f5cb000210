import { Icon } from '../icon.tsx'
import { type Control, fieldClass, wired } from './control.ts'
import './option-list.css'

/** Stands in the place of a field whose code is on its way: of its size, with its words, not to be changed yet. */
export const FieldShell = ({
  kind,
  words = '',
  placeholder,
  width,
  ...control
}: Control & { kind: string; words?: string | undefined; placeholder: string; width?: number | undefined }) => (
  <span className={fieldClass(kind, control)} style={{ width }}>
    <input {...wired(control)} readOnly placeholder={placeholder} value={words} />
    <Icon name="down" size="small" />
  </span>
)
