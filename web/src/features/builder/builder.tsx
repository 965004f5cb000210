import { ruleLabels } from '@convexa/contract/rule-labels'
import { type ComponentProps, Fragment, Suspense, useEffect, useRef, useState } from 'react'
import { count } from '../../base/format.ts'
import { useKeys } from '../../keys/use-keys.ts'
import { useMarket } from '../../market/market-context.tsx'
import { type Draft, useStrategies } from '../../state/drafts.ts'
import { usePreferences } from '../../state/preferences.ts'
import { Button } from '../../ui/button.tsx'
import { FieldError } from '../../ui/field-error.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Row } from '../../ui/layout.tsx'
import { lazyWithFallback } from '../../ui/lazy-with-fallback.ts'
import { Popover } from '../../ui/popover.tsx'
import { ErrorBlock } from '../../ui/states.tsx'
import { useFocusKept } from '../../ui/use-focus-kept.ts'
import { sendable } from '../rule/draft.ts'
import { useFactors } from '../rule/factors.ts'
import { type Piece, summaryOf } from '../rule/summary.ts'
import { useDraft } from '../rule/use-draft.ts'
import { settingMistakes } from '../rule/validate.ts'
import { useScreen } from '../screen/screen-run.ts'
import styles from './builder.module.css'
import { ConditionList } from './condition-list.tsx'
import { type Counts, countsOf } from './funnel.ts'
import { HoldForm } from './hold-form.tsx'
import { RankingList } from './ranking-list.tsx'
import { RiskForm } from './risk-form.tsx'
import { SettingsForm } from './settings-form.tsx'
import { UniverseForm } from './universe-form.tsx'
import type { WorkbenchProps } from './workbench-props.ts'

const panelKey = 'builder'

/** In the phone's sheet. */
const LiveStrip = lazyWithFallback(async () => (await import('../quick-curve/live-card.tsx')).LiveStrip)
const TemplateChoices = lazyWithFallback(async () => (await import('../templates/template-choices.tsx')).TemplateChoices)

const Templates = (props: ComponentProps<typeof TemplateChoices>) => (
  <Suspense fallback={<p className="note">正在读取…</p>}>
    <TemplateChoices {...props} />
  </Suspense>
)

/** The panel where a strategy is written: sections 1–6, the whole in one sentence, and run. */
export function Builder({
  draft,
  action,
  withSettings = false,
  counted,
  onGallery,
  inSheet = false,
  onRun,
}: Omit<WorkbenchProps, 'children'> & {
  draft: Draft
  onGallery: () => void
  /** On the phone it is a sheet over the page: there is nothing to fold. */
  inSheet?: boolean
  onRun?: () => void
}) {
  const market = useMarket()
  const { options, range, editParameters } = useDraft()
  const { factors, query, keptOn } = useFactors(market.id)
  const { collapsedSettings, collapse } = usePreferences()
  const begun = useStrategies((state) => state.begun[market.id])
  const [asked, setAsked] = useState(false)
  const sections = useRef<HTMLDivElement>(null)
  // On the backtest page the settings are needed first: scrolls to them, the last section.
  useEffect(() => {
    if (withSettings) sections.current?.scrollTo({ top: sections.current.scrollHeight })
  }, [withSettings])
  const { parameters, settings } = draft
  // The counts come from the newest day's screen, unless the page beside has one of the day that it looks at.
  const { result: latest, mistakes: ofParameters } = useScreen(parameters)
  const result = counted ?? latest
  const counts = countsOf(result?.funnel)
  const ofSettings = settingMistakes(settings, range)
  const mistakes = withSettings ? [...ofParameters, ...ofSettings] : ofParameters
  const folded = !inSheet && (collapsedSettings[panelKey] ?? false)
  const fold = (next: boolean) => collapse(panelKey, next)

  useFocusKept(folded, '.builder button[aria-label$="策略条件"]')

  const run = () => {
    // The key is heard where the button is off.
    if (action.busy) return
    setAsked(true)
    const [first] = mistakes
    if (!first) {
      onRun?.()
      return action.run(sendable(parameters), settings)
    }
    // The wrong field may be in a folded section: all that are wrong open, and the first field takes the focus.
    for (const [prefix, section] of Object.entries(sectionOf))
      if (mistakes.some(({ place }) => place.startsWith(prefix))) collapse(section, false)
    requestAnimationFrame(() => document.querySelector<HTMLElement>('.builder [aria-invalid="true"]')?.focus())
  }
  useKeys({
    run,
    ...(inSheet ? {} : { builder: () => fold(!folded) }),
    undo: () => useStrategies.getState().undo(market.id),
    redo: () => useStrategies.getState().redo(market.id),
  })

  if (folded)
    return (
      <aside className="builder folded" aria-label={ruleLabels.parameters}>
        <Button look={['ghost', 'small', 'square']} aria-label="展开策略条件" title="展开 B" onClick={() => fold(false)}>
          <Icon name="unfold" size="middle" />
        </Button>
        <span>{ruleLabels.parameters}</span>
      </aside>
    )
  const shared = { parameters, edit: editParameters, factors, mistakes, counts }
  return (
    <aside className="builder" aria-label={ruleLabels.parameters}>
      <BuilderHead draft={draft} onGallery={onGallery} onFold={inSheet ? null : () => fold(true)} />
      {inSheet && (
        <Suspense>
          <LiveStrip draft={draft} />
        </Suspense>
      )}
      <Funnel
        counts={counts}
        selected={result?.selected ?? null}
        stale={ofParameters.length > 0}
        day={counted === undefined ? null : (result?.trade_date ?? null)}
      />
      <div className={styles.sections} data-sections ref={sections}>
        {query.isError && !query.data && (
          <ErrorBlock
            error={query.error}
            still={keptOn ? `因子列表加载失败，正在用离线缓存 ${keptOn}；条件仍可编辑和运行。` : '因子列表加载失败；条件仍可查看和运行。'}
            onRetry={() => query.refetch()}
          />
        )}
        {draft.kept?.map((sentence) => (
          <p key={sentence} className="note warn" role="note">
            {sentence}
          </p>
        ))}
        {/* What is being typed in a field belongs to the strategy that it was begun on. */}
        <Fragment key={begun}>
          <UniverseForm {...shared} />
          <RiskForm {...shared} />
          <ConditionList {...shared} />
          <RankingList {...shared} />
          <HoldForm {...shared} />
          <SettingsForm draft={draft} options={options} mistakes={ofSettings} open={withSettings} />
        </Fragment>
      </div>
      <div className={styles.foot}>
        {mistakes.length === 0 ? (
          <Summary pieces={summaryOf(parameters, settings, factors, counts?.afterConditions ?? null, market)} />
        ) : (
          !asked && <p className={styles.summary}>条件有误，改正后用一句话说明规则。</p>
        )}
        {asked && mistakes[0] && <FieldError>{mistakes[0].message}</FieldError>}
        <Button look={['primary', 'large', 'wide']} icon="play" onClick={run} disabled={action.busy ?? false}>
          {action.busy ? '正在运行…' : action.label}
          <kbd>
            Ctrl <Icon name="enter" size="small" />
          </kbd>
        </Button>
      </div>
    </aside>
  )
}

