import { messages } from '../api/messages.ts'
import { Button } from './button.tsx'
import { Dialog } from './dialog.tsx'

/** The specification's 401/403 warning; whatever closes it leads to the login. */
export function LoginWarning({ onClose }: { onClose: () => void }) {
  return (
    <Dialog
      title={messages.login}
      role="alertdialog"
      onClose={onClose}
      width={360}
      footer={
        <Button look={['primary']} onClick={onClose} data-focus>
          去登录
        </Button>
      }
    >
      登录已失效，重新登录后回到当前页面；你的策略草稿保留在本机。
    </Dialog>
  )
}
