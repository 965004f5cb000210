import { defaultMarketId, marketIds } from '@convexa/contract/enums/market'
import { useQueries, useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { closedDatesQuery, strategyListQuery } from '../../api/queries.ts'
import { shanghai } from '../../base/dates.ts'
import { useOwnUser } from '../account/own-user.ts'
import { alertsQuery, qmtConfigsQuery } from '../qmt/qmt-queries.ts'
import { runsQuery } from '../rule/strategy-queries.ts'
import type { OwnStrategy } from './todos.ts'
import { todosOf } from './todos.ts'

const shownRuns = 5

/** The strategies of both markets in one list, the one that was changed last first. */
export function useOwnStrategies() {
  return useQueries({ queries: marketIds.map((kind) => strategyListQuery(kind)), combine: both })
}

interface Answer {
  data: { list_items: readonly Omit<OwnStrategy, 'kind'>[] } | undefined
  error: Error | null
  isPending: boolean
  refetch(): unknown
}

const both = (answers: readonly Answer[]) => ({
  strategies: answers
    .flatMap(({ data }, i): OwnStrategy[] => data?.list_items.map((one) => ({ ...one, kind: marketIds[i] ?? defaultMarketId })) ?? [])
    .sort((a, b) => (a.updated_at < b.updated_at ? 1 : -1)),
  loading: answers.some(({ isPending }) => isPending),
  /** One market may fail while the other is there. */
  error: answers.find(({ error }) => error !== null)?.error ?? null,
  retry: () => {
    for (const { error, refetch } of answers) if (error) void refetch()
  },
})

export function useHome() {
  const own = useOwnStrategies()
  const runs = useQuery(runsQuery({ offset: 0, limit: shownRuns }))
  const { user } = useOwnUser()
  // The shared account has no terminal.
  const configs = useQuery({ ...qmtConfigsQuery, enabled: user !== null && !user.demo }).data?.list_items
  const alerts = useQuery({ ...alertsQuery, enabled: configs !== undefined && configs.length > 0 }).data?.list_items
  const { date: today, year } = shanghai(Date.now())
  const { data: closed } = useQuery({ ...closedDatesQuery(year), enabled: configs !== undefined && configs.length > 0 })
  const todos = useMemo(
    () =>
      todosOf({
        strategies: own.strategies,
        ...(configs && { configs }),
        ...(alerts && { alerts }),
        today,
        closed: closed ? { ...closed, dates: new Set(closed.dates) } : null,
        user,
      }),
    [own.strategies, configs, alerts, today, closed, user],
  )
  const known = own.error === null && !own.loading && runs.data !== undefined
  /** Nothing was ever made: the board gives way to the first steps. */
  const isNew = known && own.strategies.length === 0 && runs.data?.total === 0
  return { own, runs, user, todos, isNew }
}
