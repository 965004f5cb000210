import { useEffect, useMemo, useState } from 'react'
import { create } from 'zustand'
import { isActive, type RunState } from './backtest-run.ts'

// A run may be computed in a blink. Its days are shown in their order all the same, and every number of the page with them:
// one position, from which percent, date, months and curve are read.

/** How long a whole curve takes to be drawn, in steps of `pace` milliseconds, however quickly it was computed. */
const steps = 12
const pace = 50

/** A run as of its first `drawn` days; what has arrived beyond them is not yet told. */
export function replayed(run: RunState, drawn: number): RunState {
  const all = run.curve.dates.length
  if (drawn >= all || run.phase === 'failed' || run.phase === 'cancelled') return run
  const { dates, nav, bench } = run.curve
  return {
    ...run,
    phase: 'running',
    stage: 'simulate',
    percent: (run.percent * drawn) / all,
    date: dates[drawn - 1] ?? null,
    curve: { dates: dates.slice(0, drawn), nav: nav.slice(0, drawn), bench: bench.slice(0, drawn) },
  }
}

/** Where the page that shows a run is with it; the header reads the same position. */
const usePosition = create<{ key: string | null; drawn: number }>(() => ({ key: null, drawn: 0 }))

/** The run as it is to be shown now; `still` shows all that there is. */
export function useReplayed(run: RunState, still: boolean): RunState {
  const [drawn, setDrawn] = useState(0)
  const all = run.curve.dates.length
  const behind = !still && drawn < all
  useEffect(() => {
    if (!behind) return
    const timer = setTimeout(() => setDrawn(Math.min(all, drawn + Math.max(2, Math.ceil(all / steps)))), drawn === 0 ? 0 : pace)
    return () => clearTimeout(timer)
  }, [behind, drawn, all])
  const at = still ? all : drawn
  useEffect(() => usePosition.setState({ key: run.key, drawn: at }), [run.key, at])
  useEffect(() => () => usePosition.setState({ key: null, drawn: 0 }), [])
  return useMemo(() => replayed(run, at), [run, at])
}

/** Runs as the header tells them: the one that a page shows, at that page's position. */
export function useShownRuns(runs: readonly RunState[]): readonly RunState[] {
  const { key, drawn } = usePosition()
  return useMemo(
    () => runs.map((run) => (run.key === key && (isActive(run) || run.phase === 'done') ? replayed(run, drawn) : run)),
    [runs, key, drawn],
  )
}
