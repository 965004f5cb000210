import { useIsFetching } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { Outlet } from 'react-router'
import { queries, strategyOptionsQuery, userQuery, websiteQuery } from '../../api/queries.ts'
import { useAuth } from '../../state/auth.ts'
import { useSite } from '../../state/site.ts'
import { useLater } from '../../ui/states.tsx'
import { Header } from './header.tsx'
import './layout.css'

/** Header and menu around every page that needs a login. */
export function MainLayout() {
  useUser()
  useNewData()
  return (
    <div className="layout">
      <a className="skip" href="#main">
        跳到主要内容
      </a>
      <WaitingLine />
      <Header />
      <Outlet />
    </div>
  )
}

/** What every page needs soon, asked for once; a failure only leaves the initials in the header. */
function useUser() {
  useEffect(() => {
    void queries.prefetchQuery(strategyOptionsQuery)
    queries
      .fetchQuery(userQuery)
      .then(useAuth.getState().setUser)
      .catch(() => {})
  }, [])
}

/** A market was imported while the page was open: all that was read of the old data is read again. */
function useNewData() {
  const version = JSON.stringify(useSite().data_version)
  const seen = useRef<string | null>(null)
  const loaded = queries.getQueryState(websiteQuery.queryKey)?.status === 'success'
  useEffect(() => {
    if (!loaded) return
    if (seen.current !== null && seen.current !== version)
      void queries.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== websiteQuery.queryKey[0] })
    seen.current = version
  }, [version, loaded])
}

/** The 2 px line on top while something takes longer than 400 ms. */
function WaitingLine() {
  const waiting = useIsFetching() > 0
  const on = useLater(400, waiting)
  return <div className={on ? 'waiting-line progress-line on' : 'waiting-line progress-line'} aria-hidden="true" />
}
