import { CodeField } from '../../ui/form/code-field.tsx'
import { FormRow } from '../../ui/form/form-row.tsx'
import type { Bound } from '../../ui/form/use-form.ts'
import type { CodeSending } from './code-sending.ts'
import { HumanCheck } from './human-check.tsx'

/**
 * The row of a verification code: the field, the button that asks for one, where it went, what was refused, and the human check.
 * @example <CodeRow message={form.message('code')} bound={form.bind('code')} sending={sending} ready={isMobile} />
 */
export function CodeRow({
  label = '验证码',
  bound,
  message,
  sending,
  ready,
  focus = false,
  sentWords = (to) => `验证码已发送至 ${to}，5 分钟内有效`,
}: {
  label?: string
  bound: Bound<string>
  message: string | null
  sending: CodeSending
  /** The target is one that a code can be sent to. */
  ready: boolean
  focus?: boolean
  /** Where nobody may learn whether the account exists, it says no more than that. */
  sentWords?: (to: string) => string
}) {
  return (
    <FormRow
      label={label}
      message={message ?? sending.message}
      required
      done={sending.sentTo !== null && sentWords(sending.sentTo)}
      hint={sending.expired && '验证码已过期，请重新获取'}
    >
      {(control) => (
        <>
          <CodeField {...control} {...bound} asking={sending} ready={ready} focus={focus} onSend={() => void sending.start()} />
          {sending.asksHuman && <HumanCheck onAnswer={(answer) => void sending.answer(answer)} />}
        </>
      )}
    </FormRow>
  )
}
