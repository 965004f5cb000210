import { Combobox as Base } from '@base-ui/react/combobox'
import { type RefObject, useEffect, useRef, useState } from 'react'
import { Icon } from '../icon.tsx'
import { placed } from '../overlay/placed.ts'
import { type Control, fieldClass, wired } from './control.ts'
import { found, type Option } from './options.ts'
import './option-list.css'
import './form.css'

/** One of many, found by typing (ARIA APG: editable combobox with a list). What is typed and not chosen is put back on leaving. */
export function Combobox<V extends string | number>({
  value,
  options,
  onChange,
  placeholder = '输入代码、名称或拼音',
  width,
  ...control
}: Control & {
  value: V | null
  options: readonly Option<V>[]
  onChange: (value: V | null) => void
  placeholder?: string
  width?: number
}) {
  const chosen = options.find((option) => option.value === value) ?? null
  const [text, setText] = useState<string | null>(null)
  const [open, setOpen] = useState(false)
  const box = useRef<HTMLSpanElement>(null)
  return (
    <Base.Root
      items={options}
      // The library's own filter knows neither codes nor initials.
      filteredItems={found(options, text ?? '')}
      value={chosen}
      inputValue={text ?? chosen?.label ?? ''}
      autoHighlight
      disabled={control.disabled ?? false}
      onValueChange={(option, details) => {
        // The library's Esc empties a field whose list is closed: that key is of the dialog around it.
        if (details.reason === 'escape-key') details.allowPropagation()
        else onChange(option?.value ?? null)
      }}
      onInputValueChange={(typed, { reason }) => setText(reason === 'input-change' ? typed : null)}
      open={open}
      onOpenChange={(next) => {
        setOpen(next)
        if (!next) setText(null)
      }}
    >
      <span ref={box} className={fieldClass('text combobox', control)} style={{ width }}>
        <Base.Input
          {...wired(control)}
          aria-labelledby={control.label ? undefined : control.labelledBy}
          autoComplete="off"
          spellCheck={false}
          placeholder={placeholder}
          onBlur={() => {
            setText(null)
            setOpen(false)
            control.onBlur?.()
          }}
        />
        {text === null && chosen?.note && <span className="mono text-3">{chosen.note}</span>}
        <Icon name="down" size="small" />
      </span>
      {open && (
        <Base.Portal>
          <Base.Positioner {...placed({ anchor: box, align: 'left' })} onMouseDown={(event) => event.preventDefault()}>
            {/* The library's own popup hides the page behind it from the reader, fields that Tab leads to among it (base-ui 5528). */}
            <div role="presentation" className="option-list">
              <NamedButton field={box} />
              <Base.Empty className="none">没有符合的选项</Base.Empty>
              <Base.List aria-label={control.label} aria-labelledby={control.label ? undefined : control.labelledBy}>
                {(option: Option<V>) => (
                  <Base.Item key={option.value} value={option}>
                    <span>{option.label}</span>
                    {option.note && <small className="mono">{option.note}</small>}
                  </Base.Item>
                )}
              </Base.List>
            </div>
          </Base.Positioner>
        </Base.Portal>
      )}
    </Base.Root>
  )
}

/** Behind the field the library puts a hidden button that closes the list, for readers on a phone, and names it in English. */
function NamedButton({ field }: { field: RefObject<Element | null> }) {
  useEffect(() => field.current?.querySelector('[aria-label=Dismiss]')?.setAttribute('aria-label', '收起选项'), [field])
  return null
}
