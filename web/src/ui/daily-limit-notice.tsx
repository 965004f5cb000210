import type { BenefitKey } from '@convexa/contract/vip-unlock'
import { useMoreForMembers } from '../features/account/own-user.ts'
import { FieldError } from './field-error.tsx'

/** Notice of a used-up daily limit: when it is renewed, and for a free user that a membership has more. Nothing before. */
export function DailyLimitNotice({ benefit, left }: { benefit: BenefitKey; left: number | null }) {
  const more = useMoreForMembers(benefit)
  return left === 0 && <FieldError>{`今日使用次数已达上限，次日零点恢复${more}`}</FieldError>
}
