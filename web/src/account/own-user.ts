import { calls } from '@convexa/contract/calls'
import type { User } from '@convexa/contract/user'
import { type BenefitKey, liftWords } from '@convexa/contract/vip-unlock'
import { useQuery } from '@tanstack/react-query'
import { call } from '../api/client.ts'
import { queries, userQuery } from '../api/queries.ts'
import { useAuth } from '../state/auth.ts'
import { toast } from '../ui/toast.tsx'

/** The caller's profile: what was kept of it first, then the server's. */
export function useOwnUser() {
  const kept = useAuth((state) => state.userData)
  const { data, error, refetch } = useQuery(userQuery)
  const user = data ?? kept
  return { user, error: user ? null : error, retry: () => void refetch() }
}

/** How a limit that a membership would raise goes on for whoever has none, as the server says it; the demo account has a member's limits. */
export const useMoreForMembers = (benefit: BenefitKey): string => useAuth(({ userData }) => moreForMembers(userData, benefit))

const moreForMembers = (user: User | null, benefit: BenefitKey): string =>
  user && user.vip.level === 0 && !user.demo ? liftWords(benefit) : ''

/** What a call answered about the caller is what every page shows from now on. */
export function keepUser(user: User): void {
  queries.setQueryData(userQuery.queryKey, user)
  useAuth.getState().setUser(user)
}

/** Asks again after a call that answers with less than the whole profile. */
export const reloadUser = (): Promise<void> => queries.fetchQuery({ ...userQuery, staleTime: 0 }).then(keepUser, () => {})

/** Takes back the deletion that was asked for. @throws CallError */
export async function restoreAccount(): Promise<void> {
  keepUser(await call(calls.user.restore, undefined))
  toast.done('已撤销注销，账号恢复正常')
}
