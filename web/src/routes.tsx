import { type ComponentType, useEffect, useState } from 'react'
import { Navigate, Outlet, type RouteObject, useLocation, useRoutes } from 'react-router'
import { useArrival } from './pages/arrival.ts'
import type { Chunk } from './pages/chunk.ts'
import { ErrorBoundary } from './pages/error-boundary.tsx'
import { chunks, loadAhead } from './pages/load.ts'
import { chainAt, destinationOf } from './routing/page-at.ts'
import { innerPages, type Page, type PageCode, publicPages } from './routing/page-table.ts'
import { useAuth } from './state/auth.ts'
import { loginUrlFrom } from './state/return-url.ts'
import { PageSpinner } from './ui/states.tsx'

/** The route table on the screen. */
export const Routes = () => useRoutes(routes)

/** An address with parameters, but without what its places must be: `/strategy/xx/1` is found and yet no page. */
function Shown({ page }: { page: Page }) {
  const { pathname, search } = useLocation()
  const chain = chainAt(pathname)
  const last = chain.at(-1)
  if (!last) return <Code name="notFound" last />
  if (last === page && page.leads) return <Navigate to={{ pathname: destinationOf(page), search }} replace />
  return page.code ? <Code name={page.code} last={last === page} /> : <Outlet />
}

const Code = ({ name, last }: { name: PageCode; last: boolean }) => <Lazy chunk={chunks[name]} last={last} />

/** A page whose code is on its way, behind a spinner. */
function Lazy({ chunk, last }: { chunk: Chunk<ComponentType>; last: boolean }) {
  const { pathname } = useLocation()
  return (
    <ErrorBoundary at={pathname}>
      <Loaded chunk={chunk} last={last} pathname={pathname} />
    </ErrorBoundary>
  )
}

function Loaded({ chunk, last, pathname }: { chunk: Chunk<ComponentType>; last: boolean; pathname: string }) {
  const [state, setState] = useState<{ error?: unknown }>({})
  const Page = chunk.now()
  const missing = Page === null
  useEffect(() => {
    // What was missing when this was drawn may have come since: it is asked for all the same, and drawn again.
    if (!missing) return
    let left = false
    const show = (next: { error?: unknown }) => left || setState(next)
    chunk.load().then(
      () => show({}),
      (error: unknown) => show({ error }),
    )
    return () => {
      left = true
    }
  }, [chunk, missing])
  if (state.error) throw state.error
  if (!Page) return <PageSpinner />
  return (
    <>
      <Page />
      {last && <Arrived key={pathname} />}
    </>
  )
}

/** A sibling after the page: its effect runs when the page is in the document. */
function Arrived() {
  useArrival()
  return null
}

/** The main layout. Every page in it needs a login; an address that leads nowhere says so without one. */
function Inside() {
  const { pathname, search } = useLocation()
  const mayEnter = useAuth(({ tokenData }) => tokenData !== null)
  useEffect(() => {
    if (mayEnter) loadAhead(pathname)
  }, [mayEnter, pathname])
  if (mayEnter) return <Code name="layout" last={false} />
  if (chainAt(pathname).length === 0) return <Outlet />
  return <Navigate to={loginUrlFrom(pathname + search)} replace />
}

// The key keeps two pages of one kind apart: what one has loaded or typed is not the other's.
const routeOf = (page: Page): RouteObject => ({
  path: page.path,
  element: <Shown key={page.path} page={page} />,
  ...(page.children ? { children: page.children.map(routeOf) } : {}),
})

const routes: RouteObject[] = [
  ...publicPages.map(routeOf),
  { element: <Inside />, children: [...innerPages.map(routeOf), { path: '*', element: <Code name="notFound" last /> }] },
]
