import type { MarketRow } from '@convexa/contract/enums/market'
import { useEffect } from 'react'
import { Outlet, useLocation } from 'react-router'
import { MarketProvider, marketOfSegment } from '../../market/market-context.tsx'
import { LateLamp } from '../../quant/data-sheet/late-lamp.tsx'
import { DraftBar } from '../../quant/saving/draft-bar.tsx'
import { useSharedRule } from '../../quant/saving/use-shared-rule.ts'
import { useGallery } from '../../quant/templates/gallery-state.ts'
import { useStrategies } from '../../state/drafts.ts'
import { PageNavLink } from '../../ui/page-link.tsx'
import { usePhone } from '../../ui/use-phone.ts'
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
        <LateLamp kind={market.id} withRule={!isReport} />
        {/* A report has a strategy and a name of its own. */}
        {!isReport && <Draft market={market} />}
      </section>
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
