import type { BenefitKey } from '@convexa/contract/vip-unlock'
import { useMoreForMembers } from '../account/own-user.ts'
import { FieldError } from '../ui/field-error.tsx'

/** Where the uses of a day are used up: when they come back, and for a free user that there can be more. Nothing before. */
export function UsedUp({ benefit, left }: { benefit: BenefitKey; left: number | null }) {
  const more = useMoreForMembers(benefit)
  return left === 0 && <FieldError>{`今日使用次数已达上限，次日零点恢复${more}`}</FieldError>
}
