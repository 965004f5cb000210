import { Card } from '../../ui/card.tsx'
import { Page } from '../../ui/layout.tsx'
import { PageLink } from '../../ui/page-link.tsx'
import { PageTitle } from '../../ui/page-title.tsx'
import { Empty } from '../../ui/states.tsx'

/** An address of something that is not there, or not this user's. */
export const Gone = ({ what, to }: { what: '策略' | '策略组'; to: string }) => (
  <Page>
    <PageTitle>{`${what}不存在`}</PageTitle>
    <Card plain>
      <h1 className="hidden-text">{what}不存在</h1>
      <Empty
        icon="search"
        title={`这个${what}不存在或已被删除`}
        actions={
          <PageLink className="button primary" to={to}>
            看我的{what}
          </PageLink>
        }
      >
        链接可能不完整，或者它属于另一个账号、另一个市场。
      </Empty>
    </Card>
  </Page>
)
