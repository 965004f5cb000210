import type { ScreenResult } from '@convexa/contract/screen'
import type { Parameters } from '@convexa/contract/strategy'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useEffect, useMemo, useRef, useState } from 'react'
import { useSearchParams } from 'react-router'
import { CallError, isLate } from '../../api/messages.ts'
import { securitiesQuery } from '../../api/queries.ts'
import { usePhone } from '../../base/use-phone.ts'
import { useKeys } from '../../keys/use-keys.ts'
import { useRowKeys } from '../../keys/use-row-keys.ts'
import { useMarket } from '../../market/market-context.tsx'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { nothing, type Selection } from '../../ui/grid/selection.ts'
import { Icon } from '../../ui/icon.tsx'
import { Row } from '../../ui/layout.tsx'
import { Empty, ErrorBlock, useElapsed, useLater } from '../../ui/states.tsx'
import { TabList } from '../../ui/tabs.tsx'
import { toast } from '../../ui/toast.tsx'
import { useCurrentList } from '../current-list/current-list.ts'
import { heldChangesOf } from '../current-list/list-changes.ts'
import { DataLine } from '../data-status/data-line.tsx'
import { Footer } from '../legal/footer.tsx'
import { LiveCard } from '../quick-curve/live-card.tsx'
import { type Factors, useFactors } from '../rule/factors.ts'
import { useDraft } from '../rule/use-draft.ts'
import { ExcludedTable } from '../screen/excluded-table.tsx'
import { stepWords } from '../screen/excluded-text.ts'
import { AgreementChip } from '../screen/screen-agreement.tsx'
import { CardsSkeleton, ScreenCards } from '../screen/screen-cards.tsx'
import { type Refresh, RefreshSelect, useStandstill } from '../screen/screen-refresh.tsx'
import { type ScreenRun, useScreen } from '../screen/screen-run.ts'
import { ScreenStamp } from '../screen/screen-stamp.tsx'
import { ScreenSummary } from '../screen/screen-summary.tsx'
import { type ListTab, reserveOf, ScreenTable } from '../screen/screen-table.tsx'
import { ScreenTools, TickedTools } from '../screen/screen-tools.tsx'
import { SecurityDrawer } from '../security/security-drawer.tsx'
import { useShownSecurity } from '../security/shown-security.ts'
import { Workbench } from './workbench.tsx'
import './screen.css'

type Tab = ListTab | 'excluded'

/** 实时筛选: which securities satisfy the rule now, and why the others do not. */
export function ScreenPage() {
  const market = useMarket()
  const { draft } = useDraft()
  const [refresh, setRefresh] = useState<Refresh>(0)
  const standstill = useStandstill()
  const screen = useScreen(draft?.parameters ?? null, standstill === null && refresh > 0 && refresh * 1000)
  const { factors } = useFactors(market.id)
  useRuleFirst(draft !== null)
  return (
    <Workbench action={{ label: '运行筛选', run: screen.run, busy: screen.running && screen.result === null }}>
      {draft && <LiveCard draft={draft} ready={screen.result !== null} />}
      <Result
        screen={screen}
        factors={factors}
        draft={draft?.parameters ?? null}
        name={draft?.name ?? ''}
        refresh={<RefreshSelect value={refresh} onChange={setRefresh} />}
      />
      <Footer />
    </Workbench>
  )
}

