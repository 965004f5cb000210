import { Page } from '../../ui/layout.tsx'
import { Footer } from '../legal/footer.tsx'
import { AccountsCard } from './account/accounts-card.tsx'
import { KeyCard } from './key/key-card.tsx'
import { KillSwitchCard } from './kill-switch/kill-switch-card.tsx'
import styles from './qmt.module.css'

/** 账户管理: the key, the kill switch, the accounts at brokers. */
export function AccountManagementPage() {
  return (
    <>
      <Page>
        <div className={styles.qmtPair}>
          <KeyCard />
          <KillSwitchCard />
        </div>
        <AccountsCard />
      </Page>
      <Footer />
    </>
  )
}
