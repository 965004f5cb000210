import { Stack } from '../../ui/layout.tsx'
import { Footer } from '../legal/footer.tsx'
import { AccountsCard } from './account/accounts-card.tsx'
import { KeyCard } from './key/key-card.tsx'
import { KillSwitchCard } from './kill-switch/kill-switch-card.tsx'
import styles from './qmt.module.css'

/** 账户管理: the key, the kill switch, the accounts at brokers. */
export function AccountManagementPage() {
  return (
    <>
      <Stack as="main" gap={12} className={styles.qmt} id="main">
        <div className={styles.qmtPair}>
          <KeyCard />
          <KillSwitchCard />
        </div>
        <AccountsCard />
      </Stack>
      <Footer />
    </>
  )
}
