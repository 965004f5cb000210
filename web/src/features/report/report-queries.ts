import { calls } from '@convexa/contract/calls'
import { type MarketId, markets } from '@convexa/contract/enums/market'
import type { DayDetail, LedgerPart, Report, ReportCore, ReportPart, ReportParts } from '@convexa/contract/report'
import { queryOptions } from '@tanstack/react-query'
import { call } from '../../api/client.ts'
import { CallError } from '../../api/messages.ts'
import { queries, retryDelay, retryLate } from '../../api/query-cache.ts'
import { inNamesOfNow } from './report-names.ts'

// A stored report never changes: what was read once stays. Its core is kept; what follows from the run's ledger is computed again, and so it
// is asked for when somebody is about to see it.

/** One endpoint gives parts of the report or a day; the place's name differs between the markets. */
function detail(kind: MarketId, id: string, part: string, parts: readonly ReportPart[] | null, signal: AbortSignal) {
  const params = { id, [markets[kind].detailParam]: part } as { id: string; id2: string; date: string }
  return call(calls[kind].backtestDetail, { params, query: parts ? { parts: parts.join() } : {} }, { signal })
}

async function reportParts(kind: MarketId, id: string, wanted: readonly ReportPart[], signal: AbortSignal) {
  const { parts: _, ...members } = (await detail(kind, id, 'report', wanted, signal)) as ReportParts
  return members
}

/** The core of a report. */
export const reportQuery = (kind: MarketId, id: string) =>
  queryOptions({
    queryKey: ['backtest', id, 'report'],
    queryFn: async ({ signal }) => inNamesOfNow((await reportParts(kind, id, ['core'], signal)) as ReportCore),
    staleTime: Number.POSITIVE_INFINITY,
  })

/** The run's data are on their way to where they are read. */
export const isBeingFetched = (error: unknown): boolean => error instanceof CallError && error.code === 21008 && error.retryAfter !== null

/** At three seconds each, a minute and a half. */
const mostTries = 30

const computedAgain = {
  staleTime: Number.POSITIVE_INFINITY,
  retry: (failures: number, error: Error) => (isBeingFetched(error) ? failures < mostTries : retryLate(failures, error)),
  retryDelay: (failures: number, error: Error) =>
    isBeingFetched(error) ? ((error as CallError).retryAfter ?? 0) * 1_000 : retryDelay(failures),
} as const

/** Parts that one card shows, or two beside each other. */
export const fillParts = ['holdings', 'trades'] as const satisfies readonly LedgerPart[]
export const gainParts = ['daily_contribution'] as const satisfies readonly LedgerPart[]

/** Parts of a report, and how far they are from the stored figures where they come out otherwise. */
export type Ledger<P extends LedgerPart> = Pick<Report, P | 'recomputed'>

export const ledgerQuery = <P extends LedgerPart>(kind: MarketId, id: string, parts: readonly P[]) =>
  queryOptions({
    queryKey: ['backtest', id, 'ledger', ...parts],
    queryFn: async ({ signal }) => (await reportParts(kind, id, parts, signal)) as Ledger<P>,
    ...computedAgain,
  })

export const holdsParts = <P extends LedgerPart>(report: ReportCore, parts: readonly P[]): report is ReportCore & Ledger<P> =>
  parts.every((part) => part in report)

/** A report with more of its parts, for what is saved or printed. @throws CallError */
export async function withLedger<P extends LedgerPart>(report: ReportCore, parts: readonly P[]): Promise<ReportCore & Ledger<P>> {
  let whole: ReportCore = report
  // One after the other: the first has the run computed, the second finds it.
  for (const group of [fillParts, gainParts])
    if (!holdsParts(report, group) && group.some((part) => parts.includes(part as P)))
      whole = { ...whole, ...(await queries.fetchQuery(ledgerQuery(report.kind, report.backtest_id, group as readonly LedgerPart[]))) }
  return whole as ReportCore & Ledger<P>
}

export const dayQuery = (kind: MarketId, id: string, date: string) =>
  queryOptions({
    queryKey: ['backtest', id, date],
    queryFn: ({ signal }) => detail(kind, id, date, null, signal) as Promise<DayDetail>,
    ...computedAgain,
  })

/** What a run was asked and its figures: all that is left of one whose report is kept no more. */
export const questionQuery = (id: string) =>
  queryOptions({
    queryKey: ['backtest', id, 'question'],
    queryFn: async ({ signal }) =>
      inNamesOfNow({ ...(await call(calls.quant.backtestQuestion, { params: { id } }, { signal })), warnings: [] }),
  })
