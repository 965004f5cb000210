import { createBrowserRouter, redirect } from 'react-router'
import { CrashPage } from './pages/crash.tsx'
import { pages } from './pages/load.ts'
import { isAuthenticated } from './state/auth.ts'
import { usePreferences } from './state/preferences.ts'
import { loginFrom } from './state/way-back.ts'
import { PageSpinner } from './ui/states.tsx'

const lastRotation = () => redirect(usePreferences.getState().lastRotation)

/** Every route under the main layout needs a login. */
function needLogin({ request }: { request: Request }) {
  if (isAuthenticated()) return null
  const { pathname, search } = new URL(request.url)
  throw redirect(loginFrom(pathname + search))
}

export const router = createBrowserRouter([
  {
    HydrateFallback: PageSpinner,
    ErrorBoundary: CrashPage,
    children: [
      { path: '/login', lazy: pages.login },
      {
        path: '/',
        loader: needLogin,
        lazy: pages.layout,
        children: [
          { index: true, loader: lastRotation, Component: PageSpinner },
          { path: 'rotation', loader: lastRotation, Component: PageSpinner },
          {
            path: 'rotation/:segment',
            lazy: pages.rotation,
            // A page that broke leaves the header and the menu standing.
            ErrorBoundary: CrashPage,
            children: [
              { index: true, loader: () => redirect('screen'), Component: PageSpinner },
              { path: 'screen', lazy: pages.screen },
              { path: 'backtest', lazy: pages.backtest },
              { path: 'backtest/:backtest_id', lazy: pages.report },
            ],
          },
        ],
      },
      { path: '*', lazy: pages.notFound },
    ],
  },
])
