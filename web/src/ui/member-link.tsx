import { PageLink } from './page-link.tsx'

/** What comes along to the page of plans: the sentence that led there, which names what was missed. */
export interface MemberWish {
  refused: string
}

export const MemberLink = ({ refused }: MemberWish) => (
  <PageLink className="link" to="/personal/subscription" state={{ refused } satisfies MemberWish}>
    查看会员方案
  </PageLink>
)
