import { Page } from '../../ui/layout.tsx'
import { Footer } from '../legal/footer.tsx'
import { TradeConfigWork } from './trade-config/trade-config-work.tsx'

/** 交易参数: how the client trades. */
export function TradeConfigPage() {
  return (
    <>
      <Page>
        <TradeConfigWork />
      </Page>
      <Footer />
    </>
  )
}
