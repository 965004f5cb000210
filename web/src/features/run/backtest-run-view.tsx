import { dataModes } from '@convexa/contract/enums/data-mode'
import { fills } from '@convexa/contract/enums/fill'
import { markets } from '@convexa/contract/enums/market'
import { metricLabel } from '@convexa/contract/enums/metric'
import { labelOf } from '@convexa/contract/enums/table'
import { sentences } from '@convexa/contract/rules/sentences'
import { stages } from '@convexa/contract/stage'
import { useEffect, useMemo, useState } from 'react'
import { duration, fixed, signedPercent, tone } from '../../base/format.ts'
import { useKeys } from '../../keys/use-keys.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { Legend } from '../../ui/chart/chart-card.tsx'
import { useChartTheme } from '../../ui/chart/chart-theme.ts'
import { Icon } from '../../ui/icon.tsx'
import { Stack } from '../../ui/layout.tsx'
import { quarterOf } from '../../ui/progress.ts'
import { ProgressBar } from '../../ui/progress-bar.tsx'
import { VipHint } from '../../ui/vip-hint.tsx'
import { NavChart } from '../report/nav-chart.tsx'
import { underwater } from '../report/series.ts'
import type { Difference } from '../rule/backtest-run-difference.ts'
import { costWords } from '../rule/rule-text.ts'
import { isActive, phaseWords, type RunState, remainingSeconds, stagesOf } from './backtest-run.ts'
import { useTrialNumber } from './backtest-run-history.tsx'
import { useReplayed } from './backtest-run-replay.ts'
import { Changed, Months, Warnings } from './backtest-run-side.tsx'
import styles from './backtest-run-view.module.css'

/** A run while it lasts, and what is left of one that did not end: how far, each step's time, the curve as it grows. */
export function RunView({
  run,
  changed,
  benchName,
  demo,
  others,
  onCancel,
  onAgain,
  onBack,
}: {
  run: RunState
  changed: readonly Difference[]
  benchName: string
  demo: boolean
  /** Further runs of this market that compute or wait. */
  others: number
  onCancel: () => void
  onAgain: () => void
  onBack: () => void
}) {
  useKeys(isActive(run) ? { cancel: onCancel } : {})
  const still = useChartTheme().still
  const trial = useTrialNumber(run.request.kind, run.runId)
  // With reduced motion the curve is drawn in quarters instead of growing.
  const quarters = useByQuarters(run, still && isActive(run))
  const shown = useReplayed(quarters, still)
  return (
    <main id="main" className={styles.run}>
      <Progress run={shown} actual={run} onCancel={onCancel} onAgain={onAgain} onBack={onBack} />
      <div className={styles.columns}>
        <GrowingCurve run={shown} benchName={benchName} demo={demo} />
        <Stack gap={12} className={styles.side}>
          <Changed changed={changed} first={run.previous === null} trial={trial} />
          <Months run={shown} />
          <Warnings warnings={run.warnings} />
        </Stack>
      </div>
      {isActive(run) && (
        <p className={`note ${styles.foot}`}>
          离开本页不会中断，完成后顶栏会提示；刷新或关闭标签页会取消运行。{others > 0 && `另有 ${others} 个回测在进行。`}
        </p>
      )}
    </main>
  )
}

/** The page's clock, ten times a second while something runs. */
function useNow(on: boolean): number {
  const [now, setNow] = useState(() => performance.now())
  useEffect(() => {
    if (!on) return
    const timer = setInterval(() => setNow(performance.now()), 100)
    return () => clearInterval(timer)
  }, [on])
  return now
}

const titles: Record<RunState['phase'], string> = {
  connecting: '正在提交回测',
  queued: '回测排队中',
  running: '回测进行中',
  done: '回测完成',
  failed: '回测没有完成',
  cancelled: sentences.runCancelled,
}

function Progress({
  run,
  actual,
  onCancel,
  onAgain,
  onBack,
}: {
  /** As it is shown. */
  run: RunState
  actual: RunState
  onCancel: () => void
  onAgain: () => void
  onBack: () => void
}) {
  const active = isActive(actual)
  const now = useNow(active)
  const left = remainingSeconds(actual, now)
  const { settings } = run.request
  const terms = [
    run.request.name,
    `${settings.start_date} ~ ${settings.end_date}`,
    costWords(settings, markets[run.request.kind].dutied),
    `按${labelOf(fills, settings.fill)}成交`,
  ].join(' · ')
  return (
    <Card plain className={styles.progress} label={titles[run.phase]}>
      <div className={styles.head} data-run-head>
        <div>
          <h2>{titles[run.phase]}</h2>
          <p className="text-2 size-13">
            {run.phase === 'done' ? '正在打开报告…' : run.phase === 'queued' ? `${terms} · ${phaseWords(run)}` : terms}
          </p>
        </div>
        <span className="grow" />
        <div className={styles.percent}>
          <b>{Math.floor(run.percent)}</b>
          <span>%</span>
        </div>
        <dl>
          <div>
            <dt>已用</dt>
            <dd>{duration(((actual.endedAt ?? now) - run.startedAt) / 1000)}</dd>
          </div>
          {left !== null && (
            <div>
              <dt>约剩</dt>
              <dd>{left} 秒</dd>
            </div>
          )}
        </dl>
        {active && <Button onClick={onBack}>再设一个</Button>}
        {active && (
          <Button look={['destructive']} icon="cross" onClick={onCancel}>
            取消回测<kbd>Esc</kbd>
          </Button>
        )}
      </div>
      <ProgressBar label="回测进度" percent={run.percent} stopped={run.phase === 'failed' || run.phase === 'cancelled'} />
      {run.phase === 'failed' || run.phase === 'cancelled' ? (
        <Ended run={run} onAgain={onAgain} onBack={onBack} />
      ) : (
        <ol className={styles.stages}>
          {stagesOf(run).map(({ stage, state, seconds }, i) => (
            <li key={stage} className={styles[state]} aria-current={state === 'now' ? 'step' : undefined}>
              <span className={styles.node}>
                {state === 'past' ? <Icon name="check" size="middle" /> : state === 'now' ? <i /> : i + 1}
              </span>
              <b>{stages[stage]}</b>
              <small>
                {state === 'ahead' ? '待开始' : state === 'past' ? (seconds === null ? '—' : duration(seconds)) : nowWords(run)}
              </small>
            </li>
          ))}
        </ol>
      )}
    </Card>
  )
}

