import { vipUnlocks } from '@convexa/contract/vip-unlock'
import { Suspense } from 'react'
import { sentenceOf } from '../api/messages.ts'
import { late } from './late.ts'

// Wanted seldom, and asked for wherever anything can fail: its code comes when there is something to lead to.
const MemberLink = late(async () => (await import('./member-link.tsx')).MemberLink)

/** The way to the plans behind a refusal that a membership would lift; nothing behind any other. */
export function MemberWay({ refusal }: { refusal: unknown }) {
  const refused = typeof refusal === 'string' ? refusal : sentenceOf(refusal)
  if (!vipUnlocks(refused)) return null
  return (
    <Suspense>
      <MemberLink refused={refused} />
    </Suspense>
  )
}
