import { isSynthetic } from '@convexa/contract/enums/data-mode'
import { type MarketId, markets, parseMarketId } from '@convexa/contract/enums/market'
import type { StrategyDetail } from '@convexa/contract/saved-strategy'
import { useQuery } from '@tanstack/react-query'
import { Fragment, type ReactNode, useState } from 'react'
import { useNavigate, useParams } from 'react-router'
import { CallError } from '../../api/messages.ts'
import { strategyDetailQuery, strategyListQuery } from '../../api/queries.ts'
import { usePhone } from '../../base/use-phone.ts'
import { MarketProvider } from '../../market/market-context.tsx'
import { Button } from '../../ui/button.tsx'
import { Page, Row, Stack } from '../../ui/layout.tsx'
import { PageLink } from '../../ui/page-link.tsx'
import { PageTitle } from '../../ui/page-title.tsx'
import { CardSkeleton } from '../../ui/skeleton.tsx'
import { ErrorBlock } from '../../ui/states.tsx'
import { Tabs } from '../../ui/tabs.tsx'
import { DemoBadge } from '../../ui/tag.tsx'
import { Footer } from '../legal/footer.tsx'
import { newConfigPath } from '../rule/addresses.ts'
import { InlineText } from '../rule/inline-text.tsx'
import { useOpenInBuilder } from '../saving/open-in-builder.ts'
import { StrategyChangeDrawer } from '../screen/strategy-change-drawer.tsx'
import { BeforeSavingCard } from './detail/before-saving-card.tsx'
import detailStyles from './detail/detail.module.css'
import { GlanceCard } from './detail/glance-card.tsx'
import { RuleCard } from './detail/rule-card.tsx'
import { RunsOf } from './detail/runs-of.tsx'
import { CallRiskCard, SimilarCard } from './detail/side-cards.tsx'
import { TrackingCard } from './detail/tracking-card.tsx'
import { VersionsCard } from './detail/versions-card.tsx'
import { Gone } from './gone.tsx'
import strategiesStyles from './strategies.module.css'
import { StrategyMenu } from './strategy-menu.tsx'
import { type Editing, nameMistake, remarkMistake, useRemark, useRename } from './strategy-name.tsx'
import { TagsDialog } from './tags-dialog.tsx'

/** The server's words for what is not there, or is no id at all. */
const nowhere: readonly number[] = [40004, 40000]

/** 策略详情: what the rule is, how it does, and what became of it since it was saved. */
export function StrategyPage() {
  const params = useParams()
  const kind = parseMarketId(params['kind'])
  const id = params['id'] ?? ''
  const { data, error, refetch } = useQuery(strategyDetailQuery(kind, id))
  if (error instanceof CallError && nowhere.includes(error.code)) return <Gone what="策略" to={`/personal/strategies?kind=${kind}`} />
  return (
    <MarketProvider market={markets[kind]}>
      <Page>
        {data ? (
          <Detail key={id} kind={kind} strategy={data} />
        ) : error ? (
          <>
            <h1 className="hidden-text">策略详情</h1>
            <ErrorBlock error={error} still="策略没有丢失，可以稍后再看。" onRetry={() => void refetch()} />
          </>
        ) : (
          <Waiting />
        )}
      </Page>
      <Footer />
    </MarketProvider>
  )
}

function Detail({ kind, strategy }: { kind: MarketId; strategy: StrategyDetail }) {
  const { id, strategy_name: name } = strategy
  const [compared, setCompared] = useState(false)
  return (
    <>
      <PageTitle>{[name, '策略详情']}</PageTitle>
      <Head kind={kind} strategy={strategy} />
      <Parts
        parts={{
          glance: <GlanceCard kind={kind} strategy={strategy} onDifference={() => setCompared(true)} />,
          tracking: <TrackingCard kind={kind} strategy={strategy} />,
          before: <BeforeSavingCard kind={kind} strategy={strategy} />,
          runs: (
            <RunsOf
              of={{ strategy_id: id }}
              more={`/personal/backtest-history?strategy=${id}`}
              none="按「运行回测」跑一次：没有改过的规则，结果会记在这里。"
            />
          ),
          rule: <RuleCard kind={kind} strategy={strategy} />,
          risk: markets[kind].redeemed ? <CallRiskCard glance={strategy.glance} /> : null,
          similar: <SimilarCard kind={kind} strategy={strategy} />,
          versions: <VersionsCard kind={kind} strategy={strategy} />,
        }}
      />
      {compared && <StrategyChangeDrawer kind={kind} id={id} name={name} onClose={() => setCompared(false)} />}
    </>
  )
}

type PartKey = 'glance' | 'tracking' | 'before' | 'runs' | 'rule' | 'risk' | 'similar' | 'versions'

/** A phone shows a few parts at a time. */
const tabs = [
  { key: 'now', label: '概览', parts: ['glance', 'risk', 'similar'] },
  { key: 'rule', label: '规则', parts: ['rule', 'versions'] },
  { key: 'past', label: '跟踪', parts: ['tracking', 'before'] },
  { key: 'runs', label: '回测', parts: ['runs'] },
] as const satisfies readonly { key: string; label: string; parts: readonly PartKey[] }[]

