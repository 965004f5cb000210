import { QueryClientProvider } from '@tanstack/react-query'
import { lazy, Suspense } from 'react'
import { RouterProvider } from 'react-router'
import { queries } from './api/queries.ts'
import { router } from './routes.tsx'
import { useAuth } from './state/auth.ts'
import { Toasts } from './ui/toast.tsx'

export function App() {
  return (
    <QueryClientProvider client={queries}>
      <RouterProvider router={router} />
      <RefusedLogin />
      <Toasts />
    </QueryClientProvider>
  )
}

const LoginWarning = lazy(async () => ({ default: (await import('./ui/login-warning.tsx')).LoginWarning }))

/** One warning however many calls were refused; its close forgets the login and leads to it. */
function RefusedLogin() {
  const { refused, clear } = useAuth()
  if (!refused) return null
  const close = () => {
    const { pathname, search } = router.state.location
    clear()
    queries.clear()
    void router.navigate(`/login?redirect=${encodeURIComponent(pathname + search)}`, { replace: true })
  }
  return (
    <Suspense>
      <LoginWarning onClose={close} />
    </Suspense>
  )
}
