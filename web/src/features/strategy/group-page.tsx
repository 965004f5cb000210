import { type MarketId, markets, parseMarketId } from '@convexa/contract/enums/market'
import type { GroupDetail } from '@convexa/contract/strategy-group'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useNavigate, useParams } from 'react-router'
import { CallError } from '../../api/messages.ts'
import { useIsDemo } from '../../api/site.ts'
import { MarketProvider } from '../../market/market-context.tsx'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { Page, Row, Stack } from '../../ui/layout.tsx'
import { PageLink } from '../../ui/page-link.tsx'
import { PageTitle } from '../../ui/page-title.tsx'
import { CardSkeleton } from '../../ui/skeleton.tsx'
import { ErrorBlock } from '../../ui/states.tsx'
import { DemoBadge } from '../../ui/tag.tsx'
import { Footer } from '../legal/footer.tsx'
import { newConfigPath } from '../rule/addresses.ts'
import { groupQuery } from '../rule/strategy-queries.ts'
import { RunsOf } from './detail/runs-of.tsx'
import { useGlances } from './glance-refresh.ts'
import { Gone } from './gone.tsx'
import { CombinedCard, CorrelationCard, GroupNavCard } from './group/group-cards.tsx'
import { draftOfGroup, GroupDrawer } from './group/group-drawer.tsx'
import { duplicateChoices, rebalanceChoices, wordOf } from './group/group-labels.ts'
import { GroupMenu } from './group/group-menu.tsx'
import { GroupRunDialog } from './group/group-run-dialog.tsx'
import { MemberTable } from './group/member-table.tsx'
import './strategies.module.css'
import styles from './detail/detail.module.css'
import './group/group.module.css'

const nowhere: readonly number[] = [40004, 40000]

/** 策略组详情: its members, what they list together, how alike they are, and the group as a whole. */
export function GroupPage() {
  const params = useParams()
  const kind = parseMarketId(params['kind'])
  const id = params['id'] ?? ''
  const { data, error, refetch } = useQuery(groupQuery(kind, id))
  if (error instanceof CallError && nowhere.includes(error.code))
    return <Gone what="策略组" to={`/personal/group-strategies?kind=${kind}`} />
  return (
    <MarketProvider market={markets[kind]}>
      <Page>
        {data ? (
          <Detail key={id} kind={kind} group={data} />
        ) : (
          <>
            <h1 className="hidden-text">策略组详情</h1>
            {error ? <ErrorBlock error={error} still="策略组没有丢失，可以稍后再看。" onRetry={() => void refetch()} /> : <Waiting />}
          </>
        )}
      </Page>
      <Footer />
    </MarketProvider>
  )
}

const Waiting = () => (
  <div aria-busy="true">
    <Row align="start" wrap className={styles.detailHead} aria-hidden="true">
      <span className="skeleton" style={{ width: 200, height: 24 }} />
    </Row>
    <CardSkeleton rows={4} />
  </div>
)

function Detail({ kind, group }: { kind: MarketId; group: GroupDetail }) {
  const { id, group_name: name, remark, members, rebalance, duplicate } = group
  const [editing, setEditing] = useState(false)
  const [running, setRunning] = useState(false)
  const demo = useIsDemo(kind)
  const navigate = useNavigate()
  const missing = members.filter(({ as_of }) => as_of === null)
  const refresh = (which: GroupDetail['members']) =>
    useGlances.getState().add(which.map(({ strategy_id, strategy_name }) => ({ kind, id: strategy_id, name: strategy_name })))
  return (
    <>
      <PageTitle>{[name, '策略组详情']}</PageTitle>
      <Row as="header" align="start" wrap className={styles.detailHead}>
        <div className={styles.detailHeadWords}>
          <Row wrap className={styles.detailTitle}>
            <h1>{name}</h1>
            {demo && <DemoBadge />}
          </Row>
          <Row wrap className={`note ${styles.detailTerms}`}>
            <span>{markets[kind].label}策略组</span>
            <span>成员 {members.length}</span>
            <span>再平衡 {wordOf(rebalanceChoices, rebalance)}</span>
            <span>重复持仓 {wordOf(duplicateChoices, duplicate)}</span>
            <span>更新 {group.updated_at.slice(0, 10)}</span>
          </Row>
          {remark && <p className="note">{remark}</p>}
        </div>
        <Row gap={8} align="stretch" wrap className={styles.detailActions}>
          <Button look={['primary']} icon="play" onClick={() => setRunning(true)}>
            运行组合回测
          </Button>
          <Button icon="pencil" onClick={() => setEditing(true)}>
            编辑成员
          </Button>
          <PageLink className="button" to={newConfigPath('group', id)}>
            QMT 配置
          </PageLink>
          <GroupMenu
            kind={kind}
            group={group}
            choices={[{ label: '刷新概览', run: () => refresh(members) }]}
            onGone={() => void navigate(`/personal/group-strategies?kind=${kind}`, { replace: true })}
          />
        </Row>
      </Row>
      {missing.length > 0 && (
        <p className="alert warn">
          <span>
            {missing.map(({ strategy_name: one }) => `「${one}」`).join('')}还没有概览，合并名单与相关性不含它们。
            <button type="button" className="link" onClick={() => refresh(missing)}>
              生成概览
            </button>
          </span>
        </p>
      )}
      <div className={styles.detailColumns}>
        <Stack gap={12} className={styles.detailColumn}>
          <Card title="成员" note="近况来自各自的概览" bare>
            <MemberTable kind={kind} group={group} />
          </Card>
          <GroupNavCard kind={kind} group={group} />
          <RunsOf of={{ group_id: id }} more="/personal/backtest-history" none={null} />
        </Stack>
        <Stack gap={12} className={styles.detailColumn}>
          <CorrelationCard group={group} />
          <CombinedCard kind={kind} group={group} onRefresh={() => refresh(members)} />
        </Stack>
      </div>
      {editing && <GroupDrawer kind={kind} given={draftOfGroup(group)} onClose={() => setEditing(false)} />}
      {running && <GroupRunDialog kind={kind} group={group} onClose={() => setRunning(false)} />}
    </>
  )
}
