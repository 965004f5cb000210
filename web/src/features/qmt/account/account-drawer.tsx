import { calls } from '@convexa/contract/calls'
import { accountTypes, clientTypes } from '@convexa/contract/enums/qmt'
import { choicesOf } from '@convexa/contract/enums/table'
import type { Account } from '@convexa/contract/qmt'
import { qmtLabels } from '@convexa/contract/qmt-labels'
import { call } from '../../../api/client.ts'
import { Button } from '../../../ui/button.tsx'
import { NumberField } from '../../../ui/controls.tsx'
import { Drawer } from '../../../ui/dialog.tsx'
import { RadioGroup, Switch } from '../../../ui/form/choices.tsx'
import { DateField } from '../../../ui/form/date-field.tsx'
import { Form, FormRow } from '../../../ui/form/form-row.tsx'
import { TextArea, TextField } from '../../../ui/form/text-field.tsx'
import { useForm } from '../../../ui/form/use-form.ts'
import { Icon } from '../../../ui/icon.tsx'
import { toast } from '../../../ui/toast.tsx'
import { FormError } from '../../account/form-error.tsx'
import { Term } from '../../help/term.tsx'
import { Behind } from '../behind.tsx'
import { guestWords, useGuest } from '../guest.ts'
import { qmtChanged } from '../qmt-queries.ts'
import { useFollowed } from '../use-followed.ts'
import { accountRules, changedAccount, newAccount, valuesOf } from './account.ts'

const reports = [
  { value: 0, label: '未报告' },
  { value: 1, label: '已向券商报告' },
] as const

const formId = 'qmt-account'

/** An account of the user's at their broker: a label for files and lists. `account` null: a new one. */
export function AccountDrawer({ account, onClose }: { account: Account | null; onClose: () => void }) {
  const guest = useGuest()
  const form = useForm({
    first: valuesOf(account),
    rules: accountRules(account === null),
    submit: async (values) => {
      if (account) await call(calls.qmt.changeAccount, { params: { id: account.id }, body: changedAccount(values) })
      else await call(calls.qmt.addAccount, { body: newAccount(values) })
      await qmtChanged()
      toast.done(account ? '账户已保存' : `账户「${values.alias.trim()}」已添加`)
      onClose()
    },
    places: { 24002: 'account_no', 21004: 'alias' },
  })
  const { bind, message, values } = form
  const { behind, takeOver } = useFollowed(form, valuesOf(account), changedAccount)
  return (
    <Drawer
      title={account ? '编辑账户' : '添加账户'}
      note={account ? `${account.alias} · ${account.account_masked}` : '只是一个标签，不会连接你的券商'}
      width={440}
      focus="field"
      onClose={onClose}
      footer={
        <>
          <span className="grow" />
          <Button onClick={onClose}>取消</Button>
          <Button type="submit" form={formId} look={['primary']} disabled={form.busy || guest}>
            {form.busy ? '正在保存…' : account ? '保存' : '添加'}
          </Button>
        </>
      }
    >
      <Form {...form.props} id={formId} look="above" aria-label="账户">
        <FormError error={form.refusal} />
        {behind && <Behind onTakeOver={takeOver} />}
        {guest && (
          <div className="alert warn">
            <Icon name="warn" />
            <p>{guestWords}</p>
          </div>
        )}
        <FormRow label="别名" message={message('alias')} required>
          {(control) => <TextField {...control} {...bind('alias')} placeholder="例如：主账户" />}
        </FormRow>
        <FormRow label="券商" message={message('broker')} required>
          {(control) => <TextField {...control} {...bind('broker')} />}
        </FormRow>
        <FormRow
          label={qmtLabels.account_no}
          {...(account && { note: '不改则留空' })}
          message={message('account_no')}
          required={!account}
          hint="加密保存，只显示末四位，仅作为导出文件里的标签。本站从不需要券商密码，请勿填写。"
        >
          {(control) => <TextField {...control} {...bind('account_no')} {...(account && { placeholder: account.account_masked })} />}
        </FormRow>
        <FormRow label={qmtLabels.account_type} group>
          {(control) => <RadioGroup {...control} {...bind('account_type')} choices={choicesOf(accountTypes)} />}
        </FormRow>
        <FormRow label="终端" group hint="miniQMT 由本机的 Python 驱动；大 QMT 在终端内运行脚本。">
          {(control) => <RadioGroup {...control} {...bind('client_type')} choices={choicesOf(clientTypes)} />}
        </FormRow>
        <FormRow label={qmtLabels.initial_capital} message={message('initial_capital')}>
          {(control) => <NumberField {...control} {...bind('initial_capital')} width={144} unit="万元" />}
        </FormRow>
        <FormRow
          label={qmtLabels.report_status}
          group
          hint={
            <span>
              按监管要求，程序化交易须<Term k="reporting">先报告、后交易</Term>，由你向开户券商办理。
            </span>
          }
        >
          {(control) => <RadioGroup {...control} {...bind('report_status')} choices={reports} />}
        </FormRow>
        {values.report_status === 1 && (
          <FormRow label={qmtLabels.reported_at} message={message('reported_at')} required>
            {(control) => <DateField {...control} {...bind('reported_at')} />}
          </FormRow>
        )}
        <FormRow label="启用" hint="停用后，使用它的运行配置在客户端的下一次拉取时停止交易。">
          {(control) => (
            <Switch {...control} {...bind('is_enabled')}>
              {values.is_enabled ? '启用' : '停用'}
            </Switch>
          )}
        </FormRow>
        <FormRow label="备注" note="选填" message={message('remark')}>
          {(control) => <TextArea {...control} {...bind('remark')} most={200} />}
        </FormRow>
      </Form>
    </Drawer>
  )
}
