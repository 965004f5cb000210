import { Outlet, useLocation, useNavigate } from 'react-router'
import { useKeys } from '../../keys/use-keys.ts'
import { MarketProvider, marketOfSegment, type ShownMarket } from '../../market/market-context.tsx'
import { useStrategies } from '../../state/strategies.ts'
import { PageNavLink } from '../../ui/page-link.tsx'
import { chainAt } from '../page-at.ts'
import { type Page, shownChildren } from '../page-table.ts'

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

/** `[` and `]` walk the tabs, round and round. */
function useTabKeys(tabs: readonly Page[]) {
  const { pathname } = useLocation()
  const navigate = useNavigate()
  const walk = (step: number) => () => {
    const at = tabs.findIndex(({ path }) => pathname.startsWith(path))
    const next = tabs[(at + step + tabs.length) % tabs.length]
    if (next) void navigate(next.path)
  }
  useKeys({ previousTab: walk(-1), nextTab: walk(1) })
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
