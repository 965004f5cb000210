import { passwordRule } from '@convexa/contract/account'
import { type KeyboardEvent, useState } from 'react'
import { Icon } from '../icon.tsx'
import { type Control, fieldClass, wired } from './control.ts'
import { strengthOf, strengthWords } from './rules.ts'

/** A password that can be looked at; pasting is welcome. Says when caps lock is on. */
export function PasswordField({
  value,
  onChange,
  fresh = false,
  placeholder,
  ...control
}: Control & {
  value: string
  onChange: (value: string) => void
  /** A new one, not the one that is known. */
  fresh?: boolean
  placeholder?: string
}) {
  const [shown, setShown] = useState(false)
  const [capsLock, setCapsLock] = useState(false)
  const onKey = (event: KeyboardEvent) => setCapsLock(event.getModifierState('CapsLock'))
  return (
    <>
      <span className={fieldClass('text password', control)}>
        <input
          {...wired(control)}
          type={shown ? 'text' : 'password'}
          autoComplete={fresh ? 'new-password' : 'current-password'}
          autoCapitalize="none"
          spellCheck={false}
          placeholder={placeholder}
          value={value}
          onChange={(event) => onChange(event.currentTarget.value)}
          onKeyDown={onKey}
          onKeyUp={onKey}
        />
        <button
          type="button"
          aria-label={shown ? '隐藏密码' : '显示密码'}
          aria-pressed={shown}
          disabled={control.disabled}
          onClick={() => setShown(!shown)}
        >
          <Icon name="eye" />
        </button>
      </span>
      {capsLock && (
        <span className="caps-lock" role="status">
          大写锁定已开启
        </span>
      )}
    </>
  )
}

/** How hard a new password is to guess: four bars and a word. */
export function PasswordStrength({ password }: { password: string }) {
  const strength = strengthOf(password)
  return (
    <span className={`strength s${strength}`}>
      <span className="bars" aria-hidden="true">
        {[1, 2, 3, 4].map((bar) => (
          <i key={bar} className={bar <= strength ? 'on' : undefined} />
        ))}
      </span>
      <span role="status">{strength > 0 && `强度 ${strengthWords[strength]}`}</span>
      <span className="grow" />
      <span>{passwordRule}</span>
    </span>
  )
}
