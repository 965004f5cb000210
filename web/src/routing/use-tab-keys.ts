import { useLocation, useNavigate } from 'react-router'
import { useKeys } from '../keys/use-keys.ts'
import type { Page } from './page-table.ts'

/** `[` and `]` walk the tabs, round and round. */
export function useTabKeys(tabs: readonly Page[]) {
  const { pathname } = useLocation()
  const navigate = useNavigate()
  const walk = (step: number) => () => {
    const at = tabs.findIndex(({ path }) => pathname.startsWith(path))
    const next = tabs[(at + step + tabs.length) % tabs.length]
    if (next) void navigate(next.path)
  }
  useKeys({ previousTab: walk(-1), nextTab: walk(1) })
}
