import { Outlet, useLocation } from 'react-router'
import { MarketProvider, marketOfSegment, type ShownMarket } from '../../market/market-context.tsx'
import { useStrategies } from '../../state/strategies.ts'
import { PageNavLink } from '../../ui/page-link.tsx'
import { chainAt } from '../page-at.ts'
import { shownChildren } from '../page-table.ts'
import { useTabKeys } from '../use-tab-keys.ts'

/** One page for both markets: its name and tabs, and below them the tab. */
export function RotationPage() {
  const { pathname } = useLocation()
  const market = marketOfSegment(pathname.split('/')[2])
  const page = chainAt(pathname).find(({ path }) => path === market?.path)
  const tabs = page ? shownChildren(page) : []
  useTabKeys(tabs)
  if (!market || !page) return null
  return (
    <MarketProvider market={market}>
      <section className="subheader" aria-label={`${market.title}导航`}>
        <h1>{market.title}</h1>
        <nav className="tabs" aria-label={market.title}>
          {tabs.map(({ path, title }) => (
            <PageNavLink key={path} to={path}>
              {title}
            </PageNavLink>
          ))}
        </nav>
        <span className="grow" />
        {/* A report has a strategy and a name of its own. */}
        {!pathname.includes('/backtest/') && <DraftName market={market} />}
      </section>
      <Outlet />
    </MarketProvider>
  )
}

/** What is being worked on; the star says that it has changed since it began. */
function DraftName({ market }: { market: ShownMarket }) {
  const draft = useStrategies((state) => state.drafts[market.kind])
  if (!draft) return null
  return (
    <span className="draft-name" title={draft.edited ? '草稿已修改，自动保存在本机' : '草稿自动保存在本机'}>
      策略 <b>{draft.name}</b>
      {draft.edited && <span className="warn">*</span>}
    </span>
  )
}
