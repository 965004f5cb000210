import { TradeConfigWork } from '../../qmt/trade-config/trade-config-work.tsx'
import { Footer } from '../layout/footer.tsx'

/** 交易参数: how the client trades. */
export function TradeConfigPage() {
  return (
    <>
      <main className="qmt" id="main">
        <TradeConfigWork />
      </main>
      <Footer />
    </>
  )
}