/** Which section holds a mistake of a place that begins so. */
const sectionOf: Record<string, string> = {
  universe: 'builder.universe',
  exclude: 'builder.risk',
  filters: 'builder.conditions',
  ranks: 'builder.ranking',
  hold: 'builder.hold',
  rebalance: 'builder.hold',
  settings: 'builder.settings.backtest',
}

function BuilderHead({ draft, onGallery, onFold }: { draft: Draft; onGallery: () => void; onFold: (() => void) | null }) {
  const { id: kind } = useMarket()
  const { past, future } = useStrategies((state) => state.history[kind])
  const { undo, redo } = useStrategies()
  return (
    <Row gap={2} className={styles.head}>
      <h2>{ruleLabels.parameters}</h2>
      <span className="grow" />
      <Button
        look={['ghost', 'small', 'square']}
        aria-label="撤销"
        title="撤销 Ctrl+Z"
        disabled={past.length === 0}
        onClick={() => undo(kind)}
      >
        <Icon name="undo" size="middle" />
      </Button>
      <Button
        look={['ghost', 'small', 'square']}
        aria-label="重做"
        title="重做 Ctrl+Y"
        disabled={future.length === 0}
        onClick={() => redo(kind)}
      >
        <Icon name="redo" size="middle" />
      </Button>
      <Popover
        align="right"
        button={
          <>
            从模板开始
            <Icon name="down" size="small" />
          </>
        }
      >
        {(close) => <Templates draft={draft} onChosen={close} onGallery={onGallery} />}
      </Popover>
      {onFold && (
        <Button look={['ghost', 'small', 'square']} aria-label="折叠策略条件" title="折叠 B" onClick={onFold}>
          <Icon name="fold" size="middle" />
        </Button>
      )}
    </Row>
  )
}

/** How the market narrows to the list. */
function Funnel({
  counts,
  selected,
  stale,
  day,
}: {
  counts: Counts | null
  selected: number | null
  stale: boolean
  /** Told where it need not be the newest. */
  day: string | null
}) {
  const steps: readonly [string, number | null][] = [
    ['全部', counts?.all ?? null],
    ['风险后', counts?.afterRisk ?? null],
    ['条件后', counts?.afterConditions ?? null],
    ['入选', selected],
  ]
  const most = counts?.all || 1
  const drawn = (
    <dl className={stale ? `${styles.funnel} stale` : styles.funnel} data-funnel title={stale ? '条件有误，只数是修改前的' : undefined}>
      {steps.map(([label, value], index) => (
        <div key={label} className={index === 3 ? styles.last : undefined}>
          <i aria-hidden="true">
            <i style={{ width: `${Math.min(100, ((value ?? 0) / most) * 100)}%` }} />
          </i>
          <dd>{count(value)}</dd>
          <dt>{label}</dt>
        </div>
      ))}
    </dl>
  )
  return (
    <>
      {day && <p className={styles.funnelDay}>{day} 收盘的只数</p>}
      {drawn}
    </>
  )
}

function Summary({ pieces }: { pieces: readonly Piece[] }) {
  return (
    <p className={styles.summary}>
      {pieces.map((piece, index) =>
        // biome-ignore lint/suspicious/noArrayIndexKey: a sentence's pieces have no identity
        typeof piece === 'string' ? <span key={index}>{piece}</span> : <b key={index}>{piece.strong}</b>,
      )}
    </p>
  )
}
