import { useEffect } from 'react'
import { Outlet, useLocation, useParams } from 'react-router'
import { MarketProvider, marketOfSegment, type ShownMarket } from '../../market/market-context.tsx'
import { usePreferences } from '../../state/preferences.ts'
import { useStrategies } from '../../state/strategies.ts'
import { PageNavLink } from '../../ui/page-link.tsx'
import { NotFoundPage } from '../not-found/not-found-page.tsx'

/** The tabs there are; later ones come as lines. */
const tabsOf = (market: ShownMarket) => [
  { to: 'screen', label: '实时筛选' },
  { to: 'backtest', label: market.backtestTitle },
]

/** One page for both markets: its name and tabs, and below them the tab. */
export function RotationPage() {
  const market = marketOfSegment(useParams()['segment'])
  const { pathname } = useLocation()
  const set = usePreferences((state) => state.set)
  const known = market !== null
  useEffect(() => {
    const tab = pathname.split('/')[3]
    if (known && tab) set('lastRotation', pathname.split('/').slice(0, 4).join('/'))
  }, [pathname, known, set])
  if (!market) return <NotFoundPage />
  return (
    <MarketProvider market={market} key={market.kind}>
      <section className="subheader" aria-label={`${market.title}导航`}>
        <h1>{market.title}</h1>
        <nav className="tabs" aria-label={market.title}>
          {tabsOf(market).map(({ to, label }) => (
            <PageNavLink key={to} to={to}>
              {label}
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
