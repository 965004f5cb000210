import { createBrowserRouter, redirect } from 'react-router'
import { CrashPage } from './pages/crash.tsx'
import { isAuthenticated } from './state/auth.ts'
import { usePreferences } from './state/preferences.ts'
import { PageSpinner } from './ui/states.tsx'

const lastRotation = () => redirect(usePreferences.getState().lastRotation)

/** Every route under the main layout needs a login. */
function needLogin({ request }: { request: Request }) {
  if (isAuthenticated()) return null
  const { pathname, search } = new URL(request.url)
  throw redirect(pathname === '/' ? '/login' : `/login?redirect=${encodeURIComponent(pathname + search)}`)
}

export const router = createBrowserRouter([
  {
    HydrateFallback: PageSpinner,
    ErrorBoundary: CrashPage,
    children: [
      { path: '/login', lazy: async () => ({ Component: (await import('./pages/login/login-page.tsx')).LoginPage }) },
      {
        path: '/',
        loader: needLogin,
        // Moving between pages does not ask again: only the first entry, and a login that ended says so itself.
        shouldRevalidate: () => false,
        lazy: async () => ({ Component: (await import('./pages/layout/main-layout.tsx')).MainLayout }),
        children: [
          { index: true, loader: lastRotation },
          { path: 'rotation', loader: lastRotation },
          {
            path: 'rotation/:segment',
            lazy: async () => ({ Component: (await import('./pages/rotation/rotation-page.tsx')).RotationPage }),
            children: [
              { index: true, loader: () => redirect('screen') },
              { path: 'screen', lazy: async () => ({ Component: (await import('./pages/rotation/screen.tsx')).ScreenPage }) },
              { path: 'backtest', lazy: async () => ({ Component: (await import('./pages/rotation/backtest.tsx')).BacktestPage }) },
              {
                path: 'backtest/:backtest_id',
                lazy: async () => ({ Component: (await import('./pages/rotation/report.tsx')).ReportPage }),
              },
            ],
          },
        ],
      },
      { path: '*', lazy: async () => ({ Component: (await import('./pages/not-found/not-found-page.tsx')).NotFoundPage }) },
    ],
  },
])
