import type { User } from '@convexa/contract/user'
import type { BenefitKey } from '@convexa/contract/vip-unlock'
import { liftWords } from '@convexa/contract/vip-unlock'
import { useAuth } from '../state/auth.ts'
import { FieldError } from './field-error.tsx'

/** Notice of a used-up daily limit: when it is renewed, and for a free user that a membership has more. Nothing before. */
export function DailyLimitNotice({ benefit, left }: { benefit: BenefitKey; left: number | null }) {
  const more = useMoreForMembers(benefit)
  return left === 0 && <FieldError>{`今日使用次数已达上限，次日零点恢复${more}`}</FieldError>
}

/** Suffix of a limit message that names the members' limit, worded as by the server. Empty for members and for the demo account. */
export const useMoreForMembers = (benefit: BenefitKey): string => useAuth(({ userData }) => moreForMembers(userData, benefit))

const moreForMembers = (user: User | null, benefit: BenefitKey): string =>
  user && user.vip.level === 0 && !user.demo ? liftWords(benefit) : ''
