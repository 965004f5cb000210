import type { LedgerPart, Report, ReportCore } from '@convexa/contract/report'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useEffect, useMemo } from 'react'
import { queries } from '../../api/query-cache.ts'
import { Card } from '../../ui/card.tsx'
import type { CardState } from '../../ui/card-state.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { jumpAgain } from './jump.ts'
import { CostlyPart } from './lazy-part.tsx'
import { holdsParts, isBeingFetched, type Ledger, ledgerQuery } from './report-queries.ts'

type Whole<P extends LedgerPart> = ReportCore & Ledger<P>

/** A report with parts of its ledger. A shared report holds them; of an own one they are asked for while they are wanted. */
export function useLedger<P extends LedgerPart>(
  report: ReportCore,
  parts: readonly P[],
  wanted = true,
): { whole: Whole<P> | null; state: CardState } {
  const held = holdsParts(report, parts)
  const { data, error, failureReason, refetch } = useQuery(
    { ...ledgerQuery(report.kind, report.backtest_id, parts), enabled: wanted && !held },
    queries,
  )
  const whole = useMemo(() => (holdsParts(report, parts) ? report : data ? { ...report, ...data } : null), [report, parts, data])
  return { whole, state: error ? failed(error, () => void refetch()) : waiting(failureReason) }
}

const failed = (error: unknown, onRetry: () => void): CardState => ({ kind: 'error', error, still: '报告的其余部分不受影响。', onRetry })
const waiting = (reason: unknown): CardState => ({
  ...{ kind: 'loading', rows: 8 },
  ...(isBeingFetched(reason) && { words: '正在取回这次回测的数据…' }),
})

/** A card that shows parts of the ledger: they are asked for when it comes into view, and it fails alone. */
export function LedgerCard<P extends LedgerPart>({
  title,
  height,
  report,
  parts,
  children,
}: {
  title: string
  height: number
  report: ReportCore
  parts: readonly P[]
  children: (whole: Whole<P>) => ReactNode
}) {
  if (holdsParts(report, parts)) return children(report)
  const frame = (state: CardState) => <Card title={title} state={state} style={{ minHeight: height }} />
  return (
    <CostlyCard title={title} height={height}>
      {() => (
        <Asked report={report} parts={parts} frame={frame}>
          {children}
        </Asked>
      )}
    </CostlyCard>
  )
}

/** A card of something that costs a computation: until it comes into view it holds its place. */
export const CostlyCard = ({ title, height, children }: { title: string; height: number; children: () => ReactNode }) => (
  <CostlyPart
    frame={
      <Card title={title} style={{ minHeight: height }}>
        <Skeleton columns={undefined} rows={8} />
      </Card>
    }
  >
    {children}
  </CostlyPart>
)

function Asked<P extends LedgerPart>({
  report,
  parts,
  frame,
  children,
}: {
  report: ReportCore
  parts: readonly P[]
  frame: (state: CardState) => ReactNode
  children: (whole: Whole<P>) => ReactNode
}) {
  const { whole, state } = useLedger(report, parts)
  const here = whole !== null
  // Its height is another now: what was jumped to below it goes back to the top.
  useEffect(() => {
    if (here) jumpAgain()
  }, [here])
  if (!whole) return frame(state)
  return (
    <>
      <RecomputedNote recomputed={whole.recomputed} />
      {children(whole)}
    </>
  )
}

/** That what was computed again differs from what was stored. */
export function RecomputedNote({ recomputed }: { recomputed: Report['recomputed'] }) {
  if (!recomputed) return null
  const { nav_difference: difference } = recomputed
  const words = difference === 0 ? '为 0' : difference < 0.0001 ? '不到 0.0001' : ` ${difference.toFixed(4)}`
  return (
    <p role="note" className="size-12 warn">
      由新版计算引擎复算，净值与保存时相差{words}，可重新运行
    </p>
  )
}
