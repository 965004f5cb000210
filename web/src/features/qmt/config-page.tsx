import { Page } from '../../ui/layout.tsx'
import { Footer } from '../legal/footer.tsx'
import { ConfigWork } from './run-config/config-work.tsx'

/** 运行配置: what runs where, looked at before it does. */
export function ConfigPage() {
  return (
    <>
      <Page>
        <ConfigWork />
      </Page>
      <Footer />
    </>
  )
}
