import { Suspense, useId, useRef, useState } from 'react'
import { flag } from '../../state/shapes.ts'
import { session } from '../../state/storage.ts'
import { Checkbox } from '../../ui/controls.tsx'
import { FieldError } from '../../ui/field-error.tsx'
import type { Bound } from '../../ui/form/use-form.ts'
import { Row } from '../../ui/layout.tsx'
import { lazyDialog } from '../../ui/lazy-dialog.ts'
import styles from './agreement.module.css'

const RiskDialog = lazyDialog(async () => (await import('./risk-dialog.tsx')).RiskDialog)

const key = 'riskRead'
const texts = [
  { path: '/legal/terms', title: '《用户协议》' },
  { path: '/legal/privacy', title: '《隐私政策》' },
] as const

/** The tick under the three texts: it opens only after the risk statement was scrolled to its end, once in this tab. */
export function Agreement({ bound, message, words = '我已阅读并同意' }: { bound: Bound<boolean>; message: string | null; words?: string }) {
  const [read, setRead] = useState(() => session.read(key, flag) === true)
  const [open, setOpen] = useState(false)
  const box = useRef<HTMLDivElement>(null)
  const id = useId()
  const finish = () => {
    session.write(key, true)
    setRead(true)
    setOpen(false)
    // After the dialog has given the focus back.
    setTimeout(() => box.current?.querySelector('input')?.focus())
  }
  const said = [message && `${id}-message`, !read && `${id}-hint`].filter(Boolean).join(' ')
  return (
    <div className={styles.agreement} ref={box}>
      <Row wrap className={styles.agreementLine}>
        <Checkbox
          name={bound.name}
          label={`${words}《用户协议》《隐私政策》《风险揭示书》`}
          checked={bound.value}
          onChange={bound.onChange}
          onBlur={bound.onBlur}
          invalid={message !== null}
          disabled={!read}
          describedBy={said || undefined}
        >
          <span>{words}</span>
        </Checkbox>
        {texts.map(({ path, title }) => (
          <a key={path} className="link" href={path} target="_blank" rel="noopener">
            {title}
          </a>
        ))}
        <button type="button" className="link" onClick={() => setOpen(true)}>
          《风险揭示书》
        </button>
      </Row>
      <FieldError id={`${id}-message`}>{message}</FieldError>
      {!read && (
        <p className="form-hint" id={`${id}-hint`}>
          请先
          <button type="button" className="link" onClick={() => setOpen(true)}>
            阅读风险揭示书
          </button>
          ，读到最后即可勾选
        </p>
      )}
      {open && (
        <Suspense>
          <RiskDialog onRead={finish} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </div>
  )
}
