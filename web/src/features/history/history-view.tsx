import type { Parameters } from '@convexa/contract/strategy'
import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useEffect, useMemo } from 'react'
import { useSearchParams } from 'react-router'
import { isLate } from '../../api/messages.ts'
import { strategyOptionsQuery } from '../../api/queries.ts'
import { dayWords, isDate } from '../../base/dates.ts'
import { useKeys } from '../../keys/use-keys.ts'
import { useMarket } from '../../market/market-context.tsx'
import type { Draft } from '../../state/drafts.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import type { CardState } from '../../ui/card-state.tsx'
import { Icon } from '../../ui/icon.tsx'
import { CardSkeleton } from '../../ui/skeleton.tsx'
import { toast } from '../../ui/toast.tsx'
import { type DataRange, sendable } from '../rule/draft.ts'
import { ownVersionsIn, useFactors } from '../rule/factors.ts'
import { firstDay, outsideWords, periodEnds, snapped, stepDay } from '../rule/trading-days.ts'
import { useClosed, useOnceKnown, yearsAround } from '../rule/use-trading-days.ts'
import { parameterMistakes } from '../rule/validate.ts'
import { type Horizon, horizons } from './after.ts'
import { DayCard } from './day-card.tsx'
import { HistoryBar } from './history-bar.tsx'
import { historyRuns, isOf } from './history-run.ts'
import '../../ui/analysis-page.css'
import styles from './history.module.css'

/** With its charts, below the list. */
const AfterCards = lazy(async () => ({ default: (await import('./after-cards.tsx')).AfterCards }))
/** Of several days at once: most look at one. */
const DaysView = lazy(async () => ({ default: (await import('./days-view.tsx')).DaysView }))

/** So many days at once (the contract). */
const mostDates = 12

/** What the page is about, in its address: `?date=2024-02-05&h=20` or `?dates=2024-01-31,2024-02-29`; without either what was `last` asked. */
export function useHistoryAddress(range: DataRange | null, last: readonly string[]) {
  const [query, setQuery] = useSearchParams()
  const kept = query.has('date') || query.has('dates') ? [] : last
  const requestedDates = query.get('dates')?.split(',').filter(isDate).slice(0, mostDates) ?? (kept.length > 1 ? kept : null)
  const one = query.get('date') ?? kept[0]
  const date = one && isDate(one) ? one : range && firstDay(range)
  const horizon = horizons.find((value) => String(value) === query.get('h')) ?? 5
  const set = (change: Record<string, string | null>) =>
    setQuery(
      (before) => {
        for (const [key, value] of Object.entries(change)) value === null ? before.delete(key) : before.set(key, value)
        return before
      },
      { replace: true },
    )
  return { dates: requestedDates, date, horizon: horizon as Horizon, set }
}

