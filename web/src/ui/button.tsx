import { type ComponentProps, useLayoutEffect, useRef } from 'react'
import { Icon, type IconName } from './icon.tsx'

type ButtonLook = 'primary' | 'outline' | 'ghost' | 'destructive' | 'small' | 'large' | 'square' | 'wide' | 'plus' | 'code' | 'fold'

interface ButtonProps extends Omit<ComponentProps<'button'>, 'className' | 'ref'> {
  look?: readonly ButtonLook[]
  icon?: IconName
  /** A dialog that opens gives it the focus. */
  'data-focus'?: boolean
}

export function Button({ look = [], icon, children, type = 'button', ...rest }: ButtonProps) {
  const ref = useRef<HTMLButtonElement>(null)
  const had = useRef(false)
  // A button disabled during its own action loses the focus; it is restored unless the focus has moved on.
  useLayoutEffect(() => {
    const focused = document.activeElement
    if (rest.disabled) had.current = focused === ref.current
    else if (had.current && focused === document.body) ref.current?.focus()
  }, [rest.disabled])
  return (
    <button ref={ref} type={type} className={['button', ...look].join(' ')} {...rest}>
      {icon && <Icon name={icon} size={look.includes('small') ? 'middle' : undefined} />}
      {children}
    </button>
  )
}