function Result({
  screen,
  factors,
  draft,
  name,
  refresh,
}: {
  screen: ScreenRun
  factors: Factors
  draft: Parameters | null
  name: string
  refresh: ReactNode
}) {
  const [tab, setTab] = useState<Tab>('selected')
  const [wide, setWide] = useState(false)
  const phone = usePhone()
  const [selection, setSelection] = useState<Selection>(nothing)
  const [columnsOpen, setColumnsOpen] = useState(false)
  const { result, parameters, running, error } = screen
  const { id: kind } = useMarket()
  const currentList = useCurrentList(kind)
  const { data: securities } = useQuery({ ...securitiesQuery(kind), enabled: currentList !== null })
  const changes = useMemo(
    () => (currentList && result && parameters ? heldChangesOf(currentList, result, factors, parameters, securities) : null),
    [currentList, result, factors, parameters, securities],
  )
  const open = useShownSecurity(result, !running && !screen.stale)
  const frame = useRef<HTMLElement>(null)
  useRowKeys(frame)
  useKeys({ columns: () => setColumnsOpen(true) })
  const ticked = useMemo(() => result?.list_items.filter(({ code }) => selection.has(code)) ?? [], [result, selection])
  const slow = useLater(400, running)
  // A login that ended has its own warning.
  const failed = error !== null && !(error instanceof CallError && error.kind === 'login')
  const [mistake] = screen.mistakes
  const dimmed = mistake !== undefined || (screen.stale && (slow || failed))
  if (!result || !parameters)
    return (
      <Card plain className="screen" label="筛选结果">
        {mistake ? (
          <Empty icon="warn" title={`条件有误：${mistake.message}，改正后更新`} />
        ) : failed && !running ? (
          <FirstError screen={screen} />
        ) : (
          draft && <FirstWait parameters={draft} factors={factors} running={running} />
        )}
      </Card>
    )
  // The browser previews the top of the ranking only: the full ranking stays the server's until its next answer.
  const listed = tab === 'all' ? (screen.whole ?? result) : result
  const reserve = reserveOf(result)
  const excluded = result.excluded ?? []
  const shown = { result, parameters, factors, name }
  return (
    <Card plain ref={frame} className="screen" label="筛选结果">
      <div className={slow ? 'progress-line on' : 'progress-line'} />
      <Row wrap className="screen-bar">
        <TabList<Tab>
          label="名单"
          tabs={[
            { key: 'selected', label: '名单', count: result.selected },
            { key: 'reserve', label: '候补', count: reserve.length },
            { key: 'all', label: '全部', count: result.total },
            { key: 'excluded', label: '被剔除', count: excluded.length },
          ]}
          value={tab}
          onChange={setTab}
        />
        <Row gap={8} className="screen-tools">
          <ScreenStamp result={result} />
          {!phone && <AgreementChip screen={screen} />}
          {!phone && refresh}
          {!phone && (
            <ScreenTools
              {...shown}
              changes={changes}
              ticked={ticked}
              columnsOpen={columnsOpen}
              onColumns={setColumnsOpen}
              onRefresh={screen.run}
            />
          )}
          {phone && tab !== 'excluded' && (
            <button type="button" className="link screen-wide" onClick={() => setWide(!wide)}>
              {wide ? '两行显示' : '更多列'}
            </button>
          )}
        </Row>
      </Row>
      {mistake && (
        <p className="screen-warning" role="status">
          条件有误，名单是修改前的。{mistake.message}。
        </p>
      )}
      {failed && !running && !mistake && (
        <div className="screen-alert">
          <Failed screen={screen} />
        </div>
      )}
      {result.data_note && <p className="screen-warning">{result.data_note}。</p>}
      {result.warnings.map((warning) => (
        <p className="screen-warning" key={warning}>
          {warning}
        </p>
      ))}
      {tab === 'excluded' ? (
        <ExcludedTable {...{ result, parameters, factors }} stale={dimmed} onOpen={({ code }) => open.showCode(code)} />
      ) : (tab === 'all' ? result.total : tab === 'reserve' ? reserve.length : result.selected) === 0 ? (
        <Nothing {...{ result, parameters, factors }} tab={tab} onExcluded={() => setTab('excluded')} />
      ) : phone && !wide ? (
        <ScreenCards key={tab} result={listed} parameters={parameters} factors={factors} tab={tab} stale={dimmed} onOpen={open.show} />
      ) : (
        <ScreenTable
          result={listed}
          parameters={parameters}
          factors={factors}
          tab={tab}
          changes={changes}
          stale={dimmed}
          current={open.row?.code ?? null}
          onOpen={open.show}
          selection={selection}
          onSelect={setSelection}
          onColumns={() => setColumnsOpen(true)}
        />
      )}
      <div className={mistake ? 'stale' : undefined}>
        <ScreenSummary
          result={result}
          factors={factors}
          changes={changes}
          ticked={ticked}
          onClear={() => setSelection(nothing)}
          actions={<TickedTools {...shown} ticked={ticked} />}
        />
      </div>
      <DataLine
        kind={kind}
        mode={result.data_mode}
        version={result.data_version}
        date={result.trade_date}
        time={result.data_time}
        realtime={result.realtime}
      />
      <p className="hidden-text" role="status">{`入选 ${result.selected} 只，共 ${result.total} 只`}</p>
      {open.row && (
        <SecurityDrawer
          row={open.row}
          result={result}
          parameters={parameters}
          factors={factors}
          newest
          onShow={open.show}
          onClose={open.close}
        />
      )}
    </Card>
  )
}

