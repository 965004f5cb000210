import { markets } from '@convexa/contract/enums/market'
import { sentences } from '@convexa/contract/rules/sentences'
import { useEffect, useRef } from 'react'
import { Link, useLocation } from 'react-router'
import { useSite } from '../../api/site.ts'
import { Button } from '../../ui/button.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Popover } from '../../ui/popover.tsx'
import { quarterOf } from '../../ui/progress.ts'
import { toast } from '../../ui/toast.tsx'
import { isActive, phaseWords, type RunState } from './backtest-run.ts'
import styles from './backtest-run-indicator.module.css'
import { useShownRuns } from './backtest-run-replay.ts'
import { runPath, shownRun } from './backtest-run-shown.ts'
import { useRuns } from './backtest-run-store.ts'

/** The header's word about runs, wherever one is: how many, how far, and a list to go to each. Nothing when there is none. */
export function RunIndicator() {
  const { runs: actual, cancel, dismiss } = useRuns()
  const runs = useShownRuns(actual)
  useTitle(runs)
  useAskBeforeLeaving(actual)
  useTellWhenDone(actual)
  const active = runs.filter(isActive)
  const first = active[0]
  return (
    <>
      <Announcement run={first ?? runs.at(-1) ?? null} />
      {runs.length > 0 && (
        <Popover
          className={`${styles.indicator} ${first ? '' : looks[runs.at(-1)?.phase === 'done' ? 'done' : 'stopped']}`}
          align="right"
          button={
            <>
              <Icon name={first ? 'play' : runs.at(-1)?.phase === 'done' ? 'check' : 'info'} size="small" />
              <span>{first ? `${active.length} 个任务 · ${Math.floor(first.percent)}%` : `${runs.length} 个回测已结束`}</span>
            </>
          }
        >
          {(close) => (
            <ul className={styles.list} aria-label="回测任务">
              {runs.map((run) => (
                <RunLine key={run.key} run={run} onOpen={close} onCancel={() => cancel(run.key)} onDismiss={() => dismiss(run.key)} />
              ))}
            </ul>
          )}
        </Popover>
      )}
    </>
  )
}

const looks = { done: styles.ended, stopped: styles.stopped }

function RunLine({ run, onOpen, onCancel, onDismiss }: { run: RunState; onOpen: () => void; onCancel: () => void; onDismiss: () => void }) {
  const market = markets[run.request.kind]
  const to = run.result ? `${market.path}/backtest/${run.result.backtest_id}` : runPath(market.path, run.key)
  return (
    <li>
      <Link
        to={to}
        onClick={() => {
          if (run.result) onDismiss()
          onOpen()
        }}
      >
        <b>{run.request.name}</b>
        <span>
          {market.label} · {phaseWords(run)}
        </span>
      </Link>
      {isActive(run) ? (
        <Button
          look={['small', 'ghost', 'square']}
          icon="cross"
          aria-label={`取消回测「${run.request.name}」`}
          title="取消回测"
          onClick={onCancel}
        />
      ) : (
        <Button
          look={['small', 'ghost', 'square']}
          icon="cross"
          aria-label={`从列表移除「${run.request.name}」`}
          title="移除"
          onClick={onDismiss}
        />
      )}
      {isActive(run) && <i className={styles.lineBar} style={{ width: `${run.percent}%` }} />}
    </li>
  )
}

/** `63% 回测中 – 凸度量化` while one runs; the page's own title again afterwards. */
function useTitle(runs: readonly RunState[]) {
  const { name } = useSite()
  const active = runs.find(isActive)
  const text = active ? `${Math.floor(active.percent)}% 回测中 – ${name}` : null
  const page = useRef('')
  const written = useRef<string | null>(null)
  useEffect(() => {
    // A page opened meanwhile has written its own title: that one comes back.
    if (document.title !== written.current) page.current = document.title
    if (text !== null) document.title = text
    else if (written.current !== null) document.title = page.current
    written.current = text
  }, [text])
}

/** A reload or a closed tab cancels the run: the browser asks first. */
function useAskBeforeLeaving(runs: readonly RunState[]) {
  const running = runs.some(isActive)
  useEffect(() => {
    if (!running) return
    const ask = (event: BeforeUnloadEvent) => event.preventDefault()
    window.addEventListener('beforeunload', ask)
    return () => window.removeEventListener('beforeunload', ask)
  }, [running])
}

/** Shows a toast when a run ends while another page is open. */
function useTellWhenDone(runs: readonly RunState[]) {
  const { pathname, search } = useLocation()
  const notified = useRef(new Set<string>())
  useEffect(() => {
    for (const run of runs) {
      if (isActive(run) || notified.current.has(run.key)) continue
      notified.current.add(run.key)
      const { kind } = run.request
      const requestedKey = new URLSearchParams(search).get('run')
      if (pathname === `${markets[kind].path}/backtest` && shownRun(runs, kind, requestedKey)?.key === run.key) continue
      if (run.phase === 'done') toast.done(`回测完成：${run.request.name}`)
      if (run.phase === 'failed') toast.error(`回测没有完成：${run.failure?.message ?? ''}`)
    }
  }, [runs, pathname, search])
}

/** For the reader: only each quarter, the end and what went wrong. */
function Announcement({ run }: { run: RunState | null }) {
  const words = !run
    ? ''
    : run.phase === 'failed'
      ? `回测没有完成：${run.failure?.message ?? ''}`
      : run.phase === 'cancelled'
        ? sentences.runCancelled
        : quarterOf(run.percent) > 0
          ? `回测进度 ${quarterOf(run.percent)}%`
          : '回测已开始'
  return (
    <span className="hidden-text" aria-live="polite">
      {words}
    </span>
  )
}
