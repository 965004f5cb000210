import { useQuery } from '@tanstack/react-query'
import { Suspense, useState } from 'react'
import { useLocation } from 'react-router'
import { sentenceOf } from '../../api/messages.ts'
import { websiteQuery } from '../../api/queries.ts'
import { useSite } from '../../api/site.ts'
import { restoreAccount } from '../../features/account/own-user.ts'
import { useWaitingOrder } from '../../features/vip/waiting-order.ts'
import { marketOfSegment } from '../../market/market-context.tsx'
import { useMarketClock } from '../../market/use-market-clock.ts'
import { useAuth } from '../../state/auth.ts'
import { usePreferences } from '../../state/preferences.ts'
import { Button } from '../../ui/button.tsx'
import { Icon } from '../../ui/icon.tsx'
import { lazyWithFallback } from '../../ui/lazy-with-fallback.ts'
import { takeFocus } from '../../ui/take-focus.ts'
import { toast } from '../../ui/toast.tsx'
import { bannerOf } from './banners.ts'

const orders = () => import('../../features/vip/order-banner.tsx')
const OrderWatch = lazyWithFallback(async () => (await orders()).OrderWatch)
const OrderBanner = lazyWithFallback(
  async () => (await orders()).OrderBanner,
  ({ words }) => words,
)

/** One sentence under the header, until it is closed for the day. */
export function BannerSlot() {
  const { data_mode: modes, features } = useSite()
  const { dismissed, set } = usePreferences()
  const clock = useMarketClock()
  const kind = marketOfSegment(useLocation().pathname.split('/')[2])?.id ?? null
  const deletionAt = useAuth((state) => state.userData?.deletion_at ?? null)
  const { waiting } = useWaitingOrder()
  // Until the site has said what its data are, a sentence would give way to another in a moment.
  const known = useQuery(websiteQuery).data !== undefined
  const banner = known ? bannerOf({ modes, clock, kind, deletionAt, waiting }, dismissed) : null
  const close = (key: string) => {
    const today = Object.entries(dismissed).filter(([, day]) => day === clock.date)
    set('dismissed', { ...Object.fromEntries(today), [key]: clock.date })
    const main = document.getElementById('main')
    if (main) takeFocus(main)
  }
  return (
    <div className={banner ? `banner ${banner.tone}` : undefined} role="status">
      {features.wechat_pay && (
        <Suspense>
          <OrderWatch />
        </Suspense>
      )}
      {banner && (
        <>
          <Icon name={banner.tone === 'warn' ? 'warn' : 'info'} size="middle" />
          {banner.act === 'pay' ? (
            <Suspense>
              <OrderBanner words={banner.text} />
            </Suspense>
          ) : (
            <span>{banner.text}</span>
          )}
          {banner.act === 'restore' ? (
            <RestoreButton />
          ) : (
            <Button
              look={['ghost', 'square', 'small']}
              icon="cross"
              aria-label="今天不再显示这条提示"
              title="今天不再显示"
              onClick={() => close(banner.key)}
            />
          )}
        </>
      )}
    </div>
  )
}

function RestoreButton() {
  const [busy, setBusy] = useState(false)
  const restore = async () => {
    setBusy(true)
    await restoreAccount().catch((error: unknown) => toast.error(sentenceOf(error)))
    setBusy(false)
  }
  return (
    <Button look={['small']} disabled={busy} onClick={restore}>
      撤销注销
    </Button>
  )
}
