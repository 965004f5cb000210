import { calls } from '@convexa/contract/calls'
import type { Order } from '@convexa/contract/order'
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { call } from '../../api/client.ts'
import { queries, strategyOptionsQuery } from '../../api/queries.ts'
import { reloadUser } from '../account/own-user.ts'
import { orderPollDelay } from './polling.ts'

export const plansQuery = queryOptions({
  queryKey: ['vip-plans'],
  queryFn: ({ signal }) => call(calls.vip.plans, undefined, { signal }),
  staleTime: 60_000,
})

/** A page of the user's orders, the newest first; asked again while WeChat, we or time have still something to say about one. */
export const ordersQuery = (offset: number, limit: number) =>
  queryOptions({
    queryKey: ['orders', 'list', offset, limit],
    queryFn: ({ signal }) => call(calls.order.list, { query: { offset, limit } }, { signal }),
    placeholderData: keepPreviousData,
    staleTime: 0,
    refetchInterval: ({ state: { data } }) => soonest(data?.list_items ?? []),
    refetchOnWindowFocus: 'always',
  })

/** For the order that has most to tell; false where none has. */
function soonest(orders: readonly Order[]): number | false {
  const delays = orders.flatMap((one) => orderPollDelay(one, Date.now()) || [])
  return delays.length > 0 && Math.min(...delays)
}

/** Orders that may still be paid. */
export const pendingQuery = queryOptions({
  queryKey: ['orders', 'pending'],
  queryFn: ({ signal }) => call(calls.order.pending, undefined, { signal }),
  staleTime: 30_000,
  // It may be paid on a phone, or in another tab.
  refetchInterval: ({ state: { data } }) => (data?.list_items.length ? 15_000 : false),
  refetchOnWindowFocus: ({ state: { data } }) => (data?.list_items.length ?? 0) > 0,
})

export const orderQuery = (id: string) =>
  queryOptions({
    queryKey: ['orders', 'one', id],
    queryFn: ({ signal }) => call(calls.order.detail, { params: { id } }, { signal }),
    staleTime: 0,
    refetchInterval: ({ state: { data } }) => data !== undefined && orderPollDelay(data, Date.now()),
    refetchOnWindowFocus: 'always',
  })

/** Something became of an order: all that is shown of orders is asked for again, who one is where days were given, and what one may use a day. */
export async function ordersChanged(): Promise<void> {
  void queries.invalidateQueries({ queryKey: strategyOptionsQuery.queryKey })
  await Promise.all([queries.invalidateQueries({ queryKey: ['orders'] }), reloadUser()])
}

/** Gives an order up. @returns 5, or 1 while WeChat is still being asked */
export async function cancelOrder(id: string): Promise<Order['status']> {
  const { status } = await call(calls.order.remove, { params: { id } })
  await ordersChanged()
  return status
}
