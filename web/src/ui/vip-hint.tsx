import { vipUnlocks } from '@convexa/contract/vip-unlock'
import { Suspense } from 'react'
import { sentenceOf } from '../api/messages.ts'
import { lazyWithFallback } from './lazy-with-fallback.ts'

// Wanted seldom, and asked for wherever anything can fail: its code comes when there is something to lead to.
const MemberLink = lazyWithFallback(async () => (await import('./member-link.tsx')).MemberLink)

/** Link to the plans after an error that a membership would unlock; nothing after any other. */
export function VipHint({ refusal }: { refusal: unknown }) {
  const refused = typeof refusal === 'string' ? refusal : sentenceOf(refusal)
  if (!vipUnlocks(refused)) return null
  return (
    <Suspense>
      <MemberLink refused={refused} />
    </Suspense>
  )
}
