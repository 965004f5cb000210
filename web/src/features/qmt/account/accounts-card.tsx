import { calls } from '@convexa/contract/calls'
import type { Account } from '@convexa/contract/qmt'
import { useState } from 'react'
import { call } from '../../../api/client.ts'
import { useList } from '../../../api/lists.ts'
import { useAction } from '../../../api/use-action.ts'
import { useKeys } from '../../../keys/use-keys.ts'
import { Button } from '../../../ui/button.tsx'
import { Card } from '../../../ui/card.tsx'
import { confirm } from '../../../ui/confirm.tsx'
import { FieldError } from '../../../ui/field-error.tsx'
import { Icon } from '../../../ui/icon.tsx'
import { Row } from '../../../ui/layout.tsx'
import { Empty, ErrorBlock } from '../../../ui/states.tsx'
import { DataTable } from '../../../ui/table/data-table.tsx'
import { toast } from '../../../ui/toast.tsx'
import { Term } from '../../help/term.tsx'
import styles from '../qmt.module.css'
import { qmtAccountsQuery, qmtChanged } from '../qmt-queries.ts'
import { accountColumns } from './account-columns.tsx'
import { AccountDrawer } from './account-drawer.tsx'

const mostAccounts = 10
const isNew = 'new'

/** The accounts at brokers, and whether their programme trading was reported. */
export function AccountsCard() {
  const { items, loading, error, retry } = useList(qmtAccountsQuery)
  // By its id: what stands open is shown as it is now.
  const [openedId, setOpenedId] = useState<string | null>(null)
  const opened = items.find(({ id }) => id === openedId)
  const { refused, run } = useAction()
  const add = () => setOpenedId(isNew)
  const full = items.length >= mostAccounts
  useKeys(full ? {} : { create: add })
  const remove = async (account: Account) => {
    const meant = await confirm({
      title: `删除账户「${account.alias}」？`,
      text: '删除后不可恢复；券商那边的账户不受影响。正被运行配置使用的账户不能删除。',
      action: '删除',
      icon: 'bin',
    })
    if (!meant) return
    const done = await run(() => call(calls.qmt.removeAccount, { params: { id: account.id } }))
    if (!done) return
    await qmtChanged()
    toast.done(`账户「${account.alias}」已删除`)
  }
  // Then the empty list says what to do first.
  const none = !loading && !error && items.length === 0
  return (
    <Card
      title="账户"
      note={items.length > 0 ? `${items.length} 个，最多 ${mostAccounts} 个` : undefined}
      bare
      tools={
        <Button look={none ? ['small'] : ['small', 'primary']} icon="plus" aria-keyshortcuts="n" disabled={full} onClick={add}>
          添加账户
        </Button>
      }
      foot="账户只是一个标签：本站不连接券商，不保存券商密码，也不接触资金。"
    >
      <Unreported accounts={items} />
      {refused && (
        <div className={styles.qmtRefused}>
          <FieldError>{refused}</FieldError>
        </div>
      )}
      <DataTable
        label="账户"
        columns={accountColumns}
        rows={items}
        rowKey={({ id }) => id}
        onOpen={({ id }) => setOpenedId(id)}
        {...(loading && { loading: 3 })}
        instead={
          error ? (
            <ErrorBlock error={error} still="账户没有丢失，已导出的客户端照常工作。" onRetry={retry} />
          ) : (
            <Empty
              icon="person"
              title="添加第一个账户"
              actions={
                <Button look={['primary']} onClick={add}>
                  添加账户
                </Button>
              }
            >
              填写别名、券商与资金账号，运行配置靠它说明一份目标给哪个账户。
            </Empty>
          )
        }
        menu={(account) => (
          <Row as="span" align="stretch" className={styles.qmtActs}>
            <Button look={['small', 'ghost']} aria-label={`编辑${account.alias}`} onClick={() => setOpenedId(account.id)}>
              编辑
            </Button>
            <Button look={['small', 'ghost']} aria-label={`删除${account.alias}`} onClick={() => void remove(account)}>
              删除
            </Button>
          </Row>
        )}
        density="standard"
        cards
      />
      {(opened || openedId === isNew) && <AccountDrawer account={opened ?? null} onClose={() => setOpenedId(null)} />}
    </Card>
  )
}

/** 先报告、后交易: said as long as an account that is in use was not reported. */
function Unreported({ accounts }: { accounts: readonly Account[] }) {
  const names = accounts.filter((one) => one.is_enabled && one.report_status === 0).map(({ alias }) => alias)
  if (names.length === 0) return null
  return (
    <Row gap={8} align="stretch" className={styles.qmtStrip} role="status">
      <Icon name="warn" />
      <p>
        <b>{names.join('、')}</b> 还没有报告。按监管要求，程序化交易须<Term k="reporting">先报告、后交易</Term>
        ，请先向你的券商完成报告，再在账户里填写日期。
      </p>
    </Row>
  )
}
