import type { ReportCore } from '@convexa/contract/report'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useEffect, useMemo, useState } from 'react'
import { queries } from '../../api/queries.ts'
import { dayWords } from '../../base/dates.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { DateField } from '../../ui/form/date-field.tsx'
import { ErrorBlock } from '../../ui/states.tsx'
import { Table } from '../../ui/table/table.tsx'
import { Day } from './day-detail.tsx'
import { RecomputedNote, useLedger } from './ledger-part.tsx'
import { dayQuery, fillParts, isBeingFetched } from './report-queries.ts'
import { StoredDay } from './stored-day.tsx'
import './day.module.css'

/** What was held after a day's close, what was bought and sold that day and why, and who stood next in line. */
export function DayCard({
  report,
  day,
  onDay,
  onSecurity,
  onScores,
  shared,
}: {
  report: ReportCore
  day: string
  onDay: (date: string) => void
  onSecurity: (code: string) => void
  onScores?: ((date: string) => void) | undefined
  /** Only what is in the report itself: the server tells days to its owner alone. */
  shared: boolean
}) {
  const { dates } = report.curves
  const at = Math.max(0, dates.indexOf(day))
  return (
    <Card
      className="day-card"
      title="某日持仓"
      note={<>{dayWords(day)} 收盘后</>}
      tools={<DayPicker dates={dates} at={at} onDay={onDay} />}
      bare
    >
      {shared ? (
        <ToldDay report={report} day={day} onSecurity={onSecurity} />
      ) : (
        <AskedDay report={report} day={day} at={at} onDay={onDay} onSecurity={onSecurity} onScores={onScores} />
      )}
    </Card>
  )
}

function ToldDay({ report, ...rest }: { report: ReportCore; day: string; onSecurity: (code: string) => void }) {
  const { whole } = useLedger(report, fillParts)
  return whole && <StoredDay report={whole} {...rest} />
}

/** The day as the server tells it; its neighbours are fetched ahead. */
function AskedDay({
  report,
  day,
  at,
  onDay,
  onSecurity,
  onScores,
}: {
  report: ReportCore
  day: string
  at: number
  onDay: (date: string) => void
  onSecurity: (code: string) => void
  onScores?: ((date: string) => void) | undefined
}) {
  const { dates } = report.curves
  const { data, error, failureReason, isPlaceholderData, refetch } = useQuery({
    ...dayQuery(report.kind, report.backtest_id, day),
    placeholderData: keepPreviousData,
  })
  useEffect(() => {
    for (const near of [dates[at - 1], dates[at + 1]]) if (near) void queries.prefetchQuery(dayQuery(report.kind, report.backtest_id, near))
  }, [report, dates, at])
  if (error && !data) {
    return (
      <div className="body">
        <ErrorBlock error={error} still="报告的其余部分不受影响。" onRetry={() => void refetch()} />
      </div>
    )
  }
  if (!data)
    return (
      <>
        {isBeingFetched(failureReason) && (
          <p role="status" className="body text-2">
            正在取回这次回测的数据…
          </p>
        )}
        <DaySkeleton />
      </>
    )
  return (
    <div className={isPlaceholderData ? 'stale' : undefined} aria-busy={isPlaceholderData}>
      <RecomputedNote recomputed={data.recomputed} />
      <Day report={report} detail={data} onDay={onDay} onSecurity={onSecurity} onScores={onScores} />
    </div>
  )
}

/** ◀ date ▶ and a slider over the trading days; while it is dragged only its own date moves. */
function DayPicker({ dates, at, onDay }: { dates: readonly string[]; at: number; onDay: (date: string) => void }) {
  const [dragged, setDragged] = useState<number | null>(null)
  useEffect(() => {
    if (dragged === null) return
    const timer = setTimeout(() => {
      const date = dates[dragged]
      if (date) onDay(date)
      setDragged(null)
    }, 200)
    return () => clearTimeout(timer)
  }, [dragged, dates, onDay])
  const now = dragged ?? at
  // All days of trade of the report's range.
  const days = useMemo(() => new Set(dates), [dates])
  const go = (index: number) => {
    const date = dates[index]
    if (date) onDay(date)
  }
  // A day off shows the trading day before it.
  const typed = (date: string) => {
    const found = dates.findLastIndex((one) => one <= date)
    go(Math.max(0, found))
  }
  return (
    <div className="day-picker">
      <input
        type="range"
        min={0}
        max={dates.length - 1}
        value={now}
        aria-label="交易日"
        aria-valuetext={dates[now]}
        style={{ ['--done' as string]: `${(now / Math.max(1, dates.length - 1)) * 100}%` }}
        onChange={(event) => setDragged(Number(event.currentTarget.value))}
      />
      <Button look={['small', 'square']} icon="left" aria-label="前一交易日" disabled={at <= 0} onClick={() => go(at - 1)} />
      <DateField
        label="日期"
        value={dates[now] ?? ''}
        min={dates[0]}
        max={dates.at(-1)}
        closed={(date) => !days.has(date)}
        onChange={typed}
      />
      <Button
        look={['small', 'square']}
        icon="right"
        aria-label="后一交易日"
        disabled={at >= dates.length - 1}
        onClick={() => go(at + 1)}
      />
    </div>
  )
}

const widths = [24, 72, 72, 40, 32, 52, 52, 52, 48, 48, 28, 160]
function DaySkeleton() {
  return (
    <div className="table-frame" aria-busy="true">
      <Table dense>
        {Array.from({ length: 10 }, (_, row) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: ten rows alike
          <tr key={row}>
            {widths.map((width, column) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: as above
              <td key={column}>
                <span className="skeleton" style={{ width }} />
              </td>
            ))}
          </tr>
        ))}
      </Table>
    </div>
  )
}
