import { Sheet } from '../../ui/sheet.tsx'
import { Account } from './account.tsx'

/** The phone's 我的, until it is a page. */
export function AccountSheet({ onClose }: { onClose: () => void }) {
  return (
    <Sheet title="我的" onClose={onClose}>
      <div className="menu account-sheet">
        <Account close={onClose} keys={false} />
      </div>
    </Sheet>
  )
}
