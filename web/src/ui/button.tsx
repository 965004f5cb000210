import type { ComponentProps } from 'react'
import { Icon, type IconName } from './icon.tsx'

type ButtonLook = 'primary' | 'outline' | 'ghost' | 'destructive' | 'small' | 'large' | 'square' | 'wide' | 'plus' | 'code' | 'fold'

interface ButtonProps extends Omit<ComponentProps<'button'>, 'className'> {
  look?: readonly ButtonLook[]
  icon?: IconName
  /** A dialog that opens gives it the focus. */
  'data-focus'?: boolean
}

export function Button({ look = [], icon, children, type = 'button', ...rest }: ButtonProps) {
  return (
    <button type={type} className={['button', ...look].join(' ')} {...rest}>
      {icon && <Icon name={icon} size={look.includes('small') ? 'middle' : undefined} />}
      {children}
    </button>
  )
}