/** All parts in two columns; on a phone behind tabs. */
function Parts({ parts }: { parts: Record<PartKey, ReactNode> }) {
  const phone = usePhone()
  const [shown, setShown] = useState<(typeof tabs)[number]['key']>('now')
  if (!phone)
    return (
      <div className={detailStyles.detailColumns}>
        <Stack gap={12} className={detailStyles.detailColumn}>
          {parts.glance}
          {parts.tracking}
          {parts.before}
          {parts.runs}
        </Stack>
        <Stack gap={12} className={detailStyles.detailColumn}>
          {parts.rule}
          {parts.risk}
          {parts.similar}
          {parts.versions}
        </Stack>
      </div>
    )
  return (
    <div className={detailStyles.detailTabs}>
      <Tabs label="策略的各部分" tabs={tabs} value={shown} onChange={setShown}>
        <Stack gap={12} className={detailStyles.detailColumn}>
          {tabs
            .find(({ key }) => key === shown)
            ?.parts.map((key) => (
              <Fragment key={key}>{parts[key]}</Fragment>
            ))}
        </Stack>
      </Tabs>
    </div>
  )
}

function Head({ kind, strategy }: { kind: MarketId; strategy: StrategyDetail }) {
  const { id, strategy_name: name, remark, tags, created_at, updated_at, glance } = strategy
  const [editing, onEditing] = useState<Editing>(null)
  const [tagging, setTagging] = useState(false)
  const rename = useRename(kind, onEditing)
  const setRemark = useRemark(kind, onEditing)
  const open = useOpenInBuilder()
  const navigate = useNavigate()
  const { data: list } = useQuery(strategyListQuery(kind))
  const known = [...new Set(list?.list_items.flatMap((one) => one.tags) ?? [])]
  return (
    <Row as="header" align="start" wrap className={`${detailStyles.detailHead} inline-place`}>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: F2 is heard for the buttons inside */}
      <div className={detailStyles.detailHeadWords} onKeyDown={(event) => event.key === 'F2' && onEditing({ id, what: 'name' })}>
        <InlineText
          text={name}
          label="名称"
          check={nameMistake}
          save={(next) => rename(strategy, next)}
          editing={editing?.what === 'name'}
          onEditing={(on) => onEditing(on ? { id, what: 'name' } : null)}
        >
          <Row wrap className={detailStyles.detailTitle}>
            <h1>{name}</h1>
            <Button
              look={['ghost', 'square', 'small']}
              icon="pencil"
              aria-label="修改名称"
              onClick={() => onEditing({ id, what: 'name' })}
            />
            {isSynthetic(glance?.data_mode) && <DemoBadge />}
          </Row>
        </InlineText>
        {editing?.what === 'name' && <h1 className="hidden-text">{name}</h1>}
        <Row wrap className={`note ${detailStyles.detailTerms}`}>
          <span>{markets[kind].label}</span>
          <span>创建 {created_at.slice(0, 10)}</span>
          <span>更新 {updated_at.slice(0, 10)}</span>
          <Row as="span" inline gap={4} align="stretch" wrap>
            {tags.map((tag) => (
              <span className="tag" key={tag}>
                {tag}
              </span>
            ))}
            <button type="button" className="link" onClick={() => setTagging(true)}>
              {tags.length > 0 ? '改标签' : '加标签'}
            </button>
          </Row>
        </Row>
        <InlineText
          text={remark}
          label="备注"
          check={remarkMistake}
          save={(next) => setRemark(strategy, next)}
          editing={editing?.what === 'remark'}
          onEditing={(on) => onEditing(on ? { id, what: 'remark' } : null)}
        >
          <button type="button" className={`ellipsis ${strategiesStyles.strategyRemark}`} onClick={() => onEditing({ id, what: 'remark' })}>
            {remark || '添加备注'}
          </button>
        </InlineText>
      </div>
      <Row gap={8} align="stretch" wrap className={detailStyles.detailActions}>
        <Button look={['primary']} icon="pencil" onClick={() => void open(kind, id)}>
          打开编辑
        </Button>
        <Button icon="play" onClick={() => void open(kind, id, 'backtest')}>
          运行回测
        </Button>
        <Button icon="filter" onClick={() => void open(kind, id)}>
          实时名单
        </Button>
        <PageLink className="button" to={newConfigPath('strategy', id)}>
          QMT 配置
        </PageLink>
        <StrategyMenu
          kind={kind}
          strategy={strategy}
          onEditing={onEditing}
          onTags={() => setTagging(true)}
          onGone={() => void navigate(`/personal/strategies?kind=${kind}`, { replace: true })}
        />
      </Row>
      {tagging && <TagsDialog kind={kind} strategy={strategy} known={known} onClose={() => setTagging(false)} />}
    </Row>
  )
}

const Waiting = () => (
  <>
    <h1 className="hidden-text">策略详情</h1>
    <Row align="start" wrap className={detailStyles.detailHead} aria-hidden="true">
      <span className="skeleton" style={{ width: 240, height: 24 }} />
    </Row>
    <div className={detailStyles.detailColumns} aria-busy="true">
      <Stack gap={12} className={detailStyles.detailColumn}>
        <CardSkeleton rows={3} />
        <CardSkeleton chart={320} />
      </Stack>
      <Stack gap={12} className={detailStyles.detailColumn}>
        <CardSkeleton rows={5} />
        <CardSkeleton rows={3} />
      </Stack>
    </div>
  </>
)
