import { useQuery } from '@tanstack/react-query'
import { useSearchParams } from 'react-router'
import { useOwnUser } from '../../account/own-user.ts'
import { useList } from '../../api/lists.ts'
import { OrdersCard } from '../../vip/orders-card.tsx'
import { PayDialog } from '../../vip/pay-dialog.tsx'
import { PlansCard } from '../../vip/plans-card.tsx'
import { pendingQuery, plansQuery } from '../../vip/vip-queries.ts'
import { Footer } from '../layout/footer.tsx'
import './subscription.css'

/** Plans, what one has and until when, and orders. The order that is being paid stands in the address: `?order=`. */
export function SubscriptionPage() {
  const [query, setQuery] = useSearchParams()
  const { user } = useOwnUser()
  const plans = useList(plansQuery)
  const pending = useQuery(pendingQuery).data?.list_items[0]
  const paying = query.get('order')
  const pay = (order: string) => setQuery({ order })
  return (
    <>
      <main className="subscription" id="main">
        <PlansCard plans={plans} user={user} pending={pending} onPay={pay} />
        <OrdersCard onPay={pay} />
      </main>
      <Footer />
      {paying && <PayDialog key={paying} id={paying} onClose={() => setQuery({}, { replace: true })} />}
    </>
  )
}
