import { useIsFetching } from '@tanstack/react-query'
import { useEffect } from 'react'
import { Outlet, useNavigation } from 'react-router'
import { queries, strategyOptionsQuery, userQuery } from '../../api/queries.ts'
import { useAuth } from '../../state/auth.ts'
import { useLater } from '../../ui/states.tsx'
import { Header } from './header.tsx'
import './layout.css'

/** Header and menu around every page that needs a login. */
export function MainLayout() {
  useUser()
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

/** The 2 px line on top while something takes longer than 400 ms. */
function WaitingLine() {
  const waiting = useIsFetching() > 0
  const moving = useNavigation().state !== 'idle'
  const on = useLater(400, waiting || moving)
  return <div className={on ? 'waiting-line progress-line on' : 'waiting-line progress-line'} aria-hidden="true" />
}
