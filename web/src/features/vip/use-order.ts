import { calls } from '@convexa/contract/calls'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { call } from '../../api/client.ts'
import { isEnd, pollDelay } from './polling.ts'
import { orderQuery, ordersChanged } from './vip-queries.ts'

/** An order with its status of now: asked for by the ladder of polling.ts, and at once whenever the page is seen again. */
export function useOrder(id: string) {
  const order = useQuery(orderQuery(id))
  const known = order.data?.status
  const poll = useQuery({
    queryKey: ['order-status', id],
    queryFn: ({ signal }) => call(calls.order.status, { params: { id } }, { signal }),
    enabled: order.data !== undefined && !isEnd(known),
    staleTime: 0,
    gcTime: 0,
    refetchOnWindowFocus: 'always',
    refetchInterval: ({ state }) => pollDelay(state.dataUpdateCount + state.errorUpdateCount, state.data?.status),
  })
  // A final status stays, whatever a late answer says.
  const status = isEnd(known) ? known : (poll.data?.status ?? known)
  const lastStatus = useRef(known)
  useEffect(() => {
    const before = lastStatus.current
    lastStatus.current = status
    if (before !== undefined && before !== status) void ordersChanged()
  }, [status])
  return { order, status, ask: () => void poll.refetch() }
}

/** Content of an order's payment QR code; the server returns the same one while it is valid. */
export const useNativeCode = (id: string) =>
  useQuery({
    queryKey: ['native-code', id],
    queryFn: ({ signal }) => call(calls.payment.nativeProcess, { body: { order_id: id } }, { signal }),
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    refetchOnWindowFocus: false,
  })
