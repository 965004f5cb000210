import { calls } from '@convexa/contract/calls'
import { useNavigate } from 'react-router'
import { call } from '../../../api/client.ts'
import { isRemembered, useAuth } from '../../../state/auth.ts'
import { loginUrlFrom } from '../../../state/return-url.ts'
import { Button } from '../../../ui/button.tsx'
import { Drawer } from '../../../ui/dialog.tsx'
import { Form } from '../../../ui/form/form-row.tsx'
import { rules } from '../../../ui/form/rules.ts'
import { useForm } from '../../../ui/form/use-form.ts'
import { PageLink } from '../../../ui/page-link.tsx'
import { Empty } from '../../../ui/states.tsx'
import { toast } from '../../../ui/toast.tsx'
import { forgetCode } from '../code-sending.ts'
import { type Contacts, contactsOf, isSome } from '../contacts.ts'
import { FormError } from '../form-error.tsx'
import { NewPasswordRows } from '../new-password-rows.tsx'
import { noOwnCode, OwnCodeRows, ownCodeRules } from '../own-code.tsx'
import { keepUser } from '../own-user.ts'
import type { DrawerProps } from './drawer-props.ts'

export function PasswordDrawer({ user, onClose }: DrawerProps) {
  const contacts = contactsOf(user)
  return (
    <Drawer title={user.has_password ? '修改登录密码' : '设置登录密码'} note="用验证码确认是你本人" focus="field" onClose={onClose}>
      {isSome(contacts) ? (
        <PasswordForm contacts={contacts} onClose={onClose} />
      ) : (
        <Empty
          icon="lock"
          title="先绑定手机号或激活邮箱"
          actions={
            <PageLink className="button primary" to="/personal/profile/mobile" replace>
              绑定手机号
            </PageLink>
          }
        >
          密码要靠发到手机或邮箱的验证码来修改。
        </Empty>
      )}
    </Drawer>
  )
}

const purpose = 'own-password'

/** A new password by a code. The server ends every login; this browser logs in again with the new one. */
function PasswordForm({ contacts, onClose }: { contacts: Contacts; onClose: () => void }) {
  const navigate = useNavigate()
  const form = useForm({
    first: { ...noOwnCode(contacts), password: '', password2: '' },
    rules: {
      ...ownCodeRules(contacts),
      password: (text, all) => rules.required('新密码')(text, all) ?? rules.password(all.target)(text, all),
      password2: (text, all) => rules.required('确认密码')(text, all) ?? rules.password2(all.password)(text, all),
    },
    submit: async ({ target, code, password }) => {
      const account = target.trim()
      const body = { verification_code: code, new_password: password }
      const { logged_out_devices: ended } = await call(calls.verification.newPassword, { params: { target: account }, body })
      forgetCode(purpose)
      const others = ended > 1 ? `，其他 ${ended - 1} 台设备已退出登录` : ''
      if (!(await enterAgain(account, password))) {
        toast.done(`密码已修改${others}，请重新登录`)
        useAuth.getState().clear()
        return void navigate(loginUrlFrom('/personal/profile'), { replace: true })
      }
      toast.done(`密码已修改${others}`)
      onClose()
    },
    places: { 11003: 'code', 11006: 'target', 11007: 'password', 11008: 'password' },
  })
  return (
    <Form {...form.props} look="above" aria-label="新密码">
      <FormError error={form.refusal} />
      <OwnCodeRows contacts={contacts} purpose={purpose} form={form} />
      <NewPasswordRows form={form} />
      <Button type="submit" look={['primary', 'large', 'wide']} disabled={form.busy}>
        {form.busy ? '正在保存…' : '保存新密码'}
      </Button>
      <p className="note">保存后其他设备会退出登录，这台设备保持登录。</p>
    </Form>
  )
}

/** False where it cannot be done now; the password is changed all the same. */
async function enterAgain(account: string, password: string): Promise<boolean> {
  try {
    const token = await call(calls.authorize.byPassword, { body: { account, password } })
    useAuth.getState().setToken(token, isRemembered())
    if (token.user) keepUser(token.user)
    return true
  } catch {
    return false
  }
}
