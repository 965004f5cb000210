import { Footer } from '../legal/footer.tsx'
import styles from './qmt.module.css'
import { TradeConfigWork } from './trade-config/trade-config-work.tsx'

/** 交易参数: how the client trades. */
export function TradeConfigPage() {
  return (
    <>
      <main className={styles.qmt} id="main">
        <TradeConfigWork />
      </main>
      <Footer />
    </>
  )
}
