import { accountLabels } from '@convexa/contract/account-labels'
import { calls } from '@convexa/contract/calls'
import { type FormEvent, useState } from 'react'
import { call } from '../../../api/client.ts'
import { Button } from '../../../ui/button.tsx'
import { Drawer } from '../../../ui/dialog.tsx'
import { Form, FormRow } from '../../../ui/form/form-row.tsx'
import { first, type Rule, rules } from '../../../ui/form/rules.ts'
import { TextField } from '../../../ui/form/text-field.tsx'
import { useForm } from '../../../ui/form/use-form.ts'
import { Steps } from '../../../ui/steps.tsx'
import { toast } from '../../../ui/toast.tsx'
import { CodeRow } from '../code-row.tsx'
import { forgetCode, useCodeSending } from '../code-sending.ts'
import { type Contact, contactRule } from '../contacts.ts'
import { FormError } from '../form-error.tsx'
import { reloadUser } from '../own-user.ts'
import { reAuthed } from '../re-auth.ts'
import type { DrawerProps } from './drawer-props.ts'

const steps = [
  { key: 'old', title: '验证原手机号' },
  { key: 'new', title: '绑定新手机号' },
] as const

const codeOf = (mobile: string) => (options: { headers: Record<string, string> }) =>
  call(calls.verification.mobileCode, { params: { mobile } }, options)
const codeRule = first<string, unknown>(rules.required('验证码'), rules.code)
const never: Rule<string> = () => null

/** Binds the first mobile, or replaces it: then both codes go in one call. */
export function MobileDrawer({ user, onClose }: DrawerProps) {
  const masked = user.mobile_masked
  const [step, setStep] = useState(0)
  const old: Contact | null = masked === null ? null : { channel: 'sms', name: '手机号', masked }
  const form = useForm({
    first: { old: '', oldCode: '', mobile: '', code: '' },
    rules: {
      old: old ? contactRule(old) : never,
      oldCode: old ? codeRule : never,
      mobile: first<string, { old: string }>(rules.required(accountLabels.new_mobile), rules.mobile, (text, all) =>
        text !== '' && text.trim() === all.old.trim() ? '新手机号与原手机号相同' : null,
      ),
      code: codeRule,
    },
    submit: async ({ oldCode, mobile, code }) => {
      const body = { new_mobile: mobile.trim(), new_verification_code: code, old_verification_code: old ? oldCode : '' }
      const { mobile_masked } = await reAuthed(() => call(calls.verification.changeMobile, { body }))
      forgetCode('mobile-old')
      forgetCode('mobile-new')
      await reloadUser()
      toast.done(`手机号已${old ? '更换' : '绑定'}为 ${mobile_masked}，其他设备已退出登录`)
      onClose()
    },
    places: { 11003: 'code', 11006: 'mobile', 11010: 'mobile' },
  })
  const ofOld = form.values.old.trim()
  const ofNew = form.values.mobile.trim()
  const oldSending = useCodeSending({ purpose: 'mobile-old', target: ofOld, send: codeOf(ofOld) })
  const newSending = useCodeSending({ purpose: 'mobile-new', target: ofNew, send: codeOf(ofNew) })
  const atOld = old !== null && step === 0
  const next = (event: FormEvent) => {
    event.preventDefault()
    if (form.check('old') && form.check('oldCode')) setStep(1)
  }
  return (
    <Drawer title={old ? '更换手机号' : '绑定手机号'} note={masked && `已绑定 ${masked}`} focus="field" onClose={onClose}>
      {old && <Steps label="更换手机号" steps={steps} now={step} onGo={setStep} />}
      <Form {...form.props} {...(atOld && { onSubmit: next })} look="above" aria-label={old ? '更换手机号' : '绑定手机号'}>
        <FormError error={form.refusal} />
        {atOld ? (
          <>
            <FormRow label="原手机号" note={`已绑定 ${masked}`} message={form.message('old')} required>
              {(control) => (
                <TextField {...control} {...form.bind('old')} inputMode="tel" autoComplete="tel" placeholder="请输入完整的原手机号" />
              )}
            </FormRow>
            <CodeRow
              label="原手机号验证码"
              bound={form.bind('oldCode')}
              message={form.message('oldCode')}
              sending={oldSending}
              ready={contactRule(old)(ofOld, null) === null}
            />
            <Button type="submit" look={['primary', 'large', 'wide']}>
              下一步
            </Button>
            <p className="note">原手机号已停用、收不到短信时，请联系客服核实身份后更换。</p>
          </>
        ) : (
          <>
            <FormRow label={accountLabels.new_mobile} message={form.message('mobile')} required>
              {(control) => (
                <TextField {...control} {...form.bind('mobile')} inputMode="tel" autoComplete="tel" placeholder="11 位手机号" />
              )}
            </FormRow>
            <CodeRow
              label="新手机号验证码"
              bound={form.bind('code')}
              message={form.message('code')}
              sending={newSending}
              ready={ofNew !== '' && ofNew !== ofOld && rules.mobile(ofNew, null) === null}
            />
            <Button type="submit" look={['primary', 'large', 'wide']} disabled={form.busy}>
              {form.busy ? '正在提交…' : old ? '更换手机号' : '绑定手机号'}
            </Button>
            <p className="note">
              {old
                ? '新旧两个验证码一起提交；提示有误时，也可能是原手机号的验证码过期，请返回上一步重新获取。更换后其他设备会退出登录。'
                : '绑定后可以用手机号登录和找回密码；其他设备会退出登录。'}
            </p>
          </>
        )}
      </Form>
    </Drawer>
  )
}
