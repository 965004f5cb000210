import { useEffect } from 'react'
import { useLocation, useSearchParams } from 'react-router'
import { useList } from '../../api/lists.ts'
import { useSite } from '../../api/site.ts'
import { Page } from '../../ui/layout.tsx'
import type { MemberWish } from '../../ui/member-link.tsx'
import { useOwnUser } from '../account/own-user.ts'
import { Footer } from '../legal/footer.tsx'
import { OrdersCard } from './orders-card.tsx'
import { PayDialog } from './pay-dialog.tsx'
import { ownPayWay, sheetAddress } from './pay-way.ts'
import { PlansCard } from './plans-card.tsx'
import { usePendingOrder } from './use-pending-order.ts'
import { plansQuery } from './vip-queries.ts'

/** Plans, what one has and until when, and orders. The order that is being paid stands in the address: `?order=`. */
export function SubscriptionPage() {
  const [query, setQuery] = useSearchParams()
  const wish = (useLocation().state as MemberWish | null)?.refused ?? null
  const { user } = useOwnUser()
  const plans = useList(plansQuery)
  const pending = usePendingOrder()?.order
  const paying = query.get('order')
  const inWechat = ownPayWay(useSite().features.ios_virtual_pay) === 'jsapi'
  // A document of its own: on an iPhone WeChat goes by the address of the first one when it asks whether a page may take payments.
  const pay = (order: string) => (inWechat ? location.assign(sheetAddress(order)) : setQuery({ order }))
  useEffect(() => {
    if (inWechat && paying) location.replace(sheetAddress(paying))
  }, [inWechat, paying])
  return (
    <>
      <Page>
        <PlansCard plans={plans} user={user} pending={pending} wish={wish} onPay={pay} />
        <OrdersCard onPay={pay} />
      </Page>
      <Footer />
      {paying && !inWechat && <PayDialog key={paying} id={paying} onClose={() => setQuery({}, { replace: true })} />}
    </>
  )
}
