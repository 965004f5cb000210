import { AccountsCard } from '../../qmt/account/accounts-card.tsx'
import { KeyCard } from '../../qmt/key/key-card.tsx'
import { KillSwitchCard } from '../../qmt/kill-switch/kill-switch-card.tsx'
import { Footer } from '../layout/footer.tsx'

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
