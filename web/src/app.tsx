import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from 'react-router'
import { messages } from './api/messages.ts'
import { queries } from './api/queries.ts'
import { router } from './routes.tsx'
import { useAuth } from './state/auth.ts'
import { Button } from './ui/button.tsx'
import { Dialog } from './ui/dialog.tsx'
import { Toasts } from './ui/toast.tsx'

export function App() {
  return (
    <QueryClientProvider client={queries}>
      <RouterProvider router={router} />
      <LoginWarning />
      <Toasts />
    </QueryClientProvider>
  )
}

/** The specification's 401/403: one warning however many calls were refused; its close forgets the login and leads to it. */
function LoginWarning() {
  const { refused, clear } = useAuth()
  if (!refused) return null
  const close = () => {
    const { pathname, search } = router.state.location
    clear()
    queries.clear()
    void router.navigate(`/login?redirect=${encodeURIComponent(pathname + search)}`, { replace: true })
  }
  return (
    <Dialog
      title={messages.login}
      role="alertdialog"
      onClose={close}
      width={360}
      footer={
        <Button look={['primary']} onClick={close}>
          去登录
        </Button>
      }
    >
      登录已失效，重新登录后回到当前页面；你的策略草稿保留在本机。
    </Dialog>
  )
}
