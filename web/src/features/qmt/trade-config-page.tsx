import { Stack } from '../../ui/layout.tsx'
import { Footer } from '../legal/footer.tsx'
import styles from './qmt.module.css'
import { TradeConfigWork } from './trade-config/trade-config-work.tsx'

/** 交易参数: how the client trades. */
export function TradeConfigPage() {
  return (
    <>
      <Stack as="main" gap={12} className={styles.qmt} id="main">
        <TradeConfigWork />
      </Stack>
      <Footer />
    </>
  )
}
