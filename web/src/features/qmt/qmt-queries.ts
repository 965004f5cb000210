import { calls } from '@convexa/contract/calls'
import { queryOptions } from '@tanstack/react-query'
import { call } from '../../api/client.ts'
import { queries } from '../../api/queries.ts'

// What a user has set up for the terminal. A key's last use, a heartbeat, the kill switch change without the page, and what was set up
// may be changed in another tab or on a phone: all is asked for again whenever it is opened or seen, what tells of a client at work also
// by itself.

const now = { staleTime: 0, refetchOnWindowFocus: 'always' } as const
/** A client's comes each minute. */
const heartbeats = 30_000

export const apiKeyQuery = queryOptions({
  queryKey: ['qmt', 'key'],
  queryFn: ({ signal }) => call(calls.qmt.apiKey, undefined, { signal }),
  ...now,
})

export const killSwitchQuery = queryOptions({
  queryKey: ['qmt', 'kill-switch'],
  queryFn: ({ signal }) => call(calls.qmt.killSwitch, undefined, { signal }),
  ...now,
  // It may be pressed elsewhere: on a phone, in another tab.
  refetchInterval: 10_000,
})

export const qmtAccountsQuery = queryOptions({
  queryKey: ['qmt', 'accounts'],
  queryFn: ({ signal }) => call(calls.qmt.accountList, undefined, { signal }),
  ...now,
  refetchInterval: heartbeats,
})

export const tradingConfigsQuery = queryOptions({
  queryKey: ['qmt', 'trading-configs', 'list'],
  queryFn: ({ signal }) => call(calls.qmt.tradingConfigList, undefined, { signal }),
  ...now,
})

export const tradingConfigQuery = (id: string) =>
  queryOptions({
    queryKey: ['qmt', 'trading-configs', 'detail', id],
    queryFn: ({ signal }) => call(calls.qmt.tradingConfig, { params: { id } }, { signal }),
    ...now,
  })

export const qmtConfigsQuery = queryOptions({
  queryKey: ['qmt', 'configs'],
  queryFn: ({ signal }) => call(calls.qmt.configList, undefined, { signal }),
  ...now,
  refetchInterval: heartbeats,
})

export const questionsQuery = queryOptions({
  queryKey: ['qmt', 'questions'],
  queryFn: ({ signal }) => call(calls.qmt.questions, undefined, { signal }),
  ...now,
  refetchInterval: heartbeats,
})

/** Alerts that the card lists; older ones are only counted. */
const shownAlerts = 20

export const alertsQuery = queryOptions({
  queryKey: ['alerts'],
  queryFn: ({ signal }) => call(calls.alerts.list, { query: { limit: shownAlerts } }, { signal }),
  ...now,
  refetchInterval: heartbeats,
})

export const alertsChanged = (): Promise<void> => queries.invalidateQueries({ queryKey: ['alerts'] })

export const configOptionsQuery = queryOptions({
  queryKey: ['qmt', 'options'],
  queryFn: ({ signal }) => call(calls.qmt.configOptions, { params: { type: '1' } }, { signal }),
  ...now,
})

/** Names, masks and versions go from one list into the others: after any change all of them are asked for again. */
export const qmtChanged = (): Promise<void> => queries.invalidateQueries({ queryKey: ['qmt'] })
