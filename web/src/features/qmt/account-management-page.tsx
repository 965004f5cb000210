import { Footer } from '../legal/footer.tsx'
import { AccountsCard } from './account/accounts-card.tsx'
import { KeyCard } from './key/key-card.tsx'
import { KillSwitchCard } from './kill-switch/kill-switch-card.tsx'

/** 账户管理: the key, the kill switch, the accounts at brokers. */
export function AccountManagementPage() {
  return (
    <>
      <main className="qmt" id="main">
        <div className="qmt-pair">
          <KeyCard />
          <KillSwitchCard />
        </div>
        <AccountsCard />
      </main>
      <Footer />
    </>
  )
}
