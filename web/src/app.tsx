import { productName } from '@convexa/contract/product'
import { QueryClientProvider } from '@tanstack/react-query'
import { Suspense, useEffect, useState } from 'react'
import { BrowserRouter, useLocation, useNavigate } from 'react-router'
import { isMaintenance, onFailure } from './api/failed-calls.ts'
import { queries } from './api/query-cache.ts'
import { renew } from './api/renewal.ts'
import { useSiteNow } from './api/site-now.ts'
import { useDeparture, useScroll } from './pages/arrival.ts'
import { ErrorBoundary } from './pages/error-boundary.tsx'
import { Routes } from './routes.tsx'
import { titlesAt } from './routing/page-at.ts'
import { onLoginEnd, onOtherUser, useAuth } from './state/auth.ts'
import { useLoginEnd } from './state/login-end.ts'
import { loginUrlFrom } from './state/return-url.ts'
import { lazyWithFallback } from './ui/lazy-with-fallback.ts'
import { Toasts } from './ui/toast.tsx'

/** Without transitions: an address that was gone to is shown at once, with a spinner where its code is on the way. */
export function App() {
  return (
    <QueryClientProvider client={queries}>
      <BrowserRouter useTransitions={false}>
        <Everywhere />
        <Departure />
        <RefusedLogin />
        <EndingLogin />
        <Toasts />
      </BrowserRouter>
    </QueryClientProvider>
  )
}

// However the login ended, here or in another tab: what was shown is forgotten, after the routes have led away from it, since its
// queries would ask again without a login.
onLoginEnd(() => void setTimeout(() => queries.clear()))
onOtherUser(() => void queries.resetQueries())

function Departure() {
  const { pathname } = useLocation()
  return <Departed key={pathname} />
}

function Departed() {
  useDeparture()
  return null
}

function Everywhere() {
  const { pathname } = useLocation()
  const name = useSiteNow()?.name ?? productName
  useScroll()
  useMaintenance()
  return (
    <ErrorBoundary at={pathname}>
      {/* A page may say more, as a report does: its title comes later and is put before this one. */}
      <title>{[...titlesAt(pathname), name].join(' · ')}</title>
      <Routes />
    </ErrorBoundary>
  )
}

/** A call that is answered 503/50303, or the operator's switch, leads to the page that waits for the end of it. */
function useMaintenance(): void {
  const navigate = useNavigate()
  const { pathname, search } = useLocation()
  const on = useSiteNow()?.maintenance?.on === true
  const may = pathname !== '/maintenance' && !pathname.startsWith('/legal/')
  useEffect(() => {
    if (!may) return
    const lead = () => navigate(`/maintenance?redirect=${encodeURIComponent(pathname + search)}`, { replace: true })
    if (on) lead()
    return onFailure(({ error }) => {
      if (isMaintenance(error)) lead()
    })
  }, [navigate, may, on, pathname, search])
}

const LoginWarning = lazyWithFallback(async () => (await import('./ui/login-warning.tsx')).LoginWarning, Unwarned)

/** Without its words the warning leads on at once. */
function Unwarned({ onClose }: { onClose: () => void }) {
  useEffect(onClose)
  return null
}

/** One warning however many calls were refused; its close forgets the login and leads to it. */
function RefusedLogin() {
  const { refused, clear } = useAuth()
  const { pathname, search } = useLocation()
  const navigate = useNavigate()
  if (!refused) return null
  const close = () => {
    clear()
    void navigate(loginUrlFrom(pathname + search), { replace: true })
  }
  return (
    <Suspense>
      <LoginWarning onClose={close} />
    </Suspense>
  )
}

const LoginEnding = lazyWithFallback(async () => (await import('./ui/login-ending.tsx')).LoginEnding)

/** Warns a minute before the login ends, on any page; once closed, not again for the same end. */
function EndingLogin() {
  const end = useLoginEnd()
  const [closed, setClosed] = useState<number | null>(null)
  const { refused, clear } = useAuth()
  const { pathname, search } = useLocation()
  const navigate = useNavigate()
  if (end === null || end === closed || refused) return null
  const stay = async () => {
    const { tokenData } = useAuth.getState()
    const renewed = tokenData && (await renew(tokenData.access_token).catch(() => null))
    const after = useAuth.getState().tokenData?.ends_at ?? 0
    return renewed !== null && after > end + 1_000
  }
  return (
    <Suspense>
      <LoginEnding
        end={end}
        onStay={stay}
        onLeave={() => {
          clear()
          void navigate(loginUrlFrom(pathname + search), { replace: true })
        }}
        onClose={() => setClosed(end)}
      />
    </Suspense>
  )
}
