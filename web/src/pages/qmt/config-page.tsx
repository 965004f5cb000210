import { ConfigWork } from '../../qmt/run-config/config-work.tsx'
import { Footer } from '../layout/footer.tsx'

/** 运行配置: what runs where, looked at before it does. */
export function ConfigPage() {
  return (
    <>
      <main className="qmt" id="main">
        <ConfigWork />
      </main>
      <Footer />
    </>
  )
}
