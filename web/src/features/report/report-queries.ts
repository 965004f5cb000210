import { calls } from '@convexa/contract/calls'
import { type MarketId, markets } from '@convexa/contract/enums/market'
import type { DayDetail, Report, ReportParts } from '@convexa/contract/report'
import { queryOptions } from '@tanstack/react-query'
import { call } from '../../api/client.ts'
import { inNamesOfNow } from './report-names.ts'

// A stored report never changes: what was read once stays.

/** One endpoint gives the whole (`report`) or a day; the place's name differs between the markets. */
function detail(kind: MarketId, id: string, part: string, signal: AbortSignal): Promise<DayDetail | Report | ReportParts> {
  const params = { id, [markets[kind].detailParam]: part } as { id: string; id2: string; date: string }
  return call(calls[kind].backtestDetail, { params }, { signal })
}

export const reportQuery = (kind: MarketId, id: string) =>
  queryOptions({
    queryKey: ['backtest', id, 'report'],
    queryFn: async ({ signal }) => inNamesOfNow((await detail(kind, id, 'report', signal)) as Report),
    staleTime: Number.POSITIVE_INFINITY,
  })

export const dayQuery = (kind: MarketId, id: string, date: string) =>
  queryOptions({
    queryKey: ['backtest', id, date],
    queryFn: ({ signal }) => detail(kind, id, date, signal) as Promise<DayDetail>,
    staleTime: Number.POSITIVE_INFINITY,
  })

/** What a run was asked and its figures: all that is left of one whose report is kept no more. */
export const questionQuery = (id: string) =>
  queryOptions({
    queryKey: ['backtest', id, 'question'],
    queryFn: async ({ signal }) =>
      inNamesOfNow({ ...(await call(calls.quant.backtestQuestion, { params: { id } }, { signal })), warnings: [] }),
  })