/** A security is shown through a rule: a link to one without a draft asks for a template first. */
function useRuleFirst(there: boolean) {
  const [query] = useSearchParams()
  const wanted = query.has('code') && !there
  useEffect(() => {
    if (wanted) toast.info('先选一个模板，再看这只证券')
  }, [wanted])
}

/** An empty list names what removed most, and offers to relax it. */
function Nothing({
  result,
  parameters,
  factors,
  tab,
  onExcluded,
}: {
  result: ScreenResult
  parameters: Parameters
  factors: Factors
  tab: Tab
  onExcluded: () => void
}) {
  const { editParameters } = useDraft()
  if (tab === 'reserve' && result.selected > 0) return <Empty title="没有候补">排名里的证券都已入选。</Empty>
  const steps = result.funnel.filter(({ step }) => step !== 'listed')
  const worst = steps.reduce<(typeof steps)[number] | null>(
    (most, step) => (most && most.before - most.after >= step.before - step.after ? most : step),
    null,
  )
  const filter = /^filter\.(\d+)$/.exec(worst?.step ?? '')?.[1]
  return (
    <Empty
      title="没有符合条件的证券"
      actions={
        <>
          {filter !== undefined && (
            <Button
              look={['primary', 'small']}
              onClick={() =>
                editParameters((before) => ({
                  ...before,
                  filter_factors: before.filter_factors.map((row, index) => (index === Number(filter) ? { ...row, enable: false } : row)),
                }))
              }
            >
              临时停用它
            </Button>
          )}
          <button type="button" className="link" onClick={onExcluded}>
            看被剔除的名单
          </button>
        </>
      }
    >
      {worst && `剔除最多的条件是「${stepWords(worst, parameters, factors)}」（−${worst.before - worst.after}）`}
    </Empty>
  )
}

/** The list could not be had anew; what the browser made of the last edit stays. */
function Failed({ screen }: { screen: ScreenRun }) {
  if (!isLate(screen.error))
    return <ErrorBlock error={screen.error} still="名单没有更新。策略条件与上次结果都还在，可以继续编辑。" onRetry={screen.run} />
  return (
    <div className="alert warn" role="alert">
      <Icon name="warn" />
      <div>
        <b>计算超时（60 秒）{screen.result && (screen.preview ? '，已保留本地预览' : '，已保留上次结果')}</b>
        {!screen.result && <p>策略条件还在，可以继续编辑；少用回看很长的因子通常几秒完成。</p>}
        <div className="actions">
          <Button look={['small']} onClick={screen.run}>
            重试
          </Button>
        </div>
      </div>
    </div>
  )
}

const FirstError = ({ screen }: { screen: ScreenRun }) => (
  <div className="screen-alert">
    {isLate(screen.error) ? (
      <Failed screen={screen} />
    ) : (
      <ErrorBlock error={screen.error} still="策略条件还在，可以继续编辑。" onRetry={screen.run} />
    )}
  </div>
)

/** The head and rows of the real widths while the first answer is on its way. */
function FirstWait({ parameters, factors, running }: { parameters: Parameters; factors: Factors; running: boolean }) {
  const seconds = useElapsed(running)
  const shown = useLater(400)
  const phone = usePhone()
  if (!shown) return null
  return (
    <>
      <div className="progress-line on" />
      {phone ? (
        <CardsSkeleton />
      ) : (
        <ScreenTable
          {...{ result: null, parameters, factors, tab: 'selected', changes: null, stale: false, current: null, selection: nothing }}
          onOpen={ignore}
          onSelect={ignore}
          onColumns={ignore}
        />
      )}
      <p className="line note screen-wait" role="status">
        {seconds > 3 && (
          <>
            <span className="spinner" />
            正在计算… {seconds.toFixed(1)} 秒
          </>
        )}
      </p>
    </>
  )
}
const ignore = () => {}
