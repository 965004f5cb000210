import { Button } from '../button.tsx'
import { type Control, fieldClass, wired } from './control.ts'

/** How it stands with asking for a code. */
export interface CodeAsking {
  busy: boolean
  /** It waits for the human check. */
  asksHuman?: boolean
  /** Seconds until it may be asked for again. */
  left: number
  /** One was sent before. */
  again: boolean
}

/** What was typed or pasted, as the digits that it means: a message is often copied with spaces. */
const digits = (text: string) => text.normalize('NFKC').replace(/\D/g, '').slice(0, 6)

/** Six digits from a message, and the button that asks for it. */
export function CodeField({
  value,
  onChange,
  asking: { busy, asksHuman = false, left, again },
  ready = true,
  action = '获取验证码',
  focus = false,
  onSend,
  ...control
}: Control & {
  value: string
  onChange: (value: string) => void
  asking: CodeAsking
  /** Whether it is known where to send it. */
  ready?: boolean
  action?: string
  focus?: boolean
  onSend: () => void
}) {
  return (
    <span className="code-field">
      <span className={fieldClass('text', control)}>
        <input
          {...wired(control)}
          inputMode="numeric"
          autoComplete="one-time-code"
          placeholder="6 位数字"
          value={value}
          // biome-ignore lint/a11y/noAutofocus: where the code is the first thing of a step
          autoFocus={focus}
          onChange={(event) => onChange(digits(event.currentTarget.value))}
        />
      </span>
      <Button look={['code']} disabled={!ready || busy || asksHuman || left > 0 || control.disabled} onClick={onSend}>
        {asksHuman ? '待验证' : busy ? '正在发送…' : left > 0 ? `${left} 秒后可重发` : again ? '重新获取' : action}
      </Button>
    </span>
  )
}
