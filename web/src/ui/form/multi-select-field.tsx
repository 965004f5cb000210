import { CSPProvider } from '@base-ui/react/csp-provider'
import { Select as Base } from '@base-ui/react/select'
import { useRef } from 'react'
import { Icon } from '../icon.tsx'
import { placed } from '../overlay/placed.ts'
import { type Control, fieldClass, wired } from './control.ts'
import { type Option, withChosen } from './options.ts'
import './option-list.css'

/**
 * Several of a few (ARIA APG: select-only combobox over a multi-selectable list). Space and Enter tick; the list stays open. What was chosen
 * and is not offered any more stands behind the others: it counts until somebody takes it out.
 */
export function MultiSelect<V extends string | number>({
  value,
  options: offered,
  onChange,
  placeholder = '请选择',
  width,
  ...control
}: Control & {
  value: readonly V[]
  options: readonly Option<V>[]
  onChange: (value: V[]) => void
  placeholder?: string
  width?: number
}) {
  const box = useRef<HTMLSpanElement>(null)
  const options = withChosen(offered, value)
  const chosen = options.filter((option) => value.includes(option.value))
  return (
    // The page policy allows no style elements.
    <CSPProvider disableStyleElements>
      <Base.Root
        multiple
        modal={false}
        value={[...value]}
        disabled={control.disabled ?? false}
        // In the order of the list, whatever the order of ticking.
        onValueChange={(next) => onChange(options.map((option) => option.value).filter((one) => next.includes(one)))}
      >
        <span ref={box} className={fieldClass('multi', control)} style={{ width }}>
          <Base.Trigger {...wired(control)}>
            {chosen.length === 0 ? (
              <span className="text-3">{placeholder}</span>
            ) : (
              <span>{chosen.map(({ label }) => label).join('、')}</span>
            )}
            {chosen.length > 1 && <em>{chosen.length}</em>}
            <Icon name="down" size="small" />
          </Base.Trigger>
        </span>
        <Base.Portal>
          <Base.Positioner {...placed({ anchor: box, align: 'left' })} alignItemWithTrigger={false}>
            <Base.Popup className="option-list" aria-label={control.label} aria-labelledby={control.label ? undefined : control.labelledBy}>
              {options.map((option) => (
                <Base.Item key={option.value} value={option.value} label={option.label}>
                  <span className="tick" aria-hidden="true">
                    {value.includes(option.value) && <Icon name="check" size="small" />}
                  </span>
                  <Base.ItemText render={<span />}>{option.label}</Base.ItemText>
                  {option.note && <small className="mono">{option.note}</small>}
                </Base.Item>
              ))}
            </Base.Popup>
          </Base.Positioner>
        </Base.Portal>
      </Base.Root>
    </CSPProvider>
  )
}
