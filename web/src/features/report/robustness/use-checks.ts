import { calls } from '@convexa/contract/calls'
import { markets } from '@convexa/contract/enums/market'
import type { ReportCore } from '@convexa/contract/report'
import { judged } from '@convexa/engine/report'
import { useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { call } from '../../../api/client.ts'
import { CallError } from '../../../api/messages.ts'
import { queries } from '../../../api/queries.ts'
import { reportQuery } from '../report-queries.ts'
import { neverBought } from '../sentences.ts'
import type { Checking } from './grid-line.tsx'

/** What a check grid takes on a quiet machine; of stocks it is not known. */
const seconds = 3

/** The server says why only where there is something to do about it. */
const expectedCodes: ReadonlySet<number> = new Set([21002, 21008, 21011])

/**
 * Has the server make the check grid of an own report that lacks it (experience.md 1.4): by itself where the market was beaten or it cannot be
 * told, else on a press. What comes of it stands in the report from then on.
 */
export function useChecks(stored: ReportCore): Checking | undefined {
  const { kind, backtest_id: id } = stored
  const report = useMemo(() => judged(stored), [stored])
  const missing = report.robustness.checks.filter(({ lack }) => lack === 'grid' || lack === 'trials').length
  const needed = report.robustness.checks.some(({ lack }) => lack === 'grid') && !report.partial && !neverBought(report)
  const state = report.worth?.state
  const [requested, setRequested] = useState<boolean | null>(null)
  const wanted = requested ?? (state === 'yes' || state === 'unclear')
  const queryKey = ['backtest', id, 'checks']
  const { error, isFetching, refetch } = useQuery({
    queryKey,
    queryFn: async ({ signal }) => {
      const { robustness, grid } = await call(calls[kind].checks, { params: { id } }, { signal })
      queries.setQueryData(reportQuery(kind, id).queryKey, (before) => before && { ...before, checks: { robustness, grid } })
      void queries.invalidateQueries({ queryKey: ['backtests'] })
      return true
    },
    enabled: needed && wanted,
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  })
  if (!needed) return undefined
  const reason = error instanceof CallError && expectedCodes.has(error.code) ? error.message : undefined
  return {
    state: isFetching ? 'asking' : error && wanted ? 'failed' : wanted ? 'asking' : 'waiting',
    reason,
    seconds: markets[kind].redeemed ? seconds : null,
    missing,
    ask: () => {
      setRequested(true)
      if (error) void refetch()
    },
    cancel: () => {
      setRequested(false)
      void queries.cancelQueries({ queryKey })
    },
  }
}
