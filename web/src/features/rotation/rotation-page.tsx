import type { MarketRow } from '@convexa/contract/enums/market'
import { useEffect } from 'react'
import { Outlet, useLocation } from 'react-router'
import { usePhone } from '../../base/use-phone.ts'
import { MarketProvider, marketOfSegment } from '../../market/market-context.tsx'
import { chainAt } from '../../routing/page-at.ts'
import { shownChildren } from '../../routing/page-table.ts'
import { useTabKeys } from '../../routing/use-tab-keys.ts'
import { useStrategies } from '../../state/drafts.ts'
import { Row } from '../../ui/layout.tsx'
import { PageNavLink } from '../../ui/page-link.tsx'
import { LateLamp } from '../data-status/late-lamp.tsx'
import { DraftBar } from '../saving/draft-bar.tsx'
import { useSharedRule } from '../saving/use-shared-rule.ts'
import { useGallery } from '../templates/gallery-state.ts'

/** One page for both markets: its name and tabs, and below them the tab. */
export function RotationPage() {
  const { pathname } = useLocation()
  const market = marketOfSegment(pathname.split('/')[2])
  const page = chainAt(pathname).find(({ path }) => path === market?.path)
  const tabs = page ? shownChildren(page) : []
  useTabKeys(tabs)
  const { hide } = useGallery()
  // Leaving for another page closes the template gallery: coming back shows the list.
  useEffect(
    () => () => {
      if (window.location.pathname !== pathname) hide()
    },
    [pathname, hide],
  )
  if (!market || !page) return null
  const isReport = pathname.includes('/backtest/')
  return (
    <MarketProvider market={market}>
      <Row as="section" gap={8} className="subheader" aria-label={`${market.title}导航`}>
        <h1>{market.title}</h1>
        <nav className="tabs" aria-label={market.title}>
          {tabs.map(({ path, title }) => (
            <PageNavLink key={path} to={path}>
              {title}
            </PageNavLink>
          ))}
        </nav>
        <span className="grow" />
        <LateLamp kind={market.id} withRule={!isReport} />
        {/* A report has a strategy and a name of its own. */}
        {!isReport && <Draft market={market} />}
      </Row>
      <Outlet />
    </MarketProvider>
  )
}

/** What is being worked on. A phone has it above the result. */
function Draft({ market }: { market: MarketRow }) {
  useSharedRule(market)
  const draft = useStrategies((state) => state.drafts[market.id])
  const phone = usePhone()
  return draft && !phone ? <DraftBar draft={draft} /> : null
}
