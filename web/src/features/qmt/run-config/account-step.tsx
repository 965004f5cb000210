import type { Account } from '@convexa/contract/qmt'
import type { List } from '../../../api/lists.ts'
import { FormRow } from '../../../ui/form/form-row.tsx'
import type { Form } from '../../../ui/form/use-form.ts'
import { PageLink } from '../../../ui/page-link.tsx'
import { Empty, ErrorBlock } from '../../../ui/states.tsx'
import { Badge } from '../../../ui/tag.tsx'
import { accountKind } from '../account/account.ts'
import { Picks } from './picks.tsx'
import type { ConfigValues } from './run-config.ts'

/** ① Which account the targets are for. */
export function AccountStep({ form, list }: { form: Form<ConfigValues>; list: List<Account> }) {
  if (list.error) return <ErrorBlock error={list.error} still="其余步骤不受影响。" onRetry={list.retry} />
  if (!list.loading && list.items.length === 0)
    return (
      <Empty
        icon="person"
        title="还没有账户"
        actions={
          <PageLink className="button primary" to="/qmt/account-management">
            去添加账户
          </PageLink>
        }
      >
        账户是一个标签，说明这份目标给哪个券商账户。
      </Empty>
    )
  return (
    <FormRow label="账户" message={form.message('account_id')} group required>
      {(control) => (
        <Picks
          {...control}
          {...form.bind('account_id')}
          choices={list.items.map((one) => ({
            value: one.id,
            title: one.alias,
            note: `${one.broker} ${one.account_masked} · ${accountKind(one)}`,
            mark: !one.is_enabled ? (
              <Badge>已停用</Badge>
            ) : one.report_status === 1 ? (
              <Badge look="ok">已报告</Badge>
            ) : (
              <Badge look="warn">未报告</Badge>
            ),
          }))}
        />
      )}
    </FormRow>
  )
}
