import type { Settings } from '@convexa/contract/backtest'
import { callStatuses } from '@convexa/contract/enums/call-status'
import type { MarketId } from '@convexa/contract/enums/market'
import { labelOf } from '@convexa/contract/enums/table'
import type { Template } from '@convexa/contract/reference'
import { ruleLabels } from '@convexa/contract/rule-labels'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useMemo, useRef, useState } from 'react'
import { strategyOptionsQuery } from '../../api/queries.ts'
import { useSite } from '../../api/site.ts'
import { useMarket } from '../../market/market-context.tsx'
import { useStrategies } from '../../state/drafts.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { Spark } from '../../ui/chart/spark.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Row } from '../../ui/layout.tsx'
import { ErrorBlock } from '../../ui/states.tsx'
import { Badge } from '../../ui/tag.tsx'
import { Footer } from '../legal/footer.tsx'
import { defaultSettings, isRunnable } from '../rule/draft.ts'
import { type Factors, useFactors } from '../rule/factors.ts'
import { filterText, summaryOf, textOf } from '../rule/summary.ts'
import { Figures } from './template-figures.tsx'
import { figuresOf, runOf, runTemplates, useTemplateRuns } from './template-runs.ts'
import { useTemplate } from './use-template.ts'
import './template-gallery.css'

/** The first sight of a market: templates as cards, each a copy to change. */
export function TemplateGallery({ onDone }: { onDone: () => void }) {
  const market = useMarket()
  const { data: options, error, refetch } = useQuery(strategyOptionsQuery)
  const { factors } = useFactors(market.id)
  const draft = useStrategies((state) => state.drafts[market.id])
  const [explained, setExplained] = useState<Template | null>(null)
  const version = useSite().data_version[market.id]
  const templates = options?.templates.filter(({ kind }) => kind === market.id)
  const settings = useMemo(() => (options ? defaultSettings(market.id, options, factors) : null), [market.id, options, factors])
  const busy = useTemplateRuns(({ runs }) => Object.values(runs).some(({ kind }) => kind === 'running'))
  const leaving = useRef<AbortController | null>(null)
  useEffect(() => () => leaving.current?.abort(), [])
  const run = (some: readonly Template[]) => {
    if (!settings || busy) return
    leaving.current = new AbortController()
    void runTemplates(market.id, some, settings, leaving.current.signal)
  }
  const start = useTemplate()
  const use = (template: Template | null) => {
    start(template)
    onDone()
  }
  return (
    <>
      <main className="gallery" id="main">
        <Row gap={8} className="gallery-lead">
          <Icon name="info" />
          <p className="note grow">
            模板是可以修改的副本，第一次保存时会要求起名。卡片上的数字只来自这个模板在当前数据上的速览运行（理想成交、含单边成本），没有跑过就没有数字。
          </p>
          {version && <span className="badge">{version}</span>}
          {draft && (
            <Button look={['small']} onClick={onDone}>
              返回当前策略
            </Button>
          )}
          {templates && settings && (
            <Button look={['small']} icon="play" disabled={busy} onClick={() => run(templates)}>
              {busy ? '正在运行…' : '全部跑一次'}
            </Button>
          )}
          <Button look={['small', 'primary']} icon="plus" disabled={!options} onClick={() => use(null)}>
            从空白开始
          </Button>
        </Row>
        {error && <ErrorBlock error={error} still="模板加载失败。" onRetry={() => refetch()} />}
        <div className="gallery-cards">
          {templates?.map((template) => (
            <TemplateCard
              key={template.key}
              {...{ kind: market.id, template, settings, busy, dataVersion: version }}
              onRun={() => run([template])}
              onUse={() => use(template)}
              onExplain={() => setExplained(template)}
            />
          ))}
          {!templates && !error && ['a', 'b', 'c', 'd'].map((key) => <SkeletonCard key={key} />)}
          <FirstTime />
        </div>
        {explained && options && (
          <TemplateDialog template={explained} factors={factors} onClose={() => setExplained(null)} onUse={() => use(explained)} />
        )}
      </main>
      <Footer />
    </>
  )
}

