import { useEffect, useState } from 'react'
import { Button } from '../button.tsx'
import { type Control, fieldClass, wired } from './control.ts'

const wait = 60

/** Six digits from a message, and the button that asks for it: again after 60 s, however long the tab slept. */
export function CodeField({
  value,
  onChange,
  onSend,
  ...control
}: Control & {
  value: string
  onChange: (value: string) => void
  /** Whether a code is on its way: only then the clock starts. */
  onSend: () => Promise<boolean>
}) {
  const [until, setUntil] = useState<number | null>(null)
  const [sending, setSending] = useState(false)
  const left = useSecondsTo(until)
  const send = async () => {
    setSending(true)
    const sent = await onSend().catch(() => false)
    setSending(false)
    if (sent) setUntil(Date.now() + wait * 1000)
  }
  return (
    <span className="code-field">
      <span className={fieldClass('text', control)}>
        <input
          {...wired(control)}
          inputMode="numeric"
          autoComplete="one-time-code"
          placeholder="6 位数字"
          value={value}
          onChange={(event) => onChange(event.currentTarget.value)}
        />
      </span>
      <Button look={['code']} disabled={sending || left > 0 || control.disabled} onClick={send}>
        {sending ? '正在发送…' : left > 0 ? `${left} 秒后可重发` : until === null ? '获取验证码' : '重新发送'}
      </Button>
    </span>
  )
}

/** Whole seconds to a moment of the clock; 0 once it is past. */
function useSecondsTo(moment: number | null): number {
  const [now, setNow] = useState(() => Date.now())
  const left = moment === null ? 0 : Math.max(0, Math.ceil((moment - now) / 1000))
  useEffect(() => {
    setNow(Date.now())
    if (moment === null) return
    const timer = setInterval(() => {
      setNow(Date.now())
      if (Date.now() >= moment) clearInterval(timer)
    }, 250)
    return () => clearInterval(timer)
  }, [moment])
  return left
}
