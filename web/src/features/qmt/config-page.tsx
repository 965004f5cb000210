import { Stack } from '../../ui/layout.tsx'
import { Footer } from '../legal/footer.tsx'
import styles from './qmt.module.css'
import { ConfigWork } from './run-config/config-work.tsx'

/** 运行配置: what runs where, looked at before it does. */
export function ConfigPage() {
  return (
    <>
      <Stack as="main" gap={12} className={styles.qmt} id="main">
        <ConfigWork />
      </Stack>
      <Footer />
    </>
  )
}