/** 历史筛选: what the list would have been on a day, and what happened after. */
export function HistoryView({
  draft,
  address,
  range,
}: {
  draft: Draft
  address: ReturnType<typeof useHistoryAddress>
  range: DataRange | null
}) {
  const market = useMarket()
  const { id: kind } = market
  const { data: options } = useQuery(strategyOptionsQuery)
  const { factors } = useFactors(kind)
  const { dates: several, date, horizon, set } = address
  const run = historyRuns[kind]()
  const { pending, answered, failed, ask, cancel } = run
  const closed = useClosed(date && range ? yearsAround(date, range) : [])
  const outside = several === null && date !== null && range ? outsideWords(date, range) : null
  const parameters = useMemo(() => sendable(draft.parameters), [draft.parameters])
  const [mistake] = parameterMistakes(draft.parameters, market)
  const daily = options?.limits.daily['history_screen']
  const left = daily ? daily.max - daily.used : null

  const askFor = (dates: readonly string[], rule: Parameters = parameters) =>
    !mistake && dates.length > 0 && left !== 0 && ask({ parameters: rule, dates, own: ownVersionsIn(rule, factors) })
  const onceKnown = useOnceKnown()
  const goTo = (wanted: string) => {
    if (!range) return
    if (outsideWords(wanted, range)) return onceKnown([], () => set({ date: wanted, dates: null }))
    return onceKnown(yearsAround(wanted, range), (known) => {
      const { date: day, moved } = snapped(wanted, range, known)
      if (moved) toast.info(`${dayWords(wanted)} 休市，已跳到上一交易日 ${day}`)
      set({ date: day, dates: null })
      askFor([day])
    })
  }
  const step = (by: 1 | -1) => {
    const next = date && range ? stepDay(date, by, range, closed) : null
    if (next) goTo(next)
  }
  const setDates = (dates: readonly string[]) => {
    if (dates.length > mostDates) return toast.info(`最多 ${mostDates} 个日期，先移除一个`)
    return onceKnown([], () => set({ dates: [...dates].sort().join(',') }))
  }
  const setPeriodEnds = (months: 1 | 3) => {
    if (!range) return
    const ends = periodEnds(range.end, mostDates, months, range.start)
    return onceKnown(
      ends.flatMap((end) => yearsAround(end, range)),
      (known) => set({ dates: [...new Set(ends.map((end) => snapped(end, range, known).date))].sort().join(',') }),
    )
  }
  const current = several ?? (date ? [date] : [])
  const start = () => {
    if (several) return askFor(several)
    if (date) goTo(date)
  }
  const shown = answered && answered.question.dates.join() === current.join() ? answered : null
  const changed = shown !== null && !isOf(shown.question, parameters, factors)
  useKeys({
    ...(several ? {} : { back: () => step(-1), forward: () => step(1) }),
    ...(pending ? { cancel } : {}),
  })
  useFirstDay({
    ready: date !== null && several === null && range !== null && outside === null && !mistake && closed(date) !== null,
    there: answered !== null || pending !== null || failed !== null,
    ask: start,
  })
  const state = stateOf({
    pending: pending !== null,
    there: shown !== null,
    error: failed?.error ?? null,
    several: several !== null,
    cancel,
    again: start,
  })
  return (
    <>
      <HistoryBar
        date={date}
        several={several}
        range={range}
        horizon={horizon}
        closed={closed}
        left={left}
        running={pending !== null}
        days={shown?.answer.results ?? null}
        mostDates={mostDates}
        onDate={goTo}
        onStep={step}
        onDates={setDates}
        onPeriodEnds={setPeriodEnds}
        onHorizon={(next) => set({ h: String(next) })}
        onRun={start}
      />
      {outside && range && (
        <Strip>
          {outside}。
          <Button look={['small']} onClick={() => goTo(date !== null && date < range.start ? range.start : range.end)}>
            看最近的一天
          </Button>
        </Strip>
      )}
      {mistake && <Strip>策略条件有误：{mistake.message}，改正后再看历史名单。</Strip>}
      {changed && !pending && (
        <Strip>
          条件已改动，下面是改动前的名单。
          <Button look={['small']} onClick={start}>
            按现在的条件重看
          </Button>
        </Strip>
      )}
      {state && (
        <Card
          title={pending ? `正在回看 ${pending.dates.length === 1 ? pending.dates[0] : `${pending.dates.length} 个日期`}` : '历史名单'}
          state={state}
        >
          {null}
        </Card>
      )}
      {shown && several === null && shown.answer.results[0] && (
        <div className={pending ? `${styles.day} stale` : styles.day} aria-busy={pending !== null}>
          <DayCard day={shown.answer.results[0]} parameters={shown.question.parameters} horizon={horizon} />
          <Suspense fallback={<CardSkeleton chart={240} />}>
            <AfterCards day={shown.answer.results[0]} horizon={horizon} />
          </Suspense>
        </div>
      )}
      {shown && several !== null && (
        <Suspense>
          <DaysView
            days={shown.answer.results}
            horizon={horizon}
            stale={pending !== null}
            onOpen={(day) => {
              set({ dates: null, date: day })
              askFor([day])
            }}
          />
        </Suspense>
      )}
      <p className="hidden-text" role="status">
        {pending ? '正在回看历史名单' : shown ? `已回看 ${shown.answer.results.length} 个日期` : ''}
      </p>
    </>
  )
}

const Strip = ({ children }: { children: React.ReactNode }) => (
  <div className="analysis-strip" role="status">
    <Icon name="warn" />
    {children}
  </div>
)

/** The page opens with the day that its address names. */
function useFirstDay({ ready, there, ask }: { ready: boolean; there: boolean; ask: () => void }) {
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, as soon as it can be asked
  useEffect(() => {
    if (ready && !there) ask()
  }, [ready])
}

function stateOf({
  pending,
  there,
  error,
  several,
  cancel,
  again,
}: {
  pending: boolean
  there: boolean
  error: unknown
  several: boolean
  cancel: () => void
  again: () => void
}): CardState | null {
  if (pending) return there ? null : { kind: 'loading', rows: 10, columns: skeleton, onCancel: cancel }
  if (isLate(error)) return { kind: 'timeout', title: '计算超时（60 秒）', text: '减少日期，或去掉回看很长的因子后重试。', onRetry: again }
  if (error) return { kind: 'error', error, still: '策略条件与日期都在，可以换一天再试。', onRetry: again }
  if (there) return null
  return several
    ? {
        kind: 'empty',
        icon: 'calendar',
        title: '选好日期后运行',
        text: '最多 12 个日期；可以用「近 12 个月末」一次选好。',
      }
    : {
        kind: 'empty',
        icon: 'calendar',
        title: '选择一个交易日',
        text: '按同一套规则重放当天的名单，再看之后发生了什么。',
      }
}

const skeleton = [
  { head: '名次', width: 60, bar: 20, numeric: true },
  { head: '代码', width: 96, bar: 72 },
  { head: '名称', width: 120, bar: 80 },
  { head: '得分', width: 72, bar: 36, numeric: true },
  { head: '现价', width: 88, bar: 52, numeric: true },
  { head: '后1日', width: 88, bar: 48, numeric: true },
  { head: '后5日', width: 88, bar: 48, numeric: true },
  { head: '后20日', bar: 48, numeric: true },
]
