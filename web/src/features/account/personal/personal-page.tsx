import { marketIds } from '@convexa/contract/enums/market'
import { useQueries, useQuery } from '@tanstack/react-query'
import { Outlet, useLocation } from 'react-router'
import { strategyListQuery } from '../../../api/queries.ts'
import { usePhone } from '../../../base/use-phone.ts'
import { accountPages } from '../../../routing/menu.ts'
import { pageAt } from '../../../routing/page-at.ts'
import { useTabKeys } from '../../../routing/use-tab-keys.ts'
import { Row } from '../../../ui/layout.tsx'
import { PageNavLink } from '../../../ui/page-link.tsx'
import { groupsQuery, runsQuery } from '../../rule/strategy-queries.ts'

/** The account's pages under one head. The phone has no room for tabs: there the profile lists them. */
export function PersonalPage() {
  const { pathname } = useLocation()
  const phone = usePhone()
  useTabKeys(accountPages)
  const counts = useCounts(!phone)
  return (
    <>
      {phone ? (
        <h1 className="hidden-text">{pageAt(pathname)?.title}</h1>
      ) : (
        <Row as="section" gap={8} className="subheader" aria-label="个人中心导航">
          <h1>个人中心</h1>
          <nav className="tabs" aria-label="个人中心">
            {accountPages.map(({ path, title }) => (
              <PageNavLink key={path} to={path}>
                {title}
                {counts[path] !== undefined && <em>{counts[path]}</em>}
              </PageNavLink>
            ))}
          </nav>
        </Row>
      )}
      <Outlet />
    </>
  )
}

/** How many the pages of lists have, of both markets; a page is left out while that is not known. */
function useCounts(enabled: boolean): Record<string, number | undefined> {
  const strategies = useQueries({ queries: marketIds.map((kind) => ({ ...strategyListQuery(kind), enabled })) })
  const groups = useQueries({ queries: marketIds.map((kind) => ({ ...groupsQuery(kind), enabled })) })
  const runs = useQuery({ ...runsQuery({ offset: 0, limit: 1 }), enabled })
  const sum = (lists: readonly { data?: { total: number } | undefined }[]) =>
    lists.reduce<number | undefined>((all, { data }) => (all === undefined || !data ? undefined : all + data.total), 0)
  return {
    '/personal/strategies': sum(strategies),
    '/personal/group-strategies': sum(groups),
    '/personal/backtest-history': runs.data?.total,
  }
}