function TemplateCard({
  kind,
  template,
  settings,
  dataVersion,
  busy,
  onRun,
  onUse,
  onExplain,
}: {
  kind: MarketId
  template: Template
  settings: Settings | null
  dataVersion: string | null
  busy: boolean
  onRun: () => void
  onUse: () => void
  onExplain: () => void
}) {
  const state = useTemplateRuns()
  const figures = settings && figuresOf(state, kind, template, settings, dataVersion)
  const rows: readonly [string, string][] = [
    ['预期表现', template.expect],
    ['什么时候失效', template.fails],
    ['要盯什么', template.watch],
  ]
  return (
    <Card
      as="article"
      className="template"
      title={template.name}
      tools={
        <>
          {figures && <Spark values={figures.curve} width={80} height={24} tone="plain" />}
          {!isRunnable(template) && <Badge>剔除包</Badge>}
        </>
      }
      bare
    >
      <div className="template-body">
        <p className="template-rule">{template.rule}</p>
        <dl>
          {rows.map(([term, text]) => (
            <div key={term}>
              <dt>{term}</dt>
              <dd>{text || '—'}</dd>
            </div>
          ))}
        </dl>
      </div>
      <Figures {...{ kind, template, settings, dataVersion }} />
      <Row gap={8} align="stretch" className="template-actions">
        <Button look={['small']} onClick={onExplain}>
          看口径
        </Button>
        <span className="grow" />
        {isRunnable(template) && !figures && runOf(state, kind, template)?.kind !== 'running' && (
          <Button look={['small']} disabled={busy || !settings} aria-label={`跑一次${template.name}`} onClick={onRun}>
            跑一次
          </Button>
        )}
        <Button look={['small', 'outline']} onClick={onUse} aria-label={`使用模板${template.name}`}>
          使用
        </Button>
      </Row>
    </Card>
  )
}

const SkeletonCard = () => (
  <Card plain as="article" className="template" aria-hidden="true">
    <header>
      <span className="skeleton" style={{ width: 72, height: 14 }} />
    </header>
    <div className="template-body">
      {[92, 64, 48, 80, 46, 72].map((width) => (
        <p key={width}>
          <span className="skeleton" style={{ width: `${width}%` }} />
        </p>
      ))}
    </div>
  </Card>
)

const steps = ['选一个模板，看名单', '点开一只，看为什么入选', '跑近 3 年回测', '看最大回撤与恢复天数', '满意后再改成自己的']

const FirstTime = () => (
  <Card plain as="article" className="template first-time">
    <h2>第一次用？</h2>
    <ol>
      {steps.map((step, index) => (
        <li key={step}>
          <i>{index + 1}</i>
          {step}
        </li>
      ))}
    </ol>
    <p className="note">大约 90 秒，随时可以跳过。</p>
  </Card>
)

/** What exactly a template does: its sentence, exclusions, conditions. */
function TemplateDialog({
  template,
  factors,
  onUse,
  onClose,
}: {
  template: Template
  factors: Factors
  onUse: () => void
  onClose: () => void
}) {
  const market = useMarket()
  const { id: kind } = market
  const { data: options } = useQuery(strategyOptionsQuery)
  const { parameters } = template
  const { exclude } = parameters
  const risks = [
    ...(exclude.call_status ?? []).map((status) => labelOf(callStatuses, status)),
    exclude.st ? 'ST 或 *ST' : '',
    exclude.suspended ? '停牌' : '',
    exclude.list_days > 0 ? `上市 ${exclude.list_days} 天以内` : '',
    exclude.ratings_below ? `评级低于 ${exclude.ratings_below}` : '',
  ].filter(Boolean)
  const sentence = textOf(summaryOf(parameters, options ? defaultSettings(kind, options, factors) : null, factors, null, market))
  return (
    <Dialog
      title={`${template.name} · 口径`}
      onClose={onClose}
      width={520}
      footer={
        <>
          <Button onClick={onClose}>关闭</Button>
          <Button look={['primary']} onClick={onUse}>
            使用
          </Button>
        </>
      }
    >
      <div className="template-definition">
        <p>{isRunnable(template) ? sentence : template.rule}</p>
        <h3>{ruleLabels.exclude}</h3>
        <p>{risks.join('、') || '无'}</p>
        <h3>条件剔除</h3>
        {parameters.filter_factors.length === 0 ? (
          <p>无</p>
        ) : (
          <ul>
            {parameters.filter_factors.map((row) => (
              <li key={`${row.factor_key} ${row.operation}`}>
                {row.action === 'keep' ? '仅保留' : '剔除'} {filterText(row, factors)}
              </li>
            ))}
          </ul>
        )}
        <h3>{ruleLabels.rank_factors}</h3>
        {parameters.rank_factors.length === 0 ? (
          <p>无，沿用当前策略的打分与持仓</p>
        ) : (
          <ul>
            {parameters.rank_factors.map((row) => (
              <li key={row.factor_key}>
                {factors.nameOf(row.factor_key)}，{row.prefer === 'small' ? '越小越好' : '越大越好'}，权重 {row.weight}
              </li>
            ))}
          </ul>
        )}
      </div>
    </Dialog>
  )
}