const nowWords = (run: RunState): string =>
  run.stage === 'simulate' && run.date ? run.date : run.phase === 'queued' ? phaseWords(run) : '进行中'

function Ended({ run, onAgain, onBack }: { run: RunState; onAgain: () => void; onBack: () => void }) {
  const until = run.curve.dates.at(-1)
  const partial = until ? `截至 ${until} 的部分结果仅供查看，未完成，勿用于判断。` : '还没有算出结果，设置都还在。'
  const failed = run.phase === 'failed'
  return (
    <div className={failed ? `${styles.ended} ${styles.failed}` : styles.ended} role="alert">
      <Icon name={failed ? 'warn' : 'info'} />
      <div>
        <b>{failed ? run.failure?.message : '已按你的要求停止'}</b>
        <p>
          {partial}
          {failed && run.failure && run.failure.code > 0 && <span className="text-3"> 错误代码 {run.failure.code}</span>}
        </p>
      </div>
      <span className="grow" />
      {failed && run.failure && <VipHint refusal={run.failure.message} />}
      <Button onClick={onBack}>返回条件与历史</Button>
      <Button look={['primary']} icon="refresh" onClick={onAgain}>
        重新运行
      </Button>
    </div>
  )
}

function GrowingCurve({ run, benchName, demo }: { run: RunState; benchName: string; demo: boolean }) {
  const { dates, nav, bench } = run.curve
  const drawdown = useMemo(() => underwater(nav), [nav])
  const curve = useMemo(() => ({ dates, nav, bench, drawdown }), [dates, nav, bench, drawdown])
  const last = dates.length - 1
  const worst = drawdown.reduce<number>((least, value) => Math.min(least, value ?? 0), 0)
  const facts: readonly [string, string, string?][] = [
    ['回放到', dates[last] ?? '—'],
    ['当日净值', fixed(nav[last], 3)],
    [benchName, fixed(bench[last], 3)],
    ['当前回撤', signedPercent(drawdown[last]), tone(drawdown[last])],
    [metricLabel('max_drawdown'), last >= 0 ? signedPercent(worst) : '—'],
    ['持仓', run.hold === null ? '—' : `${run.hold} 只`],
    ['当日成交', run.trades === null ? '—' : `${run.trades} 笔`],
  ]
  const { end_date } = run.request.settings
  return (
    <Card
      className={styles.curve}
      title="净值随回放生长"
      badge={run.phase !== 'done' && <span className="badge">未完成，勿用于判断</span>}
      tools={
        <Legend
          items={[
            { name: '策略', mark: '' },
            { name: benchName, mark: 'bench' },
            { name: '回撤(%)', mark: 'drawdown' },
          ]}
        />
      }
      bare
    >
      <div className="body">
        {dates.length > 1 ? (
          <NavChart
            curve={curve}
            names={{ strategy: '策略', bench: benchName }}
            label={`未完成的净值曲线，截至 ${dates[last]}，策略 ${fixed(nav[last], 3)}，${benchName} ${fixed(bench[last], 3)}`}
            height={440}
            until={end_date}
            stopped={run.phase === 'failed' || run.phase === 'cancelled'}
            watermark={[demo && dataModes.demo.label, run.phase !== 'done' && '未完成'].filter(Boolean).join(' · ') || null}
          />
        ) : (
          <NoCurveYet run={run} />
        )}
      </div>
      <dl className={styles.facts}>
        {facts.map(([name, value, look]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd className={look}>{value}</dd>
          </div>
        ))}
      </dl>
    </Card>
  )
}

/** The run as it was when its last quarter passed. */
function useByQuarters(run: RunState, on: boolean): RunState {
  const quarter = quarterOf(run.percent)
  const [kept, setKept] = useState({ quarter: -1, curve: run.curve, percent: run.percent, date: run.date })
  if (on && kept.quarter !== quarter) setKept({ quarter, curve: run.curve, percent: run.percent, date: run.date })
  const { curve, percent, date } = kept
  return useMemo(() => (on ? { ...run, curve, percent, date } : run), [on, run, curve, percent, date])
}

function NoCurveYet({ run }: { run: RunState }) {
  const { start_date, end_date } = run.request.settings
  return (
    <div className={styles.none}>
      <span>{isActive(run) ? '还没有算出第一天，算出后曲线从左向右生长' : '没有算出曲线'}</span>
      <footer>
        <span>{start_date}</span>
        <span>{end_date}</span>
      </footer>
    </div>
  )
}
