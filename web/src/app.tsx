import { QueryClientProvider } from '@tanstack/react-query'
import { lazy, Suspense } from 'react'
import { RouterProvider } from 'react-router'
import { queries } from './api/query-cache.ts'
import { router } from './routes.tsx'
import { onLoginEnd, onOtherUser, useAuth } from './state/auth.ts'
import { loginFrom } from './state/way-back.ts'
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

// However the login ended, here or in another tab: the router asks again who may stay. What was shown is forgotten after the page has
// left, since its queries would ask again without a login.
onLoginEnd(() => void router.revalidate().then(() => queries.clear()))
onOtherUser(() => void queries.resetQueries())

const LoginWarning = lazy(async () => ({ default: (await import('./ui/login-warning.tsx')).LoginWarning }))

/** One warning however many calls were refused; its close forgets the login and leads to it. */
function RefusedLogin() {
  const { refused, clear } = useAuth()
  if (!refused) return null
  const close = () => {
    const { pathname, search } = router.state.location
    clear()
    void router.navigate(loginFrom(pathname + search), { replace: true })
  }
  return (
    <Suspense>
      <LoginWarning onClose={close} />
    </Suspense>
  )
}
