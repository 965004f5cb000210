import type { TokenData } from '@convexa/contract/authorize'
import { useNavigate } from 'react-router'
import { queries, userQuery } from '../../api/queries.ts'
import { useAuth } from '../../state/auth.ts'
import { ownPath } from '../../state/return-url.ts'

/** Completes a login: keeps its tokens, loads the user, and goes to the page that was wanted. `remember` false: it ends with the tab. */
export function useCompleteLogin(): (token: TokenData, remember: boolean, redirect: string | null) => Promise<void> {
  const navigate = useNavigate()
  return async (token, remember, redirect) => {
    useAuth.getState().setToken(token, remember)
    queries.clear()
    if (!token.user) await queries.fetchQuery(userQuery).then(useAuth.getState().setUser, () => {})
    await navigate(ownPath(redirect), { replace: true })
  }
}
