import type { Settings } from '@convexa/contract/backtest'
import type { Parameters } from '@convexa/contract/strategy'
import { useCallback, useEffect, useMemo, useState } from 'react'
import { Link, useNavigate } from 'react-router'
import { queries, strategiesChanged } from '../../api/queries.ts'
import { useIsDemo } from '../../api/site.ts'
import { useMarket } from '../../market/market-context.tsx'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { fetchChartSoon } from '../../ui/chart/use-chart.ts'
import { useFocusKept } from '../../ui/use-focus-kept.ts'
import { Footer } from '../legal/footer.tsx'
import { reportQuery } from '../report/report-queries.ts'
import { differences, remarkOf } from '../rule/backtest-run-difference.ts'
import { useBenchNames } from '../rule/bench-name.ts'
import { draftName } from '../rule/draft-name.ts'
import { useFactors } from '../rule/factors.ts'
import { useDraft } from '../rule/use-draft.ts'
import { comparableRules, isActive, phaseWords, type RunState } from '../run/backtest-run.ts'
import { RunHistory } from '../run/backtest-run-history.tsx'
import { mostNote, RunSetup } from '../run/backtest-run-setup.tsx'
import { runPath, settingsPath, useShownRun } from '../run/backtest-run-shown.ts'
import { lastRequest, useRuns } from '../run/backtest-run-store.ts'
import { RunView } from '../run/backtest-run-view.tsx'
import styles from './backtest.module.css'
import { Workbench } from './workbench.tsx'

/** 高级回测 / 回测: the settings before, the run while it lasts; at its end the report's own address. */
export function BacktestPage() {
  const { run, others } = useShownRun(useMarket().id)
  useEffect(fetchChartSoon, [])
  useFocusKept(run && `${run.key} ${isActive(run)}`, '[data-run-head] h2', 'h1')
  return run ? <Running key={run.key} run={run} others={others} /> : <Before others={others} />
}

function Before({ others }: { others: readonly RunState[] }) {
  const { id: kind, path } = useMarket()
  const { draft, options } = useDraft()
  const { factors } = useFactors(kind)
  const benchOf = useBenchNames()
  const start = useRuns((state) => state.start)
  const navigate = useNavigate()
  const [written, setWritten] = useState<string | null>(null)
  const before = lastRequest(kind)
  const noteFor = (rule: { parameters: Parameters; settings: Settings }) => {
    const rules = comparableRules(before, { kind, name: '', note: '', ...rule })
    return written ?? (rules ? remarkOf(differences(...rules, factors.nameOf, benchOf)) : '')
  }
  const run = (parameters: Parameters, settings: Settings) => {
    const note = noteFor({ parameters, settings })
    const key = start({
      ...{ kind, name: draft ? draftName(draft, factors) : '', note: [...note].slice(0, mostNote).join(''), parameters, settings },
      ...(draft?.saved && { strategyId: draft.saved.id }),
    })
    setWritten(null)
    void navigate(runPath(path, key))
  }
  const daily = options?.limits.daily['backtest']
  const left = daily ? daily.max - daily.used : null
  return (
    <Workbench withSettings action={{ label: others.length > 0 ? '排队运行' : '运行回测', run }}>
      {others.length > 0 && <RunningNow runs={others} />}
      {draft && (
        <RunSetup
          draft={draft}
          name={draftName(draft, factors)}
          left={left}
          atOnce={options?.limits.runs_at_once ?? null}
          note={noteFor(draft)}
          onNote={setWritten}
        />
      )}
      <RunHistory kind={kind} />
      <span className="grow" />
      <Footer />
    </Workbench>
  )
}

/** What is computed while the next one is set up. */
function RunningNow({ runs }: { runs: readonly RunState[] }) {
  const { path } = useMarket()
  const cancel = useRuns((state) => state.cancel)
  return (
    <Card plain className={styles.runNow} label="正在进行的回测">
      {runs.map((run) => (
        <div key={run.key}>
          <span className="spinner" />
          <b>{run.request.name}</b>
          <span className="text-2">{phaseWords(run)}</span>
          <i className={`meter ${styles.runNowBar}`} aria-hidden="true">
            <i style={{ width: `${run.percent}%` }} />
          </i>
          <Link className="button small" to={runPath(path, run.key)}>
            查看
          </Link>
          <Button look={['small', 'ghost']} aria-label={`取消回测「${run.request.name}」`} onClick={() => cancel(run.key)}>
            取消
          </Button>
        </div>
      ))}
    </Card>
  )
}

/** A run may be over in a blink: its screen stays this many milliseconds, while the report is fetched, so that the eye can follow. */
const leastShown = 1_100

function Running({ run, others }: { run: RunState; others: readonly RunState[] }) {
  const { id: kind, path } = useMarket()
  const { factors } = useFactors(kind)
  const { start, cancel, dismiss } = useRuns()
  const navigate = useNavigate()
  const demo = useIsDemo(kind)
  const benchOf = useBenchNames()
  const benchName = benchOf(run.request.settings.benchmark)
  const { key, request, previous, result, startedAt } = run
  const changed = useMemo(() => {
    const rules = comparableRules(previous, request)
    return rules ? differences(...rules, factors.nameOf, benchOf) : []
  }, [previous, request, factors, benchOf])
  const onCancel = useCallback(() => cancel(key), [cancel, key])
  useEffect(() => {
    if (!result) return
    let here = true
    void queries.invalidateQueries({ queryKey: ['backtests'] })
    if (request.strategyId) void strategiesChanged(kind)
    const rest = leastShown - (performance.now() - startedAt)
    void Promise.all([queries.prefetchQuery(reportQuery(kind, result.backtest_id)), new Promise((done) => setTimeout(done, rest))]).then(
      () => {
        if (!here) return
        void navigate(`${path}/backtest/${result.backtest_id}`)
        dismiss(key)
      },
    )
    return () => {
      here = false
    }
  }, [result, kind, path, key, startedAt, request.strategyId, navigate, dismiss])
  return (
    <>
      <RunView
        run={run}
        changed={changed}
        benchName={benchName}
        demo={demo}
        onCancel={onCancel}
        others={others.length}
        onAgain={() => void navigate(runPath(path, start(request)), { replace: true })}
        onBack={() => {
          dismiss(key)
          void navigate(settingsPath(path))
        }}
      />
      <Footer />
    </>
  )
}
