import { useCallback } from 'react'
import { useSearchParams } from 'react-router'
import { useSite } from '../../api/site.ts'
import { PageLink } from '../../ui/page-link.tsx'
import { Empty } from '../../ui/states.tsx'
import { Footer } from '../legal/footer.tsx'
import { ownPayWay } from './pay-way.ts'
import { SheetCard } from './sheet-card.tsx'
import styles from './wechat-pay-page.module.css'
import { takePayerCode } from './wechat-payer.ts'

/** Where an order is paid inside WeChat (`?order=`), and where WeChat leads back to with who pays. Its address stays as it is until then. */
export function WechatPayPage() {
  const [query] = useSearchParams()
  const { ios_virtual_pay: iosVirtualPay } = useSite().features
  const order = query.get('order')
  const takeCode = useCallback(() => takePayerCode(query), [query])
  return (
    <>
      <main className={styles.payPage} id="main">
        <h1 className="hidden-text">微信支付</h1>
        {order ? (
          <SheetCard key={order} id={order} way={ownPayWay(iosVirtualPay)} takeCode={takeCode} />
        ) : (
          <Empty
            icon="page"
            title="没有要支付的订单"
            actions={
              <PageLink className="button primary" to="/personal/subscription">
                查看会员方案
              </PageLink>
            }
          >
            请从会员方案或订单里打开支付。
          </Empty>
        )}
      </main>
      <Footer />
    </>
  )
}
