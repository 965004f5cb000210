import { calls } from '@convexa/contract/calls'
import type { User } from '@convexa/contract/user'
import { useQuery } from '@tanstack/react-query'
import { call } from '../../api/client.ts'
import { queries, userQuery } from '../../api/queries.ts'
import { useAuth } from '../../state/auth.ts'
import { toast } from '../../ui/toast.tsx'

/** The caller's profile: what was kept of it first, then the server's. */
export function useOwnUser() {
  const kept = useAuth((state) => state.userData)
  const { data, error, refetch } = useQuery(userQuery)
  const user = data ?? kept
  return { user, error: user ? null : error, retry: () => void refetch() }
}

/** Stores the profile that a call returned, for all pages. */
export function keepUser(user: User): void {
  queries.setQueryData(userQuery.queryKey, user)
  useAuth.getState().setUser(user)
}

/** Reloads the profile after a call that returns only a part of it. */
export const reloadUser = (): Promise<void> => queries.fetchQuery({ ...userQuery, staleTime: 0 }).then(keepUser, () => {})

/** Takes back the deletion that was asked for. @throws CallError */
export async function restoreAccount(): Promise<void> {
  keepUser(await call(calls.user.restore, undefined))
  toast.done('已撤销注销，账号恢复正常')
}
