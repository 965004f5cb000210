import type { Settings } from '@convexa/contract/backtest'
import type { Parameters } from '@convexa/contract/strategy'
import { useCallback, useEffect, useMemo } from 'react'
import { useNavigate } from 'react-router'
import { queries } from '../../api/queries.ts'
import { useMarket } from '../../market/market-context.tsx'
import type { RunState } from '../../quant/backtest-run.ts'
import { differences, remarkOf } from '../../quant/backtest-run-difference.ts'
import { historyQuery, RunHistory } from '../../quant/backtest-run-history.tsx'
import { lastRequest, useCurrentRun, useRuns } from '../../quant/backtest-run-store.ts'
import { RunView } from '../../quant/backtest-run-view.tsx'
import { useFactors } from '../../quant/factors.ts'
import { benchNote, useBenchName, useBenchNames } from '../../quant/report/bench-name.ts'
import { reportQuery } from '../../quant/report/report-queries.ts'
import { costWords, holdWords, rebalanceWords } from '../../quant/report/rule-words.ts'
import { capitalWords } from '../../quant/report/sentences.ts'
import { useDraft } from '../../quant/use-draft.ts'
import { adjustWords, callHandlingWords, executionWords, fillWords } from '../../quant/words.ts'
import { Workbench } from '../../quant/workbench.tsx'
import { useIsDemo } from '../../state/site.ts'
import type { Draft } from '../../state/strategies.ts'
import { fetchChartSoon } from '../../ui/chart/use-chart.ts'
import { Footer } from '../layout/footer.tsx'
import './backtest.css'

/** 高级回测 / 回测: the settings before, the run while it lasts; at its end the report's own address. */
export function BacktestPage() {
  const run = useCurrentRun(useMarket().kind)
  useEffect(fetchChartSoon, [])
  return run ? <Running run={run} /> : <Before />
}

function Before() {
  const { kind } = useMarket()
  const { draft, options } = useDraft()
  const { factors } = useFactors(kind)
  const benchOf = useBenchNames()
  const start = useRuns((state) => state.start)
  const run = (parameters: Parameters, settings: Settings) => {
    const before = lastRequest(kind)
    const note = before ? remarkOf(differences(before, { parameters, settings }, factors.nameOf, benchOf)) : ''
    start({ kind, name: draft?.name ?? '', note, parameters, settings })
  }
  const daily = options?.limits.daily['backtest']
  const left = daily ? daily.max - daily.used : null
  return (
    <Workbench withSettings action={{ label: '运行回测', run }}>
      {draft && <Summary draft={draft} left={left} />}
      <RunHistory kind={kind} />
      <span className="grow" />
      <Footer />
    </Workbench>
  )
}

function Summary({ draft, left }: { draft: Draft; left: number | null }) {
  const { redeemed, dutied } = useMarket()
  const { settings } = draft
  const benchName = useBenchName(settings.benchmark)
  const { range } = useDraft()
  const early = range && settings.start_date > range.start ? `数据从 ${range.start} 开始` : null
  const facts: readonly (readonly [name: string, value: string, more: string])[] = [
    ['区间', `${settings.start_date} ~ ${settings.end_date}`, early ?? '数据的全部区间'],
    ['规则', rebalanceWords(draft.parameters.rebalance_method), holdWords(draft.parameters.hold_method)],
    ['基准', benchName, benchNote(settings.benchmark)],
    ['本金', capitalWords(settings.capital), settings.execution === 'realistic' ? '按最小交易单位取整' : '不取整'],
    ['成本', costWords(settings, dutied), ''],
    ['撮合', fillWords[settings.fill] ?? '', executionWords[settings.execution] ?? ''],
    redeemed
      ? ['强赎', callHandlingWords[settings.call_handling] ?? '', '公告后按规则处理']
      : ['复权', adjustWords[settings.adjust] ?? '', ''],
    ['样本外', settings.oos_start ? `${settings.oos_start} 起` : '不划分', settings.oos_start ? '报告里用虚线分开' : '建议留出最后两成'],
  ]
  return (
    <section className="card run-summary" aria-label="将要运行">
      <header>
        <h2>将要运行：{draft.name}</h2>
        <span className="text-3">按历史逐日回放左侧的规则，在第 6 节修改</span>
        <span className="grow" />
        {left !== null && <span className="text-3">今日还可运行 {left} 次</span>}
      </header>
      <dl>
        {facts.map(([name, value, more]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
            {more && <dd className="more">{more}</dd>}
          </div>
        ))}
      </dl>
    </section>
  )
}

/** A run may be over in a blink: its screen stays this many milliseconds, while the report is fetched, so that the eye can follow. */
const leastShown = 1_100

function Running({ run }: { run: RunState }) {
  const { kind, path } = useMarket()
  const { factors } = useFactors(kind)
  const { start, cancel, dismiss } = useRuns()
  const navigate = useNavigate()
  const demo = useIsDemo(kind)
  const benchOf = useBenchNames()
  const benchName = benchOf(run.request.settings.benchmark)
  const { key, request, previous, result, startedAt } = run
  const changed = useMemo(
    () => (previous ? differences(previous, request, factors.nameOf, benchOf) : []),
    [previous, request, factors, benchOf],
  )
  const onCancel = useCallback(() => cancel(key), [cancel, key])
  useEffect(() => {
    if (!result) return
    let here = true
    void queries.invalidateQueries({ queryKey: historyQuery(kind).queryKey })
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
  }, [result, kind, path, key, startedAt, navigate, dismiss])
  return (
    <>
      <RunView
        run={run}
        changed={changed}
        benchName={benchName}
        demo={demo}
        onCancel={onCancel}
        onAgain={() => start(request)}
        onBack={() => dismiss(key)}
      />
      <Footer />
    </>
  )
}
