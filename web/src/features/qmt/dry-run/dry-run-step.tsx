import { calls } from '@convexa/contract/calls'
import { isSynthetic } from '@convexa/contract/enums/data-mode'
import type { ConfigListItem } from '@convexa/contract/qmt'
import type { DryRunBody } from '@convexa/contract/qmt-basket'
import { type ReactNode, Suspense, useState } from 'react'
import { call } from '../../../api/client.ts'
import { CallError } from '../../../api/messages.ts'
import { useAction } from '../../../api/use-action.ts'
import { dateTime } from '../../../base/dates.ts'
import { usePhone } from '../../../base/use-phone.ts'
import { Button } from '../../../ui/button.tsx'
import { StateBody } from '../../../ui/card-state.tsx'
import { Checkbox } from '../../../ui/controls.tsx'
import { Drawer } from '../../../ui/dialog.tsx'
import { FieldError } from '../../../ui/field-error.tsx'
import { Row } from '../../../ui/layout.tsx'
import { lazyDialog } from '../../../ui/lazy-dialog.ts'
import { PageLink } from '../../../ui/page-link.tsx'
import { ErrorBlock } from '../../../ui/states.tsx'
import { DemoBadge } from '../../../ui/tag.tsx'
import { toast } from '../../../ui/toast.tsx'
import { qmtChanged } from '../qmt-queries.ts'
import { ReadOnlyNote } from '../run-config/read-only-note.tsx'
import styles from './dry-run.module.css'
import { trades } from './dry-run.ts'
import { DryRunResult } from './dry-run-result.tsx'
import { HoldingsForm } from './holdings-form.tsx'
import { useDryRun } from './use-dry-run.ts'

const StrategyChangeDrawer = lazyDialog(async () => (await import('../../screen/strategy-change-drawer.tsx')).StrategyChangeDrawer)

/** What the call says of a table that it cannot read belongs at the table. */
const badHoldings = 40000

/** ④ What would be traded and why, before it is; looked at line by line, then confirmed, which a phone does not. */
export function DryRunStep({
  config,
  head,
  steps,
  onBack,
  onExport,
  onClose,
}: {
  config: ConfigListItem
  head: { title: string; note: string; width: number }
  steps: ReactNode
  onBack: () => void
  onExport: () => void
  onClose: () => void
}) {
  const { id, kind, source, updated_at: version } = config
  const { result, at, error, busy, run, cancel } = useDryRun(id)
  const confirming = useAction()
  const phone = usePhone()
  const [asksAgain, setAsking] = useState(true)
  const [ranFor, setRanFor] = useState<string | null>(null)
  // What was rehearsed before the config changed says nothing of what it is now.
  const isBehind = ranFor !== null && ranFor !== version
  const asking = asksAgain || isBehind
  const [looked, setLooked] = useState(false)
  const [listShown, setListShown] = useState(false)
  const [agreed, setAgreed] = useState<{ hash: string; at: string } | null>(null)
  const again = async (body: DryRunBody) => {
    setLooked(false)
    if (!(await run(body))) return
    setRanFor(version)
    setAsking(false)
  }
  const unread = error instanceof CallError && error.code === badHoldings
  const shown = asking ? null : result
  // The answer to another result may come late: it says nothing of this one.
  const confirmed = shown && agreed?.hash === shown.hash ? agreed.at : null
  const demo = isSynthetic(shown?.data_mode)
  const agree = async (hash: string) => {
    const done = await confirming.run(async () => {
      const { confirmed_at: at } = await call(calls.qmt.confirm, { params: { id }, body: { hash } })
      setAgreed({ hash, at })
    })
    if (!done) return
    await qmtChanged()
    toast.done('差异已确认，可以导出')
  }
  return (
    <Drawer
      {...head}
      {...(phone && { title: '模拟演练' })}
      tools={demo && <DemoBadge />}
      onClose={onClose}
      footer={
        <>
          {shown && confirmed === null && !phone && (
            <Checkbox checked={looked} onChange={setLooked} disabled={busy}>
              我已核对以上 {trades(shown.rows).length} 笔差异
            </Checkbox>
          )}
          {confirmed !== null && (
            <span className="ok" role="status">
              已于 {dateTime(confirmed).slice(11, 16)} 确认
            </span>
          )}
          <span className="grow" />
          <Button onClick={onBack}>上一步</Button>
          <Button onClick={onClose}>{phone ? '关闭' : confirmed === null ? '稍后再确认' : '完成'}</Button>
          {confirmed !== null && !phone && (
            <Button look={['primary']} icon="download" onClick={onExport}>
              导出
            </Button>
          )}
          {shown && confirmed === null && !phone && (
            <Button
              look={['primary']}
              {...(demo && { icon: 'lock' as const, 'aria-describedby': 'dry-demo' })}
              disabled={!looked || busy || demo || confirming.busy}
              onClick={() => void agree(shown.hash)}
            >
              确认并启用导出
            </Button>
          )}
        </>
      }
    >
      {!phone && steps}
      <div className={styles.dryBody}>
        {isBehind && !busy && <p role="status">配置刚才有改动，请重新演练。</p>}
        <div hidden={!asking}>
          <HoldingsForm heartbeat={config.last_heartbeat} busy={busy} error={error} onRun={(body) => void again(body)} />
        </div>
        {busy && <StateBody state={{ kind: 'loading', rows: 8, words: '正在演练…', onCancel: cancel }} />}
        {error != null && !unread && <ErrorBlock error={error} still="配置已保存，持仓还在上面，稍后可以再演练。" />}
        {confirming.refused && (
          <Row wrap className={styles.dryRefused}>
            <FieldError>{confirming.refused}</FieldError>
            <PageLink className="link size-12" to="/qmt/account-management">
              看急停状态
            </PageLink>
            <button type="button" className="link size-12" onClick={() => setAsking(true)}>
              重新演练
            </button>
          </Row>
        )}
        {shown && (
          <DryRunResult
            kind={kind}
            result={shown}
            at={at}
            onAgain={() => setAsking(true)}
            onList={source.type === 'strategy' ? () => setListShown(true) : null}
          />
        )}
        {phone && <ReadOnlyNote />}
      </div>
      {listShown && (
        <Suspense>
          <StrategyChangeDrawer kind={kind} id={source.id} name={source.name} onClose={() => setListShown(false)} />
        </Suspense>
      )}
    </Drawer>
  )
}
